// SPDX-License-Identifier: MIT
// Eigen, compiled for the instruction set that the CMake file gives this file.
#include <Eigen/Core>

#include "gemm_peers.hpp"

namespace genomamba::bench {
namespace {

class EigenPeer final : public GemmPeer {
 public:
  EigenPeer(const GemmShape& shape, const float* weight) : shape_(shape), weight_(weight) {}
  const char* name() const override { return "Eigen"; }
  std::string kernel() const override { return Eigen::SimdInstructionSetsInUse(); }
  void run(const float* x, float* y) override {
    using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const auto n = [](std::size_t size) { return static_cast<Eigen::Index>(size); };
    const Eigen::Map<const Matrix> X(x, n(shape_.rows), n(shape_.K));
    const Eigen::Map<const Matrix> W(weight_, n(shape_.N), n(shape_.K));
    Eigen::Map<Matrix>(y, n(shape_.rows), n(shape_.N)).noalias() = X * W.transpose();
  }

 private:
  GemmShape shape_;
  const float* weight_;
};

}  // namespace

std::unique_ptr<GemmPeer> make_eigen(const GemmShape& shape, const float* weight) {
  return std::make_unique<EigenPeer>(shape, weight);
}

}  // namespace genomamba::bench
