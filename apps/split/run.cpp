// SPDX-License-Identifier: MIT
#include "split/run.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "common/stderr_log.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/io/output_file.hpp"
#include "genomamba/io/region_split.hpp"

namespace genomamba::apps::split {
namespace {

void make_directory(const std::string& path) {
  constexpr mode_t kMode = 0777;  // the umask takes its part
  if (::mkdir(path.c_str(), kMode) != 0 && errno != EEXIST)
    throw OutputError(path, "cannot make the folder", errno);
}

std::uint64_t n_bases(const std::vector<io::Region>& regions) {
  std::uint64_t n = 0;
  for (const io::Region& region : regions)
    n += region.length();
  return n;
}

}  // namespace

int run(const Options& options) {
  StderrLog log("genomamba-split", options.quiet ? -1 : 0);
  const io::ReferenceReader reference(options.reference, options.fai, log);
  std::vector<io::Region> regions;
  if (options.bed_paths.empty()) regions = io::whole_reference(reference);
  for (const std::string& path : options.bed_paths) {
    const auto bed =
        io::read_bed(path, reference, {.clip = options.clip, .needs_strand = false}, log);
    regions.insert(regions.end(), bed.regions.begin(), bed.regions.end());
  }
  const auto shards = io::split_regions(std::move(regions), options.n_shards, options.max_piece);
  const auto texts = io::shard_bed_texts(shards, reference.contigs());
  make_directory(options.directory);
  std::uint64_t largest = 0;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    io::OutputFile file(fmt::format("{}/{}-of-{}.bed", options.directory, i + 1, texts.size()));
    file.write(texts[i]);
    file.commit();
    largest = std::max(largest, n_bases(shards[i]));
    total += n_bases(shards[i]);
  }
  log.write(LogLevel::kInfo,
            fmt::format("{} bases in {} shards, the largest has {}", total, texts.size(), largest));
  return 0;
}

}  // namespace genomamba::apps::split
