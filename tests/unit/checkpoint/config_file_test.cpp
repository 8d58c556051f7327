// SPDX-License-Identifier: MIT
#include "genomamba/checkpoint/config_file.hpp"

#include <cmath>

#include "catch.hpp"
#include "safetensors_text.hpp"
#include "tmp_dir.hpp"

using namespace genomamba;
using checkpoint::ConfigFile;
using test::contains;
using test::error_of;

namespace {

ConfigFile parse(std::string_view text) {
  return ConfigFile::parse(text, "config.json");
}

}  // namespace

TEST_CASE("values are found by plain and dotted keys") {
  const ConfigFile config = parse(R"({"d_model": 8, "x": 1.5, "on": true, "name": "n", "none": null,
      "ssm_cfg": {"d_state": 4, "a": {"b": 7}}, "dotted.key": 3, "list": ["p", "q"],
      "map": {"10": 7, "7": 10}, "whole": 16.0})");
  CHECK(config.find_int("d_model") == 8);
  CHECK(config.find_int("ssm_cfg.d_state") == 4);
  CHECK(config.find_int("ssm_cfg.a.b") == 7);
  CHECK(config.find_int("dotted.key") == 3);
  CHECK(config.find_int("whole") == 16);
  CHECK(config.find_number("x") == 1.5);
  CHECK(config.find_number("d_model") == 8.0);
  CHECK(config.find_bool("on") == true);
  CHECK(config.find_string("name") == "n");
  CHECK(config.find_strings("list") == std::vector<std::string>{"p", "q"});
  CHECK(config.find_int_map("map")->size() == 2);
  CHECK_FALSE(config.find_int("none"));
  CHECK_FALSE(config.has("none"));
  CHECK_FALSE(config.find_int("missing"));
  CHECK_FALSE(config.find_int("ssm_cfg.missing"));
  CHECK_FALSE(config.find_int("d_model.x"));
}

TEST_CASE("a value of another type names file and key") {
  const ConfigFile config = parse(R"({"a": "text", "b": 1.5, "c": 1, "d": [1], "e": {"x": "y"},
                                      "f": 18446744073709551615})");
  CHECK(contains(error_of([&] { config.find_int("a"); }), "config.json: a: is string"));
  CHECK(contains(error_of([&] { config.find_int("b"); }), "not an integer"));
  CHECK(contains(error_of([&] { config.find_bool("c"); }), "true or false"));
  CHECK(contains(error_of([&] { config.find_string("c"); }), "not a string"));
  CHECK(contains(error_of([&] { config.find_number("a"); }), "not a number"));
  CHECK(contains(error_of([&] { config.find_strings("d"); }), "not a string"));
  CHECK(contains(error_of([&] { config.find_int_map("e"); }), "not an integer"));
  CHECK(contains(error_of([&] { config.find_int("f"); }), "out of range"));
}

TEST_CASE("Python's bare words are read, and NaN is refused where a number is wanted") {
  const ConfigFile config = parse(R"({"limit": [0.0, Infinity], "nan": NaN, "low": -Infinity,
      "text": "NaN and \"Infinity\"", "hf": {"__float__": "Infinity"}})");
  CHECK(std::isinf(config.find_numbers("limit")->at(1)));
  CHECK(*config.find_number("low") < 0);
  CHECK(std::isinf(*config.find_number("hf")));
  CHECK(config.find_string("text") == "NaN and \"Infinity\"");
  CHECK(contains(error_of([&] { config.find_number("nan"); }), "NaN"));
  CHECK(contains(error_of([&] { config.find_int("nan"); }), "not an integer"));
}

TEST_CASE("malformed text is refused") {
  CHECK(contains(error_of([] { parse(""); }), "JSON"));
  CHECK(contains(error_of([] { parse("{"); }), "JSON"));
  CHECK(contains(error_of([] { parse("[1]"); }), "not a JSON object"));
  CHECK(contains(error_of([] { parse("{\"a\": \"\\"); }), "JSON"));
  CHECK(contains(error_of([] { parse(std::string(1000000, '[')); }), "deeper"));
  CHECK(contains(error_of([] { parse("{\"a\":" + std::string(70, '{')); }), "deeper"));
  CHECK(contains(error_of([] { parse("{\"a\": \"\xFF\"}"); }), "JSON"));
  CHECK(contains(error_of([] { parse("version https://git-lfs.github.com/spec/v1\n"); }), "LFS"));
  const std::string brackets = R"({"a": ")" + std::string(1000, '[') + "\"}";
  CHECK(parse(brackets).has("a"));
}

TEST_CASE("an empty object is empty, a missing or too large file an error") {
  CHECK(parse(" {} ").is_empty());
  CHECK(parse("\xEF\xBB\xBF{}").is_empty());
  const test::TmpDir dir;
  CHECK(contains(error_of([&] { ConfigFile::load(dir.file("none.json")); }), "none.json"));
  const std::string large = dir.write("large.json", std::string((16U << 20) + 1, ' '));
  CHECK(contains(error_of([&] { ConfigFile::load(large); }), "too many"));
}
