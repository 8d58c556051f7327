// SPDX-License-Identifier: MIT
#include "causal_plan.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace genomamba::pipeline {
namespace {

using Group = std::vector<std::size_t>;

StrandNeeds needs_of(const ScoreRun& run, std::size_t region) {
  return strand_needs(run.options, run.model.model.config(), run.regions[region]);
}

/// Regions that can share a pass, in the order asked for: of one contig and the same strands.
std::vector<Group> group_regions(const ScoreRun& run) {
  std::vector<Group> groups;
  std::map<std::pair<std::size_t, int>, std::size_t> group_of;
  for (std::size_t r = 0; r < run.regions.size(); ++r) {
    if (run.regions[r].length() == 0) continue;
    const StrandNeeds needs = needs_of(run, r);
    const std::pair key(run.regions[r].contig, (needs.forward ? 1 : 0) + (needs.reverse ? 2 : 0));
    const auto [found, is_new] = group_of.emplace(key, groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(r);
  }
  return groups;
}

/// True if a pass along the contig meets the regions in the order asked for, with no other region
/// in between.
bool is_streamable(const ScoreRun& run, const Group& group) {
  for (std::size_t i = 1; i < group.size(); ++i) {
    if (run.regions[group[i]].begin < run.regions[group[i - 1]].end) return false;
    for (std::size_t r = group[i - 1] + 1; r < group[i]; ++r) {
      if (run.regions[r].length() > 0) return false;
    }
  }
  return true;
}

CausalPass shared_pass(const ScoreRun& run, const Group& group) {
  CausalPass pass = single_pass(run, group.front());
  pass.segments.clear();
  return pass;
}

void set_offsets(CausalPass& pass) {
  std::uint64_t offset = 0;
  for (PassSegment& segment : pass.segments) {
    segment.offset = offset;
    offset += segment.end - segment.begin;
  }
}

CausalPass streamed_pass(const ScoreRun& run, const Group& group) {
  CausalPass pass = shared_pass(run, group);
  for (const std::size_t r : group)
    pass.segments.push_back({run.regions[r].begin, run.regions[r].end, r, 0});
  set_offsets(pass);
  return pass;
}

CausalPass union_pass(const ScoreRun& run, const Group& group) {
  CausalPass pass = shared_pass(run, group);
  std::vector<PassSegment> all;
  for (const std::size_t r : group)
    all.push_back({run.regions[r].begin, run.regions[r].end, 0, 0});
  std::sort(all.begin(), all.end(),
            [](const PassSegment& a, const PassSegment& b) { return a.begin < b.begin; });
  for (const PassSegment& segment : all) {
    if (!pass.segments.empty() && segment.begin <= pass.segments.back().end) {
      pass.segments.back().end = std::max(pass.segments.back().end, segment.end);
    } else {
      pass.segments.push_back(segment);
    }
  }
  for (std::size_t i = 0; i < pass.segments.size(); ++i)
    pass.segments[i].region = i;
  set_offsets(pass);
  return pass;
}

CausalStep single_step(const ScoreRun& run, std::size_t region) {
  CausalStep step;
  step.region = region;
  CausalPass pass = single_pass(run, region);
  const std::uint64_t n_forward = pass.needs.forward ? pass.end() - pass.forward_begin : 0;
  const std::uint64_t n_reverse = pass.needs.reverse ? pass.reverse_end - pass.begin() : 0;
  if (std::max(n_forward, n_reverse) <= run.long_tokens()) return step;
  step.kind = CausalStep::Kind::kPass;
  step.pass = std::move(pass);
  return step;
}

}  // namespace

CausalPass single_pass(const ScoreRun& run, std::size_t region) {
  const io::Region& r = run.regions[region];
  const std::uint64_t length = run.contig_of(region).length;
  const std::uint64_t context = run.options.whole_context ? length : run.options.context.value();
  CausalPass pass;
  pass.contig = r.contig;
  pass.needs = needs_of(run, region);
  pass.segments = {{r.begin, r.end, region, 0}};
  pass.forward_begin = r.begin - std::min(r.begin, context);
  pass.reverse_end = r.end + std::min(length - r.end, context);
  return pass;
}

CausalPlan plan_causal(const ScoreRun& run) {
  CausalPlan plan;
  plan.stored_pass_of.assign(run.regions.size(), 0);
  std::vector<const Group*> group_of(run.regions.size(),
                                     nullptr);  // only groups of several regions
  std::vector<Group> groups;
  if (run.options.whole_context) groups = group_regions(run);
  std::vector<bool> is_stored(run.regions.size(), false);
  std::uint64_t offset = 0;
  for (const Group& group : groups) {
    if (group.size() == 1) continue;
    for (const std::size_t r : group)
      group_of[r] = &group;
    if (is_streamable(run, group)) continue;
    plan.stored.push_back({union_pass(run, group), offset});
    offset += plan.stored.back().pass.n_positions();
    for (const std::size_t r : group) {
      is_stored[r] = true;
      plan.stored_pass_of[r] = plan.stored.size() - 1;
    }
  }
  for (std::size_t r = 0; r < run.regions.size(); ++r) {
    if (run.regions[r].length() == 0) continue;
    CausalStep step;
    step.region = r;
    if (is_stored[r]) {
      step.kind = CausalStep::Kind::kStored;
    } else if (group_of[r] == nullptr) {
      step = single_step(run, r);
    } else if (group_of[r]->front() == r) {
      step.kind = CausalStep::Kind::kPass;
      step.pass = streamed_pass(run, *group_of[r]);
    } else {
      continue;  // part of the pass that the first region of its group started
    }
    plan.steps.push_back(std::move(step));
  }
  return plan;
}

}  // namespace genomamba::pipeline
