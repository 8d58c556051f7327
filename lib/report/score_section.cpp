// SPDX-License-Identifier: MIT
#include "score_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "genomamba/io/reference_reader.hpp"
#include "text.hpp"
#include "track_figure.hpp"

namespace genomamba::report {
namespace {

constexpr std::size_t kMostDips = 20;

/// What a low value says, for the scores whose meaning is known.
std::string_view meaning_of(std::string_view score) {
  if (score.starts_with("logp"))
    return "logp is the natural logarithm of the probability that the model gave the reference "
           "base: a dip is a stretch that the model did not expect.";
  if (score.starts_with("entropy"))
    return "entropy (bits, at most 2) is how undecided the model was between A, C, G and T: a dip "
           "is a stretch that it was sure of.";
  return {};
}

/// Lines for IGV: a custom track, and a session that opens the file as it stands beside the page.
std::string igv_html(const std::string& path, const Track* first) {
  std::string name(file_name(path));
  std::erase(name, '"');  // it would end the name in the track line
  std::string html =
      copy_block_html("Track line (IGV, UCSC); bigDataUrl is the file's name",
                      fmt::format("track type=bigWig name=\"{0}\" description=\"genomamba score\" "
                                  "bigDataUrl=\"{0}\" visibility=full autoScale=on",
                                  name));
  const std::string locus = first == nullptr ? "" : first->locus();
  html += copy_block_html(
      "IGV session: save as .xml beside the bigWig; set genome to the FASTA that was scored",
      fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<Session genome=\"REFERENCE.fa\" locus=\"{}\" version=\"8\">\n"
                  "  <Resources>\n    <Resource path=\"{}\"/>\n  </Resources>\n</Session>",
                  escaped(locus), escaped(name)));
  return html;
}

class ScoreReport {
 public:
  ScoreReport(const ReportOptions& options, std::size_t most_bytes, std::vector<TrackPlace>& places,
              Section& section)
      : options_(options), most_bytes_(most_bytes), places_(places), section_(section) {
    if (!options.reference.empty()) {
      LogSink& log = options.log == nullptr ? silent_log() : *options.log;
      reference_.emplace(options.reference, "", log);
    }
  }

  void add(Track& track, std::size_t number) {
    add_letters(track);
    const std::size_t window =
        std::clamp<std::size_t>(options_.smooth, 1, std::max<std::size_t>(track.values.size(), 1));
    const std::vector<double> means = running_mean(track.values, window);
    const Dips dips = find_dips(track, means);
    Figure figure = track_figure(track, means, dips, window);
    figure.name = fmt::format("{}-{}-{}", slug(file_name(track.source)), slug(track.score),
                              slug(track.locus()));
    const std::string id = fmt::format("{}-track-{}", section_.id, number);
    section_.html += track_html(track, figure, id, dips, window, most_bytes_);
    if (const std::size_t step = packed_step(track, most_bytes_); step > 1) {
      section_.html += paragraph_html(fmt::format(
          "This region is long: the page holds means of {} positions, no single bases. -r with a "
          "part of it shows them.",
          step));
    }
    add_dips(track, dips, id);
    places_.push_back({track.contig, track.begin, track.end(), id});
    section_.figures.push_back(std::move(figure));
  }

 private:
  void add_letters(Track& track) {
    if (!track.letters.empty() || !reference_) return;
    const auto contig = reference_->find(track.contig);
    if (!contig || track.end() > reference_->contigs()[*contig].length) return;
    reference_->read(*contig, track.begin, track.end(), track.letters);
  }

  void add_dips(const Track& track, const Dips& dips, const std::string& id) {
    if (dips.dips.empty()) {
      section_.html +=
          paragraph_html("No dips: the running mean nowhere falls far below its median.");
      return;
    }
    std::vector<std::vector<Cell>> rows;
    for (const Dip& dip : dips.dips) {
      if (rows.size() == kMostDips) break;
      const std::string locus = fmt::format("{}:{}-{}", track.contig, dip.begin + 1, dip.end);
      rows.push_back({{.text = locus, .link = "#" + id, .locus = locus},
                      {.text = fmt::format("{}", dip.end - dip.begin)},
                      {.text = fmt::format("{:.4f}", dip.lowest)},
                      {.text = fmt::format("{}", dip.lowest_at + 1)}});
    }
    const std::string shown = dips.dips.size() > kMostDips
                                  ? fmt::format("the {} deepest of {}", kMostDips, dips.dips.size())
                                  : fmt::format("all {}", dips.dips.size());
    section_.html += table_html(
        fmt::format("Dips of {} on {}, {}: running mean below {:.4f} (median {:.4f} - 3 robust "
                    "standard deviations); positions are 1-based",
                    track.score, shortened(track.contig, 60), shown, dips.threshold, dips.median),
        {"region", "positions", "lowest mean", "lowest at"}, "lrrr", rows);
  }

  const ReportOptions& options_;
  std::size_t most_bytes_;
  std::vector<TrackPlace>& places_;
  Section& section_;
  std::optional<io::ReferenceReader> reference_;
};

}  // namespace

Section score_section(const std::string& path, InputKind kind, ScoreFile file,
                      const std::string& id, const ReportOptions& options, std::size_t most_bytes,
                      std::vector<TrackPlace>& places) {
  Section section;
  section.id = id;
  section.heading = fmt::format("Scores: {}", file_name(path));
  section.html = facts_html(provenance_facts(file.provenance));
  for (const std::string& remark : file.remarks)
    section.html += paragraph_html(remark);
  if (file.tracks.empty()) section.html += paragraph_html("No values to show.");
  std::string last_meaning;
  for (const Track& track : file.tracks) {
    const std::string meaning(meaning_of(track.score));
    if (meaning.empty() || last_meaning.find(meaning) != std::string::npos) continue;
    section.html += paragraph_html(meaning);
    last_meaning += meaning;
  }
  ScoreReport report(options, most_bytes, places, section);
  for (std::size_t i = 0; i < file.tracks.size(); ++i)
    report.add(file.tracks[i], i + 1);
  if (kind == InputKind::kBigWig)
    section.html += igv_html(path, file.tracks.empty() ? nullptr : &file.tracks.front());
  return section;
}

}  // namespace genomamba::report
