// SPDX-License-Identifier: MIT
#include "track_collector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace genomamba::report {
namespace {

constexpr std::size_t kMostRegions = 8;
constexpr std::uint64_t kMostPositions = 2'000'000;
constexpr std::uint64_t kWidestGap = 100;
/// Positions past the part that is shown that are read to find the next region.
constexpr std::uint64_t kMostSkipped = 20'000'000;

}  // namespace

TrackCollector::TrackCollector(std::string source, std::vector<std::string> scores,
                               std::vector<io::NamedRegion> regions)
    : source_(std::move(source)), scores_(std::move(scores)), regions_(std::move(regions)) {
  for (const io::NamedRegion& region : regions_)
    start(region.contig, region.begin, "");
}

void TrackCollector::start(std::string_view contig, std::uint64_t begin, std::string_view region) {
  for (const std::string& score : scores_) {
    Track track;
    track.source = source_;
    track.score = score;
    track.contig = contig;
    track.region = region;
    track.begin = begin;
    tracks_.push_back(std::move(track));
  }
}

void TrackCollector::put(std::size_t group, std::uint64_t begin, std::uint64_t end, char letter,
                         std::span<const float> values) {
  Track* const tracks = tracks_.data() + group * scores_.size();
  const std::uint64_t limit = tracks->begin + kMostPositions;
  if (end > limit) is_cut_ = true;
  end = std::min(end, limit);
  begin = std::max(begin, tracks->begin);
  if (begin >= end) return;
  const auto first = static_cast<std::size_t>(begin - tracks->begin);
  const auto last = static_cast<std::size_t>(end - tracks->begin);
  for (std::size_t i = 0; i < scores_.size(); ++i) {
    Track& track = tracks[i];
    if (track.values.size() < last) {
      track.values.resize(last, std::numeric_limits<float>::quiet_NaN());
      track.letters.resize(last, '\0');
    }
    for (std::size_t at = first; at < last; ++at) {
      // Of several regions that hold a position the first counts.
      if (std::isnan(track.values[at])) track.values[at] = values[i];
      if (track.letters[at] == '\0') track.letters[at] = letter;
    }
  }
}

bool TrackCollector::take_next(std::string_view contig, std::uint64_t begin, std::uint64_t end,
                               std::string_view region, char letter,
                               std::span<const float> values) {
  const Track* const last = tracks_.empty() ? nullptr : &tracks_.back();
  const bool continues = last != nullptr && last->contig == contig && last->region == region &&
                         begin >= last->begin &&
                         (!region.empty() || begin <= reached_ + kWidestGap);
  reached_ = end;
  if (continues && begin >= last->begin + kMostPositions) {
    is_cut_ = true;
    n_skipped_ += end - begin;
    has_more_ = n_skipped_ > kMostSkipped;
    return !has_more_;
  }
  if (!continues) {
    if (tracks_.size() == kMostRegions * scores_.size()) {
      has_more_ = true;
      return false;
    }
    start(contig, begin, region);
  }
  put(tracks_.size() / scores_.size() - 1, begin, end, letter, values);
  return true;
}

bool TrackCollector::take(std::string_view contig, std::uint64_t begin, std::uint64_t end,
                          std::string_view region, char letter, std::span<const float> values) {
  if (regions_.empty()) return take_next(contig, begin, end, region, letter, values);
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    const io::NamedRegion& wanted = regions_[i];
    if (wanted.contig != contig || begin >= wanted.end || end <= wanted.begin) continue;
    put(i, std::max(begin, wanted.begin), std::min(end, wanted.end), letter, values);
  }
  return true;
}

std::vector<Track> TrackCollector::finish(std::vector<std::string>& remarks) {
  for (const Track& track : tracks_) {
    if (track.values.empty() && track.score == scores_.front())
      remarks.push_back(fmt::format("There are no values in the region on {}.", track.contig));
  }
  std::erase_if(tracks_, [](const Track& track) {
    return std::all_of(track.values.begin(), track.values.end(),
                       [](float value) { return std::isnan(value); });
  });
  for (Track& track : tracks_) {
    const bool has_letters =
        std::any_of(track.letters.begin(), track.letters.end(), [](char c) { return c != '\0'; });
    if (has_letters) {
      std::replace(track.letters.begin(), track.letters.end(), '\0', ' ');
    } else {
      track.letters.clear();
    }
  }
  if (is_cut_) {
    remarks.push_back(
        fmt::format("Regions are shown up to {} positions from their start; -r chooses parts.",
                    kMostPositions));
  }
  if (has_more_) {
    remarks.push_back(fmt::format(
        "The first {} regions are shown, the file holds more; -r chooses.", kMostRegions));
  }
  return std::move(tracks_);
}

}  // namespace genomamba::report
