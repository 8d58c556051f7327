// SPDX-License-Identifier: MIT
#include "bench/end_to_end.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>

#include "bench/bounds.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/io/embedding_writer.hpp"
#include "genomamba/kernels/machine_peak.hpp"
#include "genomamba/pipeline/core_executor.hpp"
#include "genomamba/pipeline/embed_pipeline.hpp"

namespace genomamba::apps::bench {
namespace {

/// The same letters and lengths in every run.
class Random {
 public:
  std::uint32_t below(std::uint32_t n) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::uint32_t>((state_ >> 33) % n);
  }

 private:
  std::uint64_t state_ = 1;
};

/// A FASTA without a name, gone when this is.
class Reads {
 public:
  explicit Reads(std::span<const std::size_t> lengths) : file_(std::tmpfile()) {
    if (file_ == nullptr) throw OutputError("a temporary file", "cannot be made", errno);
    Random random;
    std::string text;
    for (const std::size_t length : lengths) {
      text += ">read\n";
      for (std::size_t i = 0; i < length; ++i)
        text += "ACGT"[random.below(4)];
      text += '\n';
    }
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() ||
        std::fflush(file_.get()) != 0) {
      throw OutputError("a temporary file", "cannot write", errno);
    }
  }
  std::string path() const { return "/dev/fd/" + std::to_string(fileno(file_.get())); }

 private:
  struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
};

class NoWriter final : public io::EmbeddingWriter {
 public:
  void write(const io::EmbeddingRow&, std::span<const float>) override {}
  void append(std::span<const float>) override {}
  void finish() override {}
};

struct InputShape {
  std::string name;
  std::vector<std::size_t> lengths;
};

std::vector<std::size_t> repeated(std::size_t length, double n_tokens) {
  const auto n = static_cast<std::size_t>(n_tokens / static_cast<double>(length));
  return std::vector<std::size_t>(std::max<std::size_t>(1, n), length);
}

/// Shapes of about `n_tokens` each; the one long read has what it has, up to four times as many.
std::vector<InputShape> input_shapes(double n_tokens) {
  std::vector<InputShape> shapes;
  for (const std::size_t length : {150U, 1000U, 2000U}) {
    shapes.push_back({"reads of " + std::to_string(length), repeated(length, n_tokens)});
  }
  InputShape mixed{"mixed 1000 to 20000", {}};
  Random random;
  for (double sum = 0.0; mixed.lengths.empty() || sum < n_tokens;
       sum += static_cast<double>(mixed.lengths.back())) {
    const double power = static_cast<double>(random.below(1000)) / 1000.0;
    mixed.lengths.push_back(static_cast<std::size_t>(1000.0 * std::pow(20.0, power)));
  }
  shapes.push_back(mixed);
  const auto longest = std::min<std::size_t>(131072, static_cast<std::size_t>(4.0 * n_tokens));
  shapes.push_back({"one of " + std::to_string(longest), {longest}});
  return shapes;
}

struct Case {
  EndToEndRow row;
  std::string path;
};

double embed(const pipeline::LoadedModel& model, const std::string& path, std::size_t n_threads) {
  pipeline::EmbedOptions options;
  options.inputs = {path};
  options.n_threads = n_threads;
  if (model.model.config().strands != model::Strands::kSingle)
    options.strand = pipeline::Strand::kConcat;
  NoWriter writer;
  return static_cast<double>(pipeline::embed_records(pipeline::complete_options(options, model),
                                                     model, writer, silent_log(), nullptr)
                                 .n_tokens);
}

/// Tokens that one thread computes in `seconds`, about.
double tokens_in(const pipeline::LoadedModel& model, double seconds) {
  const Reads probe(repeated(1000, 2000));
  embed(model, probe.path(), 1);
  double n_tokens = 0.0;
  const double spent = seconds_of([&] { n_tokens = embed(model, probe.path(), 1); });
  return n_tokens * seconds / spent;
}

double peak_of(std::size_t n_threads) {
  pipeline::CoreExecutor executor(n_threads);
  return kernels::measure_fma_gflops(executor, 2.0);
}

void run_case(Case& one, const pipeline::LoadedModel& model) {
  EndToEndRow& row = one.row;
  const double before = peak_of(row.threads);
  const double seconds = seconds_of([&] { row.tokens = embed(model, one.path, row.threads); });
  row.timing.add(seconds, before, peak_of(row.threads));
  row.flops = row.tokens * token_flops(model.model.config());
}

}  // namespace

std::vector<EndToEndRow> measure_end_to_end(const pipeline::LoadedModel& model,
                                            const EndToEndOptions& options) {
  const std::vector<InputShape> shapes = input_shapes(tokens_in(model, options.seconds));
  std::vector<std::unique_ptr<Reads>> files;
  std::vector<Case> cases;
  for (const InputShape& shape : shapes) {
    files.push_back(std::make_unique<Reads>(shape.lengths));
    for (const std::size_t n_threads : options.threads) {
      Case& one = cases.emplace_back();
      one.row.shape = shape.name;
      one.row.reads = shape.lengths.size();
      one.row.threads = n_threads;
      one.path = files.back()->path();
    }
  }
  for (std::size_t i = 0; i < options.runs; ++i) {
    for (Case& one : cases)
      run_case(one, model);
  }
  std::vector<EndToEndRow> rows;
  for (const Case& one : cases)
    rows.push_back(one.row);
  return rows;
}

}  // namespace genomamba::apps::bench
