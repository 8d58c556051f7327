// SPDX-License-Identifier: MIT
// What genomamba bench prints, and what it refuses. No figure is judged: the machine may be busy.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"
#include "run_app.hpp"

using genomamba::test::run_app;

namespace {

bool is_positive(const nlohmann::json& row, const char* key) {
  return row.at(key).is_number() && row.at(key).get<double>() > 0.0;
}

}  // namespace

TEST_CASE("bench --kernels --json: machine, every kernel, its rate and share of the bound") {
  const auto run = run_app({"genomamba", "bench", "--kernels", "--quick", "--json", "-@", "2"});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  const auto json = nlohmann::json::parse(run.out);
  const auto& machine = json.at("machine");
  for (const auto& peak : machine.at("fma_peak"))
    CHECK(is_positive(peak, "gflops"));
  for (const char* level : {"L2", "L3", "memory"})
    CHECK(is_positive(machine.at("read_gbps"), level));
  CHECK_FALSE(json.contains("end_to_end"));

  std::set<std::string> names;
  for (const auto& row : json.at("kernels")) {
    INFO(row.dump());
    names.insert(row.at("kernel").get<std::string>());
    for (const char* key : {"threads", "best_seconds", "median_seconds", "peak_gflops",
                            "share_of_bound", "median_share_of_bound"}) {
      CHECK(is_positive(row, key));
    }
    CHECK(row.at("best_seconds").get<double>() <= row.at("median_seconds").get<double>());
    const bool is_linear = row.at("kernel") == "linear";
    CHECK(row.contains("gflops") == is_linear);
    CHECK(row.contains("cycles_per_8_elements") == !is_linear);
  }
  CHECK(names == std::set<std::string>{"linear", "selective_scan", "selective_scan fused",
                                       "causal_conv1d_silu", "rms_norm", "softplus", "silu",
                                       "exp"});
}

TEST_CASE("bench -m --json: tokens a second by input shape and threads, beside the bound") {
  const auto run = run_app({"genomamba", "bench", "-m", "tiny-random", "--seconds", "0.01",
                            "--runs", "2", "--json", "-@", "1", "--isa", "baseline"});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  const auto json = nlohmann::json::parse(run.out);
  CHECK(json.at("machine").at("isa") == "baseline");
  CHECK(json.at("kernels").empty());
  CHECK(json.at("model").at("name") == "tiny-random");
  // Two layers of d_model 8, d_inner 16, dt_rank 1, d_state 4.
  CHECK(json.at("model").at("gemm_flops_per_token") ==
        2.0 * 2 * (8 * 32 + 16 * (1 + 8) + 16 + 16 * 8));
  CHECK(json.at("model").at("scan_elements_per_token") == 2 * 16 * 4);
  const auto& rows = json.at("end_to_end");
  REQUIRE(rows.size() == 5);
  CHECK(rows[0].at("shape") == "reads of 150");
  CHECK(rows[3].at("shape") == "mixed 1000 to 20000");
  for (const auto& row : rows) {
    INFO(row.dump());
    CHECK(row.at("threads") == 1);
    for (const char* key : {"reads", "tokens", "tokens_per_second", "median_tokens_per_second",
                            "peak_gflops", "share_of_bound", "median_share_of_bound"}) {
      CHECK(is_positive(row, key));
    }
  }
  // Reads are embedded whole: a token a base.
  const double reads = rows[0].at("reads").get<double>();
  CHECK(rows[0].at("tokens") == 150.0 * reads);
}

TEST_CASE("bench prints tables: the machine, then a line a kernel or an input shape") {
  const auto kernels =
      run_app({"genomamba", "bench", "--kernels", "--only", "exp,rms_norm", "--quick"});
  INFO(kernels.out + kernels.err);
  CHECK(kernels.exit_code == 0);
  CHECK(kernels.out.find("multiply-add peak, 1 thread: ") != std::string::npos);
  CHECK(kernels.out.find("\n#kernel\tshape\tthreads\t") != std::string::npos);
  CHECK(kernels.out.find("\nrms_norm\td_model=256 rows=256\t1\t") != std::string::npos);
  CHECK(kernels.out.find("\nexp\tvalues=4096\t1\t") != std::string::npos);
  CHECK(kernels.out.find("\nlinear\t") == std::string::npos);
  CHECK(kernels.out.find("\n#shape\t") == std::string::npos);

  const auto model = run_app({"genomamba", "bench", "-m", "tiny-random", "--quick", "-@", "1"});
  INFO(model.out + model.err);
  CHECK(model.exit_code == 0);
  CHECK(model.out.find("model tiny-random (sha256 ") != std::string::npos);
  CHECK(model.out.find("\n#shape\treads\tthreads\ttokens\ttokens_per_s\t") != std::string::npos);
  CHECK(model.out.find("\nreads of 2000\t") != std::string::npos);
  CHECK(model.out.find("\n#kernel\t") == std::string::npos);
}

TEST_CASE("bench refuses what it cannot measure before it measures anything") {
  const std::vector<std::vector<std::string>> usage_errors = {
      {"--kernels", "--only", "no-such-kernel"},
      {"--only", "linear"},
      {"-m", "tiny-random", "--seconds", "0"},
      {"-m", "tiny-random", "--runs", "0"},
      {"-m", "tiny-random", "--runs", "-1"},
      {"-@", "0"},
      {"--kernels", "--isa", "mmx"},
      {"--kernels", "-m", "no-such-model"},
      {"surplus"},
  };
  for (const auto& words : usage_errors) {
    std::vector<std::string> command = {"genomamba", "bench", "--quick"};
    command.insert(command.end(), words.begin(), words.end());
    const auto run = run_app(command);
    INFO(words.front() << " " << words.back() << ": " << run.err);
    CHECK(run.exit_code == 2);
    CHECK(run.out.empty());
    CHECK(run.err.find("genomamba-bench: error: ") == 0);
    CHECK(std::count(run.err.begin(), run.err.end(), '\n') == 1);
  }
  const auto damaged =
      run_app({"genomamba", "bench", "-m", std::string(GENOMAMBA_SOURCE_DIR) + "/tests/cli"});
  CHECK(damaged.exit_code != 0);
  CHECK(damaged.out.empty());
}
