// SPDX-License-Identifier: MIT
#include "batch_plan.hpp"

namespace genomamba::pipeline {
namespace {

/// Windows of a reversed sequence run over the same cuts, so that a row a window means the same
/// bases on both strands.
Window mirrored(const Window& window, std::size_t length) {
  return {length - window.end, length - window.start, length - window.end};
}

void plan_orientation(const std::vector<Window>& windows, Piece piece, std::size_t length,
                      bool row_per_window, std::size_t first_row, std::vector<Piece>& pieces) {
  for (std::size_t w = 0; w < windows.size(); ++w) {
    piece.row = row_per_window ? first_row + w : 0;
    piece.window = windows[w];
    if (row_per_window) {
      if (piece.reverse) piece.window = mirrored(windows[w], length);
      piece.window.new_begin = piece.window.start;  // a window's row pools the whole window
    }
    pieces.push_back(piece);
  }
}

}  // namespace

std::vector<Piece> plan_job(const EmbedJob& job, std::size_t job_index, const EmbedOptions& options,
                            Orientations orientations) {
  std::vector<Piece> pieces;
  const bool row_per_window = options.rows == RowsPer::kWindow;
  std::size_t first_row = 0;
  for (std::size_t mate = 0; mate < job.mates.size(); ++mate) {
    const std::size_t length = job.mates[mate].record.sequence.size();
    const auto windows = make_windows(length, options.window, options.overlap);
    Piece piece{.job = job_index, .mate = mate, .row = 0, .reverse = false, .window = {}};
    if (orientations.forward) {
      plan_orientation(windows, piece, length, row_per_window, first_row, pieces);
    }
    piece.reverse = true;
    if (orientations.reverse) {
      plan_orientation(windows, piece, length, row_per_window, first_row, pieces);
    }
    first_row += windows.size();
  }
  return pieces;
}

}  // namespace genomamba::pipeline
