// SPDX-License-Identifier: MIT
#include "score/outputs.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "genomamba/core/error.hpp"
#include "genomamba/io/output_file.hpp"

namespace genomamba::apps::score {
namespace {

constexpr std::string_view kScore = "{score}";

bool is_special_file(const std::string& path) {
  struct stat info {};
  return path == "-" ||
         (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode));
}

/// `endings` are lower case; the name's case is ignored.
void check_extension(const std::string& option, const std::string& path,
                     std::initializer_list<std::string_view> endings) {
  if (path.empty() || is_special_file(path)) return;
  std::string name = path.substr(path.rfind('/') + 1);
  for (char& c : name)
    c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  if (name.find('.') == std::string::npos || name.rfind('.') == 0) return;
  std::string list;
  for (const std::string_view ending : endings) {
    if (name.ends_with(ending)) return;
    list += (list.empty() ? "" : ", ") + std::string(ending);
  }
  throw UsageError(option + " " + path + ": unknown extension (" + list + ")");
}

std::string with_score(std::string path, const std::string& score) {
  for (std::size_t at = path.find(kScore); at != std::string::npos;
       at = path.find(kScore, at + score.size())) {
    path.replace(at, kScore.size(), score);
  }
  return path;
}

/// Names of the track files, one a column.
std::vector<std::string> track_paths(const std::string& option, const std::string& path,
                                     const std::vector<std::string>& columns) {
  if (path.empty()) return {};
  if (columns.size() > 1 && path.find(kScore) == std::string::npos) {
    throw UsageError(option + " " + path + ": " + std::to_string(columns.size()) +
                     " scores need {score} in the name, e.g. track.{score}.bw");
  }
  std::vector<std::string> paths;
  for (const std::string& column : columns)
    paths.push_back(with_score(path, column));
  return paths;
}

std::vector<std::string> all_paths(const Options& options) {
  const auto columns = pipeline::score_columns(options.score);
  std::vector<std::string> paths = track_paths("--bedgraph", options.bedgraph, columns);
  const auto bigwigs = track_paths("--bigwig", options.bigwig, columns);
  paths.insert(paths.end(), bigwigs.begin(), bigwigs.end());
  for (const std::string* path : {&options.tsv, &options.npy}) {
    if (!path->empty()) paths.push_back(*path);
  }
  return paths;
}

}  // namespace

void check_output_names(const Options& options, const std::vector<std::string>& inputs) {
  check_extension("--tsv", options.tsv, {".tsv", ".tsv.gz", ".tsv.bgz"});
  check_extension("--bedgraph", options.bedgraph,
                  {".bedgraph", ".bedgraph.gz", ".bg", ".bg.gz", ".bdg", ".bdg.gz"});
  check_extension("--bigwig", options.bigwig, {".bw", ".bigwig"});
  check_extension("--npy", options.npy, {".npy"});
  std::vector<std::string> paths = all_paths(options);
  for (const std::string& path : paths) {
    if (path == "-") continue;
    for (const std::string& input : inputs) {
      if (input != "-" && io::is_same_file(input, path)) {
        throw UsageError(path + ": is an input and an output at once");
      }
    }
  }
  std::sort(paths.begin(), paths.end());
  const auto twice = std::adjacent_find(paths.begin(), paths.end());
  if (twice != paths.end()) throw UsageError(*twice + ": is named for two outputs");
}

Outputs::Outputs(const Options& options, const io::ReferenceReader& reference,
                 const std::vector<std::string>& provenance, LogSink& log) {
  const auto columns = pipeline::score_columns(options.score);
  io::ScoreWriterOptions writer{.path = {},
                                .columns = columns,
                                .contigs = &reference.contigs(),
                                .precision = options.precision,
                                .provenance = provenance,
                                .log = &log};
  const auto add_table = [&](const std::string& path, auto make) {
    if (path.empty()) return;
    writer.path = path;
    auto table = make(writer);
    all_.tables.push_back(table.get());
    files_.push_back(std::move(table));
  };
  add_table(options.tsv, io::make_score_tsv);
  add_table(options.npy, io::make_score_npy);
  const auto add_tracks = [&](const std::string& option, const std::string& path, auto make) {
    const auto paths = track_paths(option, path, columns);
    for (std::size_t c = 0; c < paths.size(); ++c) {
      writer.path = paths[c];
      writer.columns = {columns[c]};
      auto track = make(writer);
      all_.tracks.push_back({c, track.get()});
      files_.push_back(std::move(track));
    }
  };
  add_tracks("--bedgraph", options.bedgraph, io::make_bedgraph);
  add_tracks("--bigwig", options.bigwig, io::make_bigwig);
}

void Outputs::finish() {
  for (const auto& file : files_)
    file->finish_writing();
  for (const auto& file : files_)
    file->commit();
}

}  // namespace genomamba::apps::score
