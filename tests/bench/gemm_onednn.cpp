// SPDX-License-Identifier: MIT
// oneDNN's matmul with the weights reordered once to the layout that it likes best.
#include <omp.h>

#include <dnnl.hpp>

#include "gemm_peers.hpp"

namespace genomamba::bench {
namespace {

using Tag = dnnl::memory::format_tag;

class OneDnnPeer final : public GemmPeer {
 public:
  OneDnnPeer(const GemmShape& shape, const float* weight)
      : engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {
    omp_set_num_threads(1);
    const auto n = [](std::size_t size) { return static_cast<dnnl::memory::dim>(size); };
    const auto desc = [](dnnl::memory::dim rows, dnnl::memory::dim cols, Tag tag) {
      return dnnl::memory::desc({rows, cols}, dnnl::memory::data_type::f32, tag);
    };
    const auto x = desc(n(shape.rows), n(shape.K), Tag::ab);
    const auto y = desc(n(shape.rows), n(shape.N), Tag::ab);
    primitive_desc_ = dnnl::matmul::primitive_desc(
        dnnl::matmul::desc(x, desc(n(shape.K), n(shape.N), Tag::any), y), engine_);
    matmul_ = dnnl::matmul(primitive_desc_);
    x_ = dnnl::memory(x, engine_, nullptr);
    y_ = dnnl::memory(y, engine_, nullptr);
    weights_ = dnnl::memory(primitive_desc_.weights_desc(), engine_);
    // [N, K] by rows is [K, N] by columns. oneDNN has no const data handle.
    const dnnl::memory given(desc(n(shape.K), n(shape.N), Tag::ba), engine_,
                             const_cast<float*>(weight));
    dnnl::memory source = given;
    dnnl::reorder(source, weights_).execute(stream_, source, weights_);
    stream_.wait();
  }
  const char* name() const override { return "oneDNN"; }
  std::string kernel() const override { return primitive_desc_.impl_info_str(); }
  void run(const float* x, float* y) override {
    x_.set_data_handle(const_cast<float*>(x));
    y_.set_data_handle(y);
    matmul_.execute(stream_,
                    {{DNNL_ARG_SRC, x_}, {DNNL_ARG_WEIGHTS, weights_}, {DNNL_ARG_DST, y_}});
    stream_.wait();
  }

 private:
  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::matmul::primitive_desc primitive_desc_;
  dnnl::matmul matmul_;
  dnnl::memory x_, y_, weights_;
};

}  // namespace

std::unique_ptr<GemmPeer> make_onednn(const GemmShape& shape, const float* weight) {
  return std::make_unique<OneDnnPeer>(shape, weight);
}

}  // namespace genomamba::bench
