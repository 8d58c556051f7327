// SPDX-License-Identifier: MIT
// run_causal: short regions side by side, one a thread; long ones and shared passes chunk by chunk
// on all cores.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "causal_pass.hpp"
#include "causal_plan.hpp"
#include "genomamba/io/spill_file.hpp"
#include "score_run.hpp"

namespace genomamba::pipeline {
namespace {

/// Values of passes whose regions are not written in the order of the pass.
class ValueStore {
 public:
  ValueStore(const CausalPlan& plan, std::size_t n_columns) : plan_(plan), n_columns_(n_columns) {}

  WriteBlock writer(std::size_t stored_pass) {
    return [this, stored_pass](std::size_t segment, std::uint64_t begin, std::string_view,
                               std::span<const float> values) {
      const StoredPass& stored = plan_.stored[stored_pass];
      const PassSegment& part = stored.pass.segments[segment];
      file_.write((stored.offset + part.offset + begin - part.begin) * n_columns_, values);
    };
  }

  void read(std::size_t stored_pass, std::uint64_t begin, std::span<float> values) const {
    const StoredPass& stored = plan_.stored[stored_pass];
    const auto& segments = stored.pass.segments;
    const auto after =
        std::upper_bound(segments.begin(), segments.end(), begin,
                         [](std::uint64_t b, const PassSegment& s) { return b < s.begin; });
    const PassSegment& part = *std::prev(after);
    file_.read((stored.offset + part.offset + begin - part.begin) * n_columns_, values);
  }

 private:
  const CausalPlan& plan_;
  std::size_t n_columns_;
  io::SpillFile file_;
};

class CausalRun {
 public:
  CausalRun(ScoreRun& run, const WriteBlock& write)
      : run_(run),
        write_(write),
        scorer_(run.model),
        plan_(plan_causal(run)),
        emitter_(run.options, run.counts, write) {}

  void run() {
    if (!plan_.stored.empty()) store_passes();
    for (;;) {
      run_.runner.run([this] { return read_batch(); }, [this](WorkItem& item) { compute(item); },
                      [this](WorkItem& item) { write_batch(item); });
      if (next_ == plan_.steps.size()) return;
      const CausalStep& step = plan_.steps[next_++];
      if (step.kind == CausalStep::Kind::kPass) {
        run_pass(run_, scorer_, step.pass, write_);
      } else {
        write_stored(step.region);
      }
    }
  }

 private:
  void store_passes() {
    store_.emplace(plan_, ScoreValues(run_.options).n_columns());
    for (std::size_t i = 0; i < plan_.stored.size(); ++i) {
      run_pass(run_, scorer_, plan_.stored[i].pass, store_->writer(i));
    }
  }

  void write_stored(std::size_t region) {
    const io::Region& r = run_.regions[region];
    constexpr std::uint64_t kPiece = 1 << 16;
    std::string letters;
    std::vector<float> values;
    for (std::uint64_t begin = r.begin; begin < r.end; begin += kPiece) {
      const std::uint64_t end = std::min(r.end, begin + kPiece);
      run_.letters.read(r.contig, begin, end, {}, letters);
      values.resize(letters.size() * ScoreValues(run_.options).n_columns());
      store_->read(plan_.stored_pass_of[region], begin, values);
      write_(region, begin, letters, values);
    }
  }

  /// Short regions up to a batch of tokens; null at the end and before a step of another kind.
  std::unique_ptr<WorkItem> read_batch() {
    auto batch = std::make_unique<ScoreBatch>();
    std::size_t n_tokens = 0;
    while (next_ < plan_.steps.size() && n_tokens < run_.options.batch_tokens) {
      const CausalStep& step = plan_.steps[next_];
      if (step.kind != CausalStep::Kind::kPieces) break;
      ++next_;
      const CausalPass pass = single_pass(run_, step.region);
      for (const bool reverse : {false, true}) {
        if (reverse ? !pass.needs.reverse : !pass.needs.forward) continue;
        ScorePiece& piece = batch->pieces.emplace_back();
        piece.region = step.region;
        piece.contig = pass.contig;
        piece.reverse = reverse;
        piece.begin = pass.begin();
        piece.end = pass.end();
        piece.read_begin = reverse ? pass.begin() : pass.forward_begin;
        piece.read_end = reverse ? pass.reverse_end : pass.end();
        run_.letters.read(piece, !reverse || !pass.needs.forward);
        n_tokens += piece.n_read();
      }
    }
    if (batch->pieces.empty()) return nullptr;
    return batch;
  }

  void compute(WorkItem& item) {
    auto& pieces = static_cast<ScoreBatch&>(item).pieces;
    run_.scratches.with(
        [&](ScoreScratch& scratch) { scorer_.score(pieces, run_.options.batch_tokens, scratch); });
    for (const ScorePiece& piece : pieces)
      check_finite(piece, run_.contig_of(piece.region).name);
  }

  void write_batch(WorkItem& item) {
    for (const ScorePiece& piece : static_cast<ScoreBatch&>(item).pieces) {
      const StrandNeeds needs =
          strand_needs(run_.options, run_.model.model.config(), run_.regions[piece.region]);
      emitter_.add(piece, needs.both());
      run_.report(piece.n_positions(), piece.n_tokens);
    }
  }

  ScoreRun& run_;
  const WriteBlock& write_;
  CausalScorer scorer_;
  CausalPlan plan_;
  BlockEmitter emitter_;
  std::optional<ValueStore> store_;
  std::size_t next_ = 0;
};

}  // namespace

void run_causal(ScoreRun& run, const WriteBlock& write) {
  CausalRun(run, write).run();
}

}  // namespace genomamba::pipeline
