// SPDX-License-Identifier: MIT
#include "genomamba/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "embedding_section.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/core/version.hpp"
#include "genomamba/io/embedding_writer.hpp"
#include "html.hpp"
#include "input_kind.hpp"
#include "page_assets.hpp"
#include "run_section.hpp"
#include "score_reader.hpp"
#include "score_section.hpp"
#include "text.hpp"
#include "variant_section.hpp"

namespace genomamba::report {
namespace {

/// What keeps a page below 3 MB: marks of all scatters, packed values of all tracks.
constexpr std::size_t kMostPoints = 6000;
constexpr std::size_t kMostTrackBytes = 1'000'000;
constexpr std::size_t kMostTracks = 24;

struct Inputs {
  std::vector<std::string> embeddings;
  std::vector<std::string> row_tables;
  std::vector<std::pair<std::string, InputKind>> scores;
  std::vector<std::string> variants;
  std::vector<std::string> runs;
};

Inputs sort_inputs(const std::vector<std::string>& paths) {
  Inputs inputs;
  for (const std::string& path : paths) {
    const InputKind kind = recognise(path);
    switch (kind) {
      case InputKind::kEmbedding:
        inputs.embeddings.push_back(path);
        break;
      case InputKind::kRowTable:
        inputs.row_tables.push_back(path);
        break;
      case InputKind::kVcf:
        inputs.variants.push_back(path);
        break;
      case InputKind::kRunReport:
        inputs.runs.push_back(path);
        break;
      default:
        inputs.scores.emplace_back(path, kind);
        break;
    }
  }
  for (const std::string& table : inputs.row_tables) {
    const bool has_matrix =
        std::any_of(inputs.embeddings.begin(), inputs.embeddings.end(),
                    [&](const std::string& path) { return io::row_table_path(path) == table; });
    if (!has_matrix)
      throw InputError(table, "", "is the row table of an embedding: give its .npy as well");
  }
  return inputs;
}

/// The hexadecimal digest as the Content-Security-Policy wants it.
std::string digest_base64(std::string_view hexadecimal) {
  const auto digit = [](char c) {
    return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
  };
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < hexadecimal.size(); i += 2)
    bytes.push_back(
        static_cast<std::uint8_t>(digit(hexadecimal[i]) << 4 | digit(hexadecimal[i + 1])));
  return base64(bytes);
}

std::string page(const ReportOptions& options, const std::vector<Section>& sections) {
  std::string body;
  std::string navigation;
  for (const Section& section : sections) {
    const std::string heading = escaped(shortened(section.heading, 200));
    navigation += fmt::format("<li><a href=\"#{}\">{}</a></li>", section.id, heading);
    body += fmt::format(
        "<section id=\"{0}\" aria-labelledby=\"{0}-h\"><h2 id=\"{0}-h\">{1}</h2>\n{2}</section>\n",
        section.id, heading, section.html);
  }
  // Only this script runs and nothing is fetched, whatever names of records and files say.
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'sha256-{0}'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>{1}</title>\n<style>{2}{3}</style></head>\n<body>"
      "<a class=\"skip\" href=\"#main\">To the content</a>\n<header><h1>{1}</h1>"
      "<nav aria-label=\"Sections\"><ul>{4}</ul></nav></header>\n"
      "<main id=\"main\" tabindex=\"-1\">\n{5}</main>\n<footer><p>Made by genomamba {6} report. "
      "Nothing on this page comes from the network.</p></footer>\n"
      "<div id=\"tip\" role=\"status\" aria-live=\"polite\" hidden></div>\n"
      "<script>{7}</script></body></html>\n",
      digest_base64(kPageJsSha256), escaped(options.title), kFigureCss, kPageCss, navigation, body,
      kVersion, kPageJs);
}

class ReportMaker {
 public:
  explicit ReportMaker(const ReportOptions& options)
      : options_(options), inputs_(sort_inputs(options.inputs)) {}

  Report make() {
    add_embeddings();
    add_scores();
    for (const std::string& path : inputs_.variants)
      sections_.push_back(variant_section(path, next_id("variants"), places_));
    if (!inputs_.runs.empty()) sections_.push_back(run_section(inputs_.runs, next_id("runs")));
    Report report;
    report.html = page(options_, sections_);
    for (const Section& section : sections_) {
      for (const Figure& figure : section.figures) {
        report.figures.push_back(
            {fmt::format("{:02}-{}.svg", report.figures.size() + 1, figure.name),
             svg_file(figure)});
      }
    }
    return report;
  }

 private:
  std::string next_id(std::string_view kind) {
    return fmt::format("{}-{}", kind, sections_.size() + 1);
  }

  void add_embeddings() {
    const std::size_t n = std::max<std::size_t>(inputs_.embeddings.size(), 1);
    const std::size_t n_points = kMostPoints / n;
    for (const std::string& path : inputs_.embeddings)
      sections_.push_back(embedding_section(path, next_id("embedding"), options_, n_points));
    if (!inputs_.embeddings.empty()) return;
    for (const auto& [name, value] :
         {std::pair<const char*, bool>{"--labels", !options_.labels.empty()},
          {"--color-by", !options_.color_by.empty()},
          {"--sequences", !options_.sequences.empty()}}) {
      if (value) throw UsageError(fmt::format("{} needs an embedding among the inputs", name));
    }
  }

  void add_scores() {
    std::vector<ScoreFile> files;
    std::size_t n_tracks = 0;
    for (const auto& [path, kind] : inputs_.scores) {
      ScoreFile& file = files.emplace_back(read_scores(path, kind, options_));
      const std::size_t room = kMostTracks - n_tracks;
      if (file.tracks.size() > room) {
        file.remarks.push_back(fmt::format("{} of {} tracks are shown: a page holds {}.", room,
                                           file.tracks.size(), kMostTracks));
        file.tracks.resize(room);
      }
      n_tracks += file.tracks.size();
    }
    if (n_tracks == 0 && !options_.regions.empty()) {
      throw UsageError(fmt::format("-r {}: no score file among the inputs has values there",
                                   options_.regions.front()));
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
      const auto& [path, kind] = inputs_.scores[i];
      sections_.push_back(
          score_section(path, kind, std::move(files[i]), next_id("scores"), options_,
                        kMostTrackBytes / std::max<std::size_t>(n_tracks, 1), places_));
    }
  }

  const ReportOptions& options_;
  Inputs inputs_;
  std::vector<TrackPlace> places_;
  std::vector<Section> sections_;
};

}  // namespace

Report make_report(const ReportOptions& options) {
  return ReportMaker(options).make();
}

}  // namespace genomamba::report
