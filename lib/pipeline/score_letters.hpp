// SPDX-License-Identifier: MIT
// ScoreLetters: reference letters as the models read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "genomamba/core/nucleotide.hpp"
#include "genomamba/io/reference_reader.hpp"
#include "score_piece.hpp"

namespace genomamba::pipeline {

/// One thread at a time.
class ScoreLetters {
 public:
  ScoreLetters(io::ReferenceReader& reference, LetterPolicy policy)
      : reference_(reference), policy_(policy) {}

  /// Positions whose letters are counted; of a piece, those it reports.
  struct Counted {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  /// Letters of [begin, end) under the letter policy. Throws InputError naming contig and position
  /// of a bad letter.
  void read(std::size_t contig, std::uint64_t begin, std::uint64_t end, Counted counted,
            std::string& letters);
  /// The read range of a piece. `is_counted`: false for the second strand of the same positions.
  void read(ScorePiece& piece, bool is_counted) {
    read(piece.contig, piece.read_begin, piece.read_end,
         is_counted ? Counted{piece.begin, piece.end} : Counted{}, piece.letters);
  }

  /// Of all counted positions so far.
  const LetterCounts& counts() const noexcept { return counts_; }

 private:
  void count(std::string_view letters);

  io::ReferenceReader& reference_;
  LetterPolicy policy_;
  LetterCounts counts_;
};

}  // namespace genomamba::pipeline
