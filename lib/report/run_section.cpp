// SPDX-License-Identifier: MIT
#include "run_section.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "genomamba/core/error.hpp"
#include "genomamba/io/text_reader.hpp"
#include "text.hpp"

namespace genomamba::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestReport = std::size_t{1} << 24;
constexpr std::size_t kHashText = 12;

Json load_run(const std::string& path) {
  io::TextReader lines(path);
  std::string text;
  std::string line;
  while (lines.next(line)) {
    text += line + "\n";
    if (text.size() > kLongestReport) throw InputError(path, "", "is too long for a run report");
  }
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object()) throw InputError(path, "", "is no JSON object");
  const auto version = json.find("schema_version");
  if (version == json.end() || *version != 1 || json.value("tool", Json()) != "genomamba") {
    throw InputError(path, "", "is no run report of genomamba of schema version 1");
  }
  return json;
}

/// Any value as text; nothing ("-") where it is absent.
std::string text_of(const Json& json, const char* key) {
  const auto found = json.is_object() ? json.find(key) : json.end();
  if (!json.is_object() || found == json.end()) return "-";
  if (found->is_string()) return found->get<std::string>();
  if (found->is_number_float()) return number_text(found->get<double>());
  return found->dump(-1, ' ', false, Json::error_handler_t::replace);
}

const Json& part_of(const Json& json, const char* key) {
  static const Json empty = Json::object();
  const auto found = json.find(key);
  return found != json.end() && found->is_object() ? *found : empty;
}

/// "a 1, b 2" of an object of numbers or strings.
std::string list_of(const Json& json) {
  std::string out;
  for (const auto& [key, value] : json.items())
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", key, text_of(json, key.c_str()));
  return out.empty() ? "none" : out;
}

std::string words_of(const Json& run) {
  std::string out;
  const auto found = run.find("arguments");
  if (found == run.end() || !found->is_array()) return "-";
  for (const Json& word : *found) {
    if (!word.is_string()) continue;
    std::string text = word.get<std::string>();
    const bool is_plain =
        !text.empty() && text.find_first_of(" \t\n'\"\\$&|;<>()*?[]{}`!~#") == std::string::npos;
    if (!is_plain) {
      std::string quoted = "'";
      for (const char c : text)
        c == '\'' ? quoted += "'\\''" : quoted += c;
      text = quoted + "'";
    }
    out += (out.empty() ? "" : " ") + text;
  }
  return out;
}

std::string inputs_of(const Json& run) {
  std::string out;
  const auto found = run.find("inputs");
  if (found == run.end() || !found->is_array()) return "-";
  for (const Json& input : *found) {
    out += fmt::format("{}{} ({} bytes)", out.empty() ? "" : "; ", text_of(input, "path"),
                       text_of(input, "bytes"));
  }
  return out.empty() ? "none" : out;
}

std::vector<Cell> summary_row(const Json& run, const std::string& path) {
  const std::string hash = text_of(part_of(run, "model"), "weights_sha256");
  return {{.text = shortened(file_name(path), 60)},
          {.text = text_of(run, "app")},
          {.text = text_of(part_of(run, "model"), "name")},
          {.text = hash.substr(0, kHashText)},
          {.text = text_of(run, "threads")},
          {.text = text_of(run, "wall_seconds")},
          {.text = text_of(run, "bases_per_second")},
          {.text = text_of(run, "exit_status")}};
}

std::string details(const Json& run, const std::string& path) {
  const Json& model = part_of(run, "model");
  std::vector<std::pair<std::string, std::string>> facts = {
      {"command", words_of(run)},
      {"inputs", inputs_of(run)},
      {"version", fmt::format("{} (git {})", text_of(run, "version"), text_of(run, "git_hash"))},
      {"kernels", text_of(run, "isa")},
      {"model", text_of(model, "name")},
      {"weights sha256", text_of(model, "weights_sha256")},
      {"config sha256", text_of(model, "config_sha256")},
      {"counts", list_of(part_of(run, "counts"))},
      {"filtered", list_of(part_of(run, "filtered"))},
      {"failed", list_of(part_of(run, "failed"))}};
  for (const auto& [key, value] : part_of(run, "notes").items())
    facts.emplace_back(key, text_of(part_of(run, "notes"), key.c_str()));
  facts.emplace_back("time",
                     fmt::format("{} s of wall clock, {} s of CPU", text_of(run, "wall_seconds"),
                                 text_of(run, "cpu_seconds")));
  facts.emplace_back("peak memory", text_of(run, "peak_rss_bytes") + " bytes");
  if (run.contains("error")) facts.emplace_back("error", text_of(run, "error"));
  return heading_html(shortened(file_name(path), 80)) + facts_html(facts);
}

}  // namespace

Section run_section(const std::vector<std::string>& paths, const std::string& id) {
  Section section;
  section.id = id;
  section.heading = "Runs";
  std::vector<std::vector<Cell>> rows;
  std::string all_details;
  for (const std::string& path : paths) {
    const Json run = load_run(path);
    rows.push_back(summary_row(run, path));
    all_details += details(run, path);
  }
  section.html = table_html("What was run",
                            {"report", "app", "model", "weights", "threads", "seconds",
                             "bases per second", "exit status"},
                            "llllrrrr", rows) +
                 all_details;
  return section;
}

}  // namespace genomamba::report
