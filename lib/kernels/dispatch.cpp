// SPDX-License-Identifier: MIT
// Chooses the kernel table: what is built, what CPU and operating system can run, what was asked
// for.
#include <array>
#include <atomic>
#include <cstdlib>
#include <string>

#include "genomamba/core/error.hpp"
#include "genomamba/kernels/isa.hpp"
#include "kernel_table.hpp"
#include "self_check.hpp"

namespace genomamba::kernels {
namespace {

#if defined(__x86_64__)
constexpr std::array kBuilt = {Isa::kRef, Isa::kBaseline, Isa::kAvx2, Isa::kAvx512};
#elif defined(__aarch64__)
constexpr std::array kBuilt = {Isa::kRef, Isa::kNeon};
#else
constexpr std::array kBuilt = {Isa::kRef};
#endif

const KernelTable* find_table(Isa isa) noexcept {
  switch (isa) {
    case Isa::kRef:
      return &kRefTable;
#if defined(__x86_64__)
    case Isa::kBaseline:
      return &kBaselineTable;
    case Isa::kAvx2:
      return &kAvx2Table;
    case Isa::kAvx512:
      return &kAvx512Table;
#elif defined(__aarch64__)
    case Isa::kNeon:
      return &kNeonTable;
#endif
    default:
      return nullptr;
  }
}

/// The flags that arch/*.cpp are compiled with. The builtins ask the operating system too (XGETBV).
bool cpu_supports(Isa isa) noexcept {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi2");
  if (isa == Isa::kAvx2) return avx2;
  if (isa == Isa::kAvx512) {
    return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl");
  }
#endif
  return find_table(isa) != nullptr;
}

Isa initial_isa() noexcept {
  if (const char* name = std::getenv("GENOMAMBA_ISA")) {
    if (const auto isa = parse_isa(name); isa && is_supported(*isa)) return *isa;
  }
  return best_isa();
}

/// Null until the first use. Two threads that find it null choose the same table.
std::atomic<const KernelTable*> active{nullptr};

}  // namespace

std::string_view to_string(Isa isa) noexcept {
  switch (isa) {
    case Isa::kRef:
      return "ref";
    case Isa::kBaseline:
      return "baseline";
    case Isa::kAvx2:
      return "avx2";
    case Isa::kAvx512:
      return "avx512";
    case Isa::kNeon:
      return "neon";
  }
  return "";
}

std::optional<Isa> parse_isa(std::string_view name) noexcept {
  for (const Isa isa : {Isa::kRef, Isa::kBaseline, Isa::kAvx2, Isa::kAvx512, Isa::kNeon}) {
    if (name == to_string(isa)) return isa;
  }
  return std::nullopt;
}

std::span<const Isa> built_isas() noexcept {
  return kBuilt;
}

bool is_supported(Isa isa) noexcept {
  return find_table(isa) != nullptr && cpu_supports(isa);
}

Isa best_isa() noexcept {
  // Slowest first. AVX-512 is left out: its kernels are compiled and disassembled, but have not
  // been run yet.
  Isa best = Isa::kRef;
  for (const Isa isa : kBuilt) {
    if (isa != Isa::kAvx512 && is_supported(isa)) best = isa;
  }
  return best;
}

void select_isa(std::optional<Isa> isa) {
  const Isa chosen = isa.value_or(best_isa());
  if (!is_supported(chosen)) {
    std::string supported;
    for (const Isa other : kBuilt) {
      if (is_supported(other))
        supported += (supported.empty() ? "" : ", ") + std::string(to_string(other));
    }
    throw UsageError("ISA '" + std::string(to_string(chosen)) +
                     "' cannot run on this machine (supported: " + supported + ")");
  }
  const KernelTable* table = find_table(chosen);
  if (const auto wrong = find_wrong_kernel(*table)) {
    throw Error("kernel " + std::string(*wrong) + " of ISA '" + std::string(to_string(chosen)) +
                "' disagrees with the reference");
  }
  active.store(table, std::memory_order_release);
}

const KernelTable& active_table() noexcept {
  const KernelTable* table = active.load(std::memory_order_acquire);
  if (table == nullptr) {
    table = find_table(initial_isa());
    active.store(table, std::memory_order_release);
  }
  return *table;
}

Isa active_isa() noexcept {
  return parse_isa(active_table().name).value_or(Isa::kRef);
}

}  // namespace genomamba::kernels
