// SPDX-License-Identifier: MIT
#include "temporary_files.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <cstring>

#include "genomamba/core/error.hpp"
#include "genomamba/io/output_file.hpp"

namespace genomamba::io {
namespace {

constexpr std::size_t kMaxFiles = 64;

enum class SlotState { kFree, kFilling, kInUse };

/// Static storage and lock-free states: a signal handler may look at any moment.
struct Slot {
  std::atomic<SlotState> state{SlotState::kFree};
  char path[PATH_MAX] = {};
};
static_assert(std::atomic<SlotState>::is_always_lock_free);

std::array<Slot, kMaxFiles> slots;

}  // namespace

TemporaryName::TemporaryName(const std::string& path) : slot_(0) {
  if (path.size() >= PATH_MAX) throw OutputError(path, "the name is too long");
  for (slot_ = 0; slot_ < kMaxFiles; ++slot_) {
    SlotState expected = SlotState::kFree;
    if (!slots[slot_].state.compare_exchange_strong(expected, SlotState::kFilling)) continue;
    std::memcpy(slots[slot_].path, path.c_str(), path.size() + 1);
    slots[slot_].state.store(SlotState::kInUse, std::memory_order_release);
    return;
  }
  throw OutputError(path, "too many output files are open");
}

TemporaryName::~TemporaryName() {
  slots[slot_].state.store(SlotState::kFree, std::memory_order_release);
}

void remove_temporary_files() noexcept {
  for (Slot& slot : slots) {
    if (slot.state.load(std::memory_order_acquire) == SlotState::kInUse) unlink(slot.path);
  }
}

}  // namespace genomamba::io
