// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <vector>

#include "catch.hpp"
#include "genomamba/checkpoint/tensor_source.hpp"
#include "safetensors_file.hpp"
#include "safetensors_text.hpp"
#include "tmp_dir.hpp"

using namespace genomamba;
using namespace genomamba::checkpoint;
using test::contains;
using test::safetensors_bytes;

namespace {

std::string error_of_file(std::string_view bytes) {
  const test::TmpDir dir;
  const std::string path = dir.write("model.safetensors", bytes);
  const std::string message = test::error_of([&] { open_safetensors(path); });
  CHECK(contains(message, "model.safetensors"));
  return message;
}

std::string error_of_header(std::string_view header, std::size_t data_bytes = 32) {
  return error_of_file(safetensors_bytes(header, std::string(data_bytes, '\0')));
}

}  // namespace

TEST_CASE("a written file is read back") {
  const test::TmpDir dir;
  const std::vector<NamedArray> tensors = {
      {"b.weight", {2, 3}, {1, 2, 3, 4, 5, 6}}, {"a", {}, {7}}, {"empty", {0, 4}, {}}};
  test::write_safetensors_file(dir.file("m.safetensors"), tensors);
  CHECK(dir.entries() == std::vector<std::string>{"m.safetensors"});

  const auto source = open_safetensors(dir.file("m.safetensors"));
  REQUIRE(source->tensors().size() == 3);
  CHECK(source->tensors()[0].name == "b.weight");
  CHECK(source->find("c") == nullptr);
  const Tensor* tensor = source->find("b.weight");
  REQUIRE(tensor != nullptr);
  CHECK(tensor->shape == std::vector<std::size_t>{2, 3});
  const AlignedBuffer<float> values = to_float(*tensor);
  CHECK(std::vector<float>(values.data(), values.data() + 6) == tensors[0].values);
  CHECK(to_float(*source->find("a"))[0] == 7.0F);
  CHECK(source->find("empty")->size() == 0);
}

TEST_CASE("a header length that lies is refused") {
  CHECK(contains(error_of_file(""), "too few"));
  CHECK(contains(error_of_file("1234567"), "too few"));
  CHECK(contains(error_of_file(std::string(8, '\0')), "header"));
  CHECK(contains(error_of_file(safetensors_bytes("{}", "", 3)), "truncated"));
  CHECK(contains(error_of_file(safetensors_bytes("{}", "", std::uint64_t{1} << 63)), "header"));
  CHECK(contains(error_of_file(safetensors_bytes("{}", "", ~std::uint64_t{0})), "header"));
  CHECK(contains(error_of_file(safetensors_bytes("{}", "", 100'000'001)), "limit"));
}

TEST_CASE("a header that is not an object of tensors is refused") {
  CHECK(contains(error_of_header("[1]"), "'{'"));
  CHECK(contains(error_of_header("{"), "JSON"));
  CHECK(contains(error_of_header("{} {}"), "JSON"));
  CHECK(contains(error_of_header(R"({"w": 5})"), "w"));
  CHECK(contains(error_of_header(R"({"w": [5]})"), "array"));
  CHECK(contains(error_of_header(R"({"w": null})"), "w"));
  CHECK(contains(error_of_header(R"({"w": {}})"), "no dtype"));
  CHECK(contains(error_of_header(R"({"w": {"dtype": "F32", "data_offsets": [0, 32]}})"), "shape"));
  CHECK(contains(error_of_header(R"({"w": {"dtype": "F32", "shape": [8]}})"), "data_offsets"));
  CHECK(contains(error_of_header(R"({"w": {"dtype": "F32", "shape": {}, "data_offsets": [0]}})"),
                 "object"));
  CHECK(contains(
      error_of_header(R"({"w": {"dtype": "Q4", "shape": [8], "data_offsets": [0, 32]}})"), "Q4"));
  CHECK(contains(
      error_of_header(R"({"w": {"dtype": "F32", "shape": [8], "data_offsets": [0, 32], "x": 1}})"),
      "unknown field"));
  CHECK(contains(
      error_of_header(R"({"w": {"dtype": "F32", "shape": [[8]], "data_offsets": [0, 32]}})"),
      "array"));
  CHECK(contains(
      error_of_header(
          R"({"w": {"dtype": "F32", "shape": [8], "shape": [8], "data_offsets": [0, 32]}})"),
      "twice"));
  const std::string deep = "{\"w\": " + std::string(100000, '[');
  CHECK(contains(error_of_header(deep), "array"));
}

TEST_CASE("metadata may hold what it likes") {
  const test::TmpDir dir;
  const std::string path =
      dir.write("m.safetensors",
                safetensors_bytes(R"({"__metadata__": {"format": "pt", "x": {"y": [1, {"z": 2.5}]}},
                            "w": {"dtype": "F32", "shape": [8], "data_offsets": [0, 32]}}   )",
                                  std::string(32, '\0')));
  CHECK(open_safetensors(path)->tensors().size() == 1);
}

TEST_CASE("shapes, types and offsets must fit, and the tensor is named") {
  const auto message = [](std::string_view shape, std::string_view offsets) {
    const std::string text =
        error_of_header(R"({"norm_f": {"dtype": "F32", "shape": )" + std::string(shape) +
                        R"(, "data_offsets": )" + std::string(offsets) + "}}");
    CHECK(contains(text, "norm_f"));
    return text;
  };
  CHECK(contains(message("[9]", "[0, 32]"), "36 bytes, found 32"));
  CHECK(contains(message("[4294967296, 4294967296, 8]", "[0, 32]"), "more than 2^64"));
  CHECK(contains(message("[8, 0]", "[0, 32]"), "needs 0 bytes"));
  CHECK(contains(message("[-8]", "[0, 32]"), "-8"));
  CHECK(contains(message("[8.5]", "[0, 32]"), "8.5"));
  CHECK(contains(message("[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,8]", "[0, 32]"), "dimensions"));
  CHECK(contains(message("[8]", "[0, 36]"), "outside"));
  CHECK(contains(message("[8]", "[32, 0]"), "backwards"));
  CHECK(contains(message("[8]", "[-1, 31]"), "-1"));
  CHECK(contains(message("[8]", "[0, 32, 32]"), "two"));
  CHECK(contains(message("[8]", "[0]"), "pair"));
  CHECK(contains(message("[8]", "[18446744073709551600, 18446744073709551632]"), "range"));
  CHECK(contains(message("[6]", "[8, 32]"), "gap"));
  CHECK(
      contains(error_of_header(R"({"w": {"dtype": "F32", "shape": [7], "data_offsets": [0, 28]}})"),
               "4 bytes after"));
}

TEST_CASE("overlapping tensors and double names are refused, both named") {
  const std::string overlap = error_of_header(
      R"({"first": {"dtype": "F32", "shape": [5], "data_offsets": [0, 20]},
          "second": {"dtype": "F32", "shape": [4], "data_offsets": [16, 32]}})");
  CHECK(contains(overlap, "first"));
  CHECK(contains(overlap, "second"));
  const std::string alias = error_of_header(
      R"({"first": {"dtype": "F32", "shape": [8], "data_offsets": [0, 32]},
          "second": {"dtype": "F32", "shape": [8], "data_offsets": [0, 32]}})");
  CHECK(contains(alias, "overlaps"));
  CHECK(contains(error_of_header(
                     R"({"first": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]},
                         "first": {"dtype": "F32", "shape": [4], "data_offsets": [16, 32]}})"),
                 "twice"));
}

TEST_CASE("control characters of a name do not reach the message") {
  const std::string message = error_of_header(
      R"({"a\u001b[31mb\n": {"dtype": "F32", "shape": [9], "data_offsets": [0, 32]}})");
  CHECK(contains(message, "a?[31mb?"));
}

TEST_CASE("a Git LFS pointer and a directory say what they are") {
  CHECK(
      contains(error_of_file("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"),
               "Git LFS"));
  const test::TmpDir dir;
  CHECK(contains(test::error_of([&] { open_safetensors(dir.path()); }), "directory"));
  CHECK(contains(test::error_of([&] { open_safetensors(dir.file("none")); }), "No such file"));
}

TEST_CASE("a file cut short while it is open gives an error, not a signal") {
  const test::TmpDir dir;
  const std::vector<NamedArray> tensors = {{"w", {4096}, std::vector<float>(4096, 1.0F)}};
  const std::string path = dir.file("m.safetensors");
  test::write_safetensors_file(path, tensors);
  const auto source = open_safetensors(path);
  REQUIRE(::truncate(path.c_str(), 100) == 0);
  CHECK(contains(test::error_of([&] { to_float(*source->find("w")); }), "shorter"));
  CHECK(contains(test::error_of([&] { source->files()[0]->check_unchanged(); }), "changed"));
}

TEST_CASE("an unused tensor of any size costs nothing") {
  const test::TmpDir dir;
  constexpr std::uint64_t kHuge = std::uint64_t{1} << 36;
  const std::string header =
      R"({"big": {"dtype": "I8", "shape": [68719476736], "data_offsets": [0, )" +
      std::to_string(kHuge) + R"(]}, "w": {"dtype": "F32", "shape": [1],
                             "data_offsets": [)" +
      std::to_string(kHuge) + ", " + std::to_string(kHuge + 4) + "]}}";
  const std::string path = dir.write("m.safetensors", safetensors_bytes(header, ""));
  const auto size = static_cast<off_t>(8 + header.size() + kHuge + 4);
  if (::truncate(path.c_str(), size) != 0) return;  // no sparse files here
  CHECK(to_float(*open_safetensors(path)->find("w"))[0] == 0.0F);
}
