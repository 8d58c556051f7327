// SPDX-License-Identifier: MIT
#include "genomamba/model/describe.hpp"

#include "random_model.hpp"

using namespace genomamba;
using namespace genomamba::test;

TEST_CASE("a model is described without loading it") {
  const ModelFiles files("mamba1", kMamba1);
  const model::ModelDescription description =
      model::describe_model(checkpoint::open_model_directory(files.path()));
  CHECK(description.config.family == "mamba_ssm Mamba-1");
  CHECK(description.n_tensors == 2 + 2 * 10);
  // embedding, norm_f; a layer: norm, in_proj, conv1d, x_proj, dt_proj, A_log, D, out_proj
  const std::size_t layer = 24 + 96 * 24 + 48 * 5 + 14 * 48 + 48 * 3 + 48 * 6 + 48 + 24 * 48;
  CHECK(description.n_parameters == 16 * 24 + 24 + 2 * layer);
  CHECK(description.stored_bytes == 4 * description.n_parameters);
  REQUIRE(description.dtypes.size() == 1);
  CHECK(description.dtypes[0].first == "F32");
  CHECK(description.workspace_bytes > 0);
}
