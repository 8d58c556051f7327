// SPDX-License-Identifier: MIT
#include <cblas.h>

#include "gemm_peers.hpp"

namespace genomamba::bench {
namespace {

class OpenBlasPeer final : public GemmPeer {
 public:
  OpenBlasPeer(const GemmShape& shape, const float* weight) : shape_(shape), weight_(weight) {
    openblas_set_num_threads(1);
  }
  const char* name() const override { return "OpenBLAS"; }
  std::string kernel() const override { return openblas_get_corename(); }
  void run(const float* x, float* y) override {
    const auto n = [](std::size_t size) { return static_cast<blasint>(size); };
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n(shape_.rows), n(shape_.N), n(shape_.K),
                1.0F, x, n(shape_.K), weight_, n(shape_.K), 0.0F, y, n(shape_.N));
  }

 private:
  GemmShape shape_;
  const float* weight_;
};

}  // namespace

std::unique_ptr<GemmPeer> make_openblas(const GemmShape& shape, const float* weight) {
  return std::make_unique<OpenBlasPeer>(shape, weight);
}

}  // namespace genomamba::bench
