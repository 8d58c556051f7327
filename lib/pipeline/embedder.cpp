// SPDX-License-Identifier: MIT
#include "embedder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "genomamba/core/error.hpp"
#include "genomamba/pipeline/embed_pipeline.hpp"
#include "job_source.hpp"

namespace genomamba::pipeline {
namespace {

std::string printable(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte > 0x20 && byte < 0x7f ? fmt::format("'{}'", c) : fmt::format("byte 0x{:02x}", byte);
}

[[noreturn]] void throw_bad_letter(const EmbedJob::Mate& mate, std::size_t position) {
  throw InputError(mate.path, io::describe(mate.record),
                   fmt::format("{} at base {} is not a nucleotide letter",
                               printable(mate.record.sequence[position]), position + 1));
}

}  // namespace

Embedder::Embedder(const EmbedOptions& options, const LoadedModel& model)
    : options_(options),
      model_(model),
      orientations_(needed_orientations(model.model.config(), options.strand)),
      hidden_width_(model.model.config().hidden_width()),
      output_width_(embedding_width(model.model.config(), options.strand)) {
  if (options.special_tokens) {
    prefix_ = model.tokenizer.prefix();
    suffix_ = model.tokenizer.suffix();
  }
}

void Embedder::embed(std::span<EmbedJob> jobs, EmbedScratch& scratch, Executor& executor) const {
  std::vector<JobSinks> sinks;
  std::vector<Piece> pieces;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    check_letters(jobs[j]);
    make_rows(jobs[j]);
    sinks.push_back(make_sinks(jobs[j]));
    const auto planned = plan_job(jobs[j], j, options_, orientations_);
    pieces.insert(pieces.end(), planned.begin(), planned.end());
  }
  const std::span<const Piece> all = pieces;
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin + 1;
    std::size_t n_tokens = n_piece_tokens(all[begin]);
    const bool is_long = n_tokens > options_.batch_tokens && model_.model.config().is_causal();
    if (is_long) {
      const std::size_t j = all[begin].job;
      run_chunks(all[begin], jobs[j], sinks[j], scratch, executor);
    } else {
      for (; end < all.size(); ++end) {
        n_tokens += n_piece_tokens(all[end]);
        if (n_tokens > options_.batch_tokens) break;
      }
      run_group(all.subspan(begin, end - begin), jobs, sinks, scratch, executor);
    }
    begin = end;
  }
  for (std::size_t j = 0; j < jobs.size(); ++j)
    finish(jobs[j], sinks[j]);
}

void Embedder::restore(std::span<EmbedJob> jobs) const {
  for (EmbedJob& job : jobs) {
    check_letters(job);
    make_rows(job);
    if (job.values.size() != count_vectors(job) * output_width_)
      throw Error(job.where() + ": the --resume file has vectors of another record");
  }
}

void Embedder::check_letters(EmbedJob& job) const {
  for (EmbedJob::Mate& mate : job.mates) {
    const LetterCheck check = normalize_letters(mate.record.sequence, options_.letters);
    if (check.bad_position) throw_bad_letter(mate, *check.bad_position);
    job.n_iupac += check.counts.n_iupac;
    job.n_uracil += check.counts.n_uracil;
  }
}

void Embedder::make_rows(EmbedJob& job) const {
  const io::SequenceRecord& first = job.mates.front().record;
  io::EmbeddingRow row;
  row.id = options_.pairing == Pairing::kSingle ? first.id : pair_name(first.id);
  row.comment = first.comment;
  row.strand = to_string(options_.strand);
  job.rows.clear();
  if (options_.rows == RowsPer::kWindow && job.n_bases() > 0) {
    for (const EmbedJob::Mate& mate : job.mates) {
      row.length = mate.record.sequence.size();
      for (const Window& window : make_windows(row.length, options_.window, options_.overlap)) {
        row.start = mate.record.origin + window.start;
        row.end = mate.record.origin + window.end;
        row.n_tokens = window.end - window.start;
        row.n_windows = 1;
        job.rows.push_back(row);
      }
    }
    return;
  }
  row.length = row.n_tokens = job.n_bases();
  row.start = first.origin;
  row.end = first.origin + row.length;
  for (const EmbedJob::Mate& mate : job.mates) {
    row.n_windows +=
        make_windows(mate.record.sequence.size(), options_.window, options_.overlap).size();
  }
  job.rows.push_back(row);
}

Embedder::JobSinks Embedder::make_sinks(const EmbedJob& job) const {
  JobSinks sinks;
  for (const io::EmbeddingRow& row : job.rows) {
    if (orientations_.forward) {
      sinks.forward.emplace_back(options_.pool, hidden_width_, row.n_tokens);
    }
    if (orientations_.reverse) {
      sinks.reverse.emplace_back(options_.pool, hidden_width_, row.n_tokens);
    }
  }
  std::size_t begin = 0;
  for (const EmbedJob::Mate& mate : job.mates) {
    sinks.mate_begin.push_back(begin);
    begin += mate.record.sequence.size();
  }
  return sinks;
}

std::size_t Embedder::n_piece_tokens(const Piece& piece) const noexcept {
  return prefix_.size() + (piece.window.end - piece.window.start) + suffix_.size();
}

/// Tokens [begin, begin + tokens.size()) of the piece: prefix, letters in the piece's orientation,
/// suffix.
void Embedder::fill_tokens(const Piece& piece, const EmbedJob& job, std::size_t begin,
                           std::span<TokenId> tokens) const {
  const std::string& sequence = job.mates[piece.mate].record.sequence;
  const std::size_t n_letters = piece.window.end - piece.window.start;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::size_t position = begin + i;
    if (position < prefix_.size()) {
      tokens[i] = prefix_[position];
    } else if (position >= prefix_.size() + n_letters) {
      tokens[i] = suffix_[position - prefix_.size() - n_letters];
    } else {
      const std::size_t base = piece.window.start + position - prefix_.size();
      tokens[i] = model_.tokenizer.token(
          piece.reverse ? complement(sequence[sequence.size() - 1 - base]) : sequence[base]);
    }
  }
}

/// The same tokens' tracks: none at the special tokens. Forward pieces alone.
void Embedder::fill_tracks(const Piece& piece, const EmbedJob& job, std::size_t begin,
                           std::span<std::uint8_t> tracks) const {
  const std::vector<std::uint8_t>& source = job.mates[piece.mate].tracks;
  const std::size_t letters_begin = prefix_.size();
  const std::size_t letters_end = letters_begin + piece.window.end - piece.window.start;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const std::size_t position = begin + i;
    const bool is_letter = position >= letters_begin && position < letters_end;
    tracks[i] = is_letter ? source[piece.window.start + position - letters_begin] : std::uint8_t{0};
  }
}

void Embedder::run_group(std::span<const Piece> pieces, std::span<EmbedJob> jobs,
                         std::vector<JobSinks>& sinks, EmbedScratch& scratch,
                         Executor& executor) const {
  scratch.segments.clear();
  std::size_t n_tokens = 0;
  for (const Piece& piece : pieces) {
    scratch.segments.push_back({n_tokens, n_piece_tokens(piece), nullptr});
    n_tokens += n_piece_tokens(piece);
  }
  scratch.tokens.resize(n_tokens);
  scratch.tracks.resize(options_.tracks != nullptr ? n_tokens : 0);
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const model::Segment& segment = scratch.segments[p];
    const EmbedJob& job = jobs[pieces[p].job];
    fill_tokens(pieces[p], job, 0,
                std::span(scratch.tokens).subspan(segment.begin, segment.length));
    if (scratch.tracks.empty()) continue;
    fill_tracks(pieces[p], job, 0,
                std::span(scratch.tracks).subspan(segment.begin, segment.length));
  }
  scratch.hidden.resize_discard(n_tokens * hidden_width_);
  const Span2d<float> hidden(scratch.hidden.data(), n_tokens, hidden_width_);
  model_.model.forward({scratch.tokens, scratch.segments, scratch.tracks}, options_.layer,
                       scratch.workspace, hidden, executor);
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const model::Segment& segment = scratch.segments[p];
    const std::size_t j = pieces[p].job;
    take(pieces[p], jobs[j], 0, hidden.row_block(segment.begin, segment.length), sinks[j]);
    jobs[j].n_tokens_computed += segment.length;
  }
}

/// A causal piece longer than a batch: chunk after chunk, the state carried exactly.
void Embedder::run_chunks(const Piece& piece, EmbedJob& job, JobSinks& sinks, EmbedScratch& scratch,
                          Executor& executor) const {
  model::MambaState state = model_.model.make_state();
  const std::size_t total = n_piece_tokens(piece);
  const std::size_t chunk = options_.batch_tokens;
  for (std::size_t begin = 0; begin < total; begin += chunk) {
    const std::size_t n = std::min(chunk, total - begin);
    scratch.tokens.resize(n);
    fill_tokens(piece, job, begin, scratch.tokens);
    scratch.tracks.resize(options_.tracks != nullptr ? n : 0);
    fill_tracks(piece, job, begin, scratch.tracks);
    scratch.segments.assign(1, {0, n, &state});
    scratch.hidden.resize_discard(n * hidden_width_);
    const Span2d<float> hidden(scratch.hidden.data(), n, hidden_width_);
    model_.model.forward({scratch.tokens, scratch.segments, scratch.tracks}, options_.layer,
                         scratch.workspace, hidden, executor);
    take(piece, job, begin, hidden, sinks);
    job.n_tokens_computed += n;
  }
}

/// Gives to the sinks those of the piece's tokens [begin, begin + hidden.rows()) that are pooled.
void Embedder::take(const Piece& piece, const EmbedJob& job, std::size_t begin,
                    Span2d<const float> hidden, JobSinks& sinks) const {
  const EmbedJob::Mate& mate = job.mates[piece.mate];
  const std::size_t pooled_begin = prefix_.size() + piece.window.new_begin - piece.window.start;
  const std::size_t pooled_end = prefix_.size() + piece.window.end - piece.window.start;
  const std::size_t from = std::max(begin, pooled_begin);
  const std::size_t to = std::min(begin + hidden.rows(), pooled_end);
  if (from >= to) return;
  const auto rows = hidden.row_block(from - begin, to - from);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (all_finite(rows.row(i))) continue;
    throw Error(fmt::format("{}: {}: the model's output is not finite at token {}", mate.path,
                            io::describe(mate.record), from + i - prefix_.size() + 1));
  }
  const std::size_t position = piece.window.start + from - prefix_.size();
  std::size_t first = piece.reverse ? mate.record.sequence.size() - 1 - position : position;
  if (options_.rows == RowsPer::kWindow) {
    first -= job.rows[piece.row].start - mate.record.origin;
  } else {
    first += sinks.mate_begin[piece.mate];
  }
  auto& side = piece.reverse ? sinks.reverse : sinks.forward;
  side[piece.row].add(rows, first, piece.reverse);
}

/// Sets what each row's vectors are; returns how many they are in all.
std::size_t Embedder::count_vectors(EmbedJob& job) const {
  std::size_t n_vectors = 0;
  for (io::EmbeddingRow& row : job.rows) {
    row.n_vectors = options_.pool == Pool::kNone && row.n_tokens > 0 ? row.n_tokens : 1;
    n_vectors += row.n_vectors;
    if (row.n_tokens == 0) row.status = "empty";
  }
  return n_vectors;
}

void Embedder::finish(EmbedJob& job, const JobSinks& sinks) const {
  const bool every_token = options_.pool == Pool::kNone;
  std::vector<float> forward(orientations_.forward ? hidden_width_ : 0);
  std::vector<float> reverse(orientations_.reverse ? hidden_width_ : 0);
  job.values.assign(count_vectors(job) * output_width_, std::numeric_limits<float>::quiet_NaN());
  std::span<float> out = job.values;
  const auto& config = model_.model.config();
  for (std::size_t r = 0; r < job.rows.size(); ++r) {
    for (std::size_t v = 0; v < job.rows[r].n_vectors; ++v, out = out.subspan(output_width_)) {
      if (job.rows[r].n_tokens == 0) continue;
      std::span<const float> forward_view = forward;
      std::span<const float> reverse_view = reverse;
      if (every_token) {
        if (orientations_.forward) forward_view = sinks.forward[r].vector(v);
        if (orientations_.reverse) reverse_view = sinks.reverse[r].vector(v);
      } else {
        if (orientations_.forward) sinks.forward[r].pooling().result(forward);
        if (orientations_.reverse) sinks.reverse[r].pooling().result(reverse);
      }
      make_strand_vector(config, options_.strand, forward_view, reverse_view,
                         out.first(output_width_));
    }
  }
}

}  // namespace genomamba::pipeline
