// SPDX-License-Identifier: MIT
// Which instruction set the kernels use: detected once, forced by select_isa or GENOMAMBA_ISA.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace genomamba::kernels {

/// Kernel variants. kRef: plain loops, double accumulation; kBaseline: SSE2 on x86-64.
enum class Isa { kRef, kBaseline, kAvx2, kAvx512, kNeon };

/// "ref", "baseline", "avx2", "avx512", "neon": the words of `--isa`.
std::string_view to_string(Isa isa) noexcept;

/// The variant of that name; nothing for any other word ("auto" included).
std::optional<Isa> parse_isa(std::string_view name) noexcept;

/// Variants compiled into this library, slowest first.
std::span<const Isa> built_isas() noexcept;

/// Built, and both CPU and operating system can run it.
bool is_supported(Isa isa) noexcept;

/// The fastest supported variant whose kernels the project has run on real hardware or an emulator.
Isa best_isa() noexcept;

/// Makes `isa` the active variant of the whole process; nothing means best_isa(). Not to be called
/// while kernels run. Throws UsageError if the variant is not supported, Error if one of its
/// kernels disagrees with `ref` on a small block.
void select_isa(std::optional<Isa> isa);

/// The active variant. Before any select_isa: GENOMAMBA_ISA if it names a supported one, else
/// best_isa().
Isa active_isa() noexcept;

}  // namespace genomamba::kernels
