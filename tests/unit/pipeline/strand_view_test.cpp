// SPDX-License-Identifier: MIT
#include "strand_view.hpp"

#include <vector>

#include "catch.hpp"
#include "genomamba/model/mamba_config.hpp"

using namespace genomamba::pipeline;  // NOLINT(google-build-using-namespace)
using genomamba::model::MambaConfig;
using genomamba::model::Strands;

namespace {

MambaConfig config_of(Strands strands) {
  MambaConfig config;
  config.strands = strands;
  config.d_model = 2;
  return config;
}

std::vector<float> view(const MambaConfig& config, Strand strand, const std::vector<float>& forward,
                        const std::vector<float>& reverse) {
  std::vector<float> out(strand == Strand::kConcat ? 4 : 2);
  make_strand_vector(config, strand, forward, reverse, out);
  return out;
}

}  // namespace

TEST_CASE("Single-strand models combine two passes") {
  const auto config = config_of(Strands::kSingle);
  const std::vector<float> f = {1, 2};
  const std::vector<float> r = {3, 6};
  CHECK(view(config, Strand::kForward, f, {}) == f);
  CHECK(view(config, Strand::kReverse, {}, r) == r);
  CHECK(view(config, Strand::kMean, f, r) == std::vector<float>{2, 4});
  CHECK(view(config, Strand::kConcat, f, r) == std::vector<float>{1, 2, 3, 6});
  CHECK_FALSE(needed_orientations(config, Strand::kForward).reverse);
  CHECK_FALSE(needed_orientations(config, Strand::kReverse).forward);
  CHECK(needed_orientations(config, Strand::kMean).reverse);
}

TEST_CASE(
    "RC-equivariant models need one pass, the second half is the reverse strand, channels "
    "reversed") {
  const auto config = config_of(Strands::kRcPlain);
  const std::vector<float> both = {1, 2, 3, 6};
  CHECK(view(config, Strand::kConcat, both, {}) == both);
  CHECK(view(config, Strand::kForward, both, {}) == std::vector<float>{1, 2});
  CHECK(view(config, Strand::kReverse, both, {}) == std::vector<float>{6, 3});
  CHECK(view(config, Strand::kMean, both, {}) == std::vector<float>{3.5F, 2.5F});
  CHECK_FALSE(needed_orientations(config, Strand::kMean).reverse);
}
