// SPDX-License-Identifier: MIT
#include "causal_pass.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "genomamba/core/nucleotide.hpp"
#include "genomamba/io/spill_file.hpp"
#include "genomamba/kernels/flush_denormals.hpp"

namespace genomamba::pipeline {
namespace {

/// A chunk between the model (serial, all cores inside) and the writers.
class ChunkItem final : public WorkItem {
 public:
  CausalChunk chunk;
  ScorePiece piece;  ///< the whole chunk is reported; segments are cut out when it is written
};

class PassRunner {
 public:
  PassRunner(ScoreRun& run, const CausalScorer& scorer, const CausalPass& pass,
             const WriteBlock& write)
      : run_(run), scorer_(scorer), pass_(pass), emitter_(run.options, run.counts, write) {
    if (pass.needs.reverse) reverse_.emplace();
  }

  void run() {
    if (pass_.needs.reverse) run_strand(true);
    if (pass_.needs.forward) {
      run_strand(false);
    } else {
      write_reverse();
    }
  }

 private:
  void run_strand(bool reverse) {
    CausalScorer::Stream stream = scorer_.begin_stream();
    ScoreScratch scratch;
    std::uint64_t position = reverse ? pass_.reverse_end : pass_.forward_begin;
    const auto read = [&]() -> std::unique_ptr<WorkItem> {
      const kernels::FlushDenormals flush;
      while (reverse ? position > pass_.begin() : position < pass_.end()) {
        auto item = std::make_unique<ChunkItem>();
        read_chunk(item->piece, position, reverse);
        position = reverse ? item->piece.begin : item->piece.end;
        const std::string_view letters = oriented_letters(item->piece, scratch.oriented);
        item->chunk = scorer_.advance(stream, letters, scratch, run_.runner.executor());
        if (has_segments(item->piece)) return item;
        run_.counts.n_tokens += letters.size();
      }
      return nullptr;
    };
    const auto compute = [this, reverse](WorkItem& work) {
      auto& item = static_cast<ChunkItem&>(work);
      item.piece.ln_p.resize(item.piece.n_positions() * kBases);
      run_.scratches.with(
          [&](ScoreScratch& mine) { scorer_.compute(item.chunk, mine.logits, item.piece.ln_p); });
      item.chunk = {};
      if (reverse) reverse_complement_ln_p(item.piece.ln_p);
      // A first base has no score; of a chunk it is an end of the pass.
      ScorePiece& piece = item.piece;
      piece.read_begin = pass_.forward_begin;
      piece.read_end = pass_.reverse_end;
      check_finite(piece, run_.reference.contigs()[pass_.contig].name);
      piece.read_begin = piece.begin;
      piece.read_end = piece.end;
    };
    const auto write = [this, reverse](WorkItem& work) {
      const ScorePiece& piece = static_cast<ChunkItem&>(work).piece;
      const std::uint64_t n = write_segments(piece, reverse);
      run_.report(n, piece.n_positions());
    };
    run_.runner.run(read, compute, write);
  }

  void read_chunk(ScorePiece& piece, std::uint64_t position, bool reverse) {
    const std::uint64_t n = run_.options.batch_tokens;
    piece.contig = pass_.contig;
    piece.reverse = reverse;
    piece.begin = reverse ? std::max(pass_.begin(), position - std::min(position, n)) : position;
    piece.end = reverse ? position : std::min(pass_.end(), position + n);
    piece.read_begin = piece.begin;
    piece.read_end = piece.end;
    const bool is_counted = !reverse || !pass_.needs.forward;
    run_.letters.read(piece, is_counted);
  }

  /// Calls `use` with each part of [begin, end) that is reported: segment, begin, end.
  template <typename Use>
  void for_segments(std::uint64_t begin, std::uint64_t end, const Use& use) const {
    auto segment =
        std::upper_bound(pass_.segments.begin(), pass_.segments.end(), begin,
                         [](std::uint64_t b, const PassSegment& s) { return b < s.end; });
    for (; segment != pass_.segments.end() && segment->begin < end; ++segment) {
      use(*segment, std::max(begin, segment->begin), std::min(end, segment->end));
    }
  }

  bool has_segments(const ScorePiece& piece) const {
    bool has = false;
    for_segments(piece.begin, piece.end,
                 [&](const PassSegment&, std::uint64_t, std::uint64_t) { has = true; });
    return has;
  }

  std::uint64_t write_segments(const ScorePiece& piece, bool reverse) {
    std::uint64_t n_positions = 0;
    for_segments(piece.begin, piece.end,
                 [&](const PassSegment& segment, std::uint64_t begin, std::uint64_t end) {
                   const auto first = static_cast<std::size_t>(begin - piece.begin);
                   const auto n = static_cast<std::size_t>(end - begin);
                   const auto ln_p =
                       std::span<const float>(piece.ln_p).subspan(first * kBases, n * kBases);
                   const std::uint64_t place = segment.offset + begin - segment.begin;
                   n_positions += n;
                   if (reverse) {
                     reverse_->write(place * kBases, ln_p);
                     return;
                   }
                   std::span<const float> other;
                   if (pass_.needs.reverse) {
                     other_.resize(n * kBases);
                     reverse_->read(place * kBases, other_);
                     other = other_;
                   }
                   emitter_.emit(segment.region, begin,
                                 std::string_view(piece.letters).substr(first, n), ln_p, other);
                 });
    return n_positions;
  }

  void write_reverse() {
    constexpr std::uint64_t kPiece = 1 << 14;
    std::string letters;
    for (const PassSegment& segment : pass_.segments) {
      for (std::uint64_t begin = segment.begin; begin < segment.end; begin += kPiece) {
        const std::uint64_t end = std::min(segment.end, begin + kPiece);
        run_.letters.read(pass_.contig, begin, end, {}, letters);
        other_.resize(letters.size() * kBases);
        reverse_->read((segment.offset + begin - segment.begin) * kBases, other_);
        emitter_.emit(segment.region, begin, letters, {}, other_);
      }
    }
  }

  ScoreRun& run_;
  const CausalScorer& scorer_;
  const CausalPass& pass_;
  BlockEmitter emitter_;
  std::optional<io::SpillFile> reverse_;  ///< ln P of the segments [positions, 4]
  std::vector<float> other_;
};

}  // namespace

void run_pass(ScoreRun& run, const CausalScorer& scorer, const CausalPass& pass,
              const WriteBlock& write) {
  PassRunner(run, scorer, pass, write).run();
}

}  // namespace genomamba::pipeline
