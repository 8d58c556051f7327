// SPDX-License-Identifier: MIT
// How many threads a run uses: the total, main thread and I/O included.
#pragma once

#include <cstddef>
#include <string>

#include "genomamba/core/log.hpp"

namespace genomamba::apps {

/// Cores that this process may use: affinity mask, lowered by a cgroup CPU quota (v1 or v2), at
/// least 1.
std::size_t allowed_cores();

/// `option`: text of --threads, empty if not given; then GENOMAMBA_THREADS, SLURM_CPUS_PER_TASK,
/// OMP_NUM_THREADS, then allowed_cores(). More than that is capped with a warning. Throws
/// UsageError for 0, negative numbers, text.
std::size_t resolve_thread_count(const std::string& option, LogSink& log);

}  // namespace genomamba::apps
