// SPDX-License-Identifier: MIT
// Scores of variants against a naive computation: one forward pass of the reference kernels for
// each haplotype, or for each hidden position of it.
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "catch.hpp"
#include "genomamba/io/variant_file.hpp"
#include "genomamba/kernels/isa.hpp"
#include "genomamba/pipeline/variant_pipeline.hpp"
#include "tmp_dir.hpp"
#include "variant_alleles.hpp"
#include "variant_site.hpp"

using namespace genomamba;            // NOLINT(google-build-using-namespace)
using namespace genomamba::pipeline;  // NOLINT(google-build-using-namespace)

namespace {

const std::string kGolden = std::string(GENOMAMBA_SOURCE_DIR) + "/tests/golden/data/";

struct Variant {
  std::size_t position = 0;  ///< 0-based
  std::string ref;
  std::string alts;  ///< with commas
};

std::string random_letters(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::string letters;
  while (letters.size() < n)
    letters += "ACGT"[random() % 4];
  return letters;
}

std::string turned(std::string letters) {
  reverse_complement(letters);
  return letters;
}

std::vector<VariantScore> score(const LoadedModel& model, const std::string& contig,
                                const std::vector<Variant>& variants, VariantOptions options) {
  const test::TmpDir dir;
  io::ReferenceReader reference(dir.write("r.fa", ">c\n" + contig + "\n"), "", silent_log());
  io::VariantHeader header = io::VariantHeader::of_contigs(reference.contigs());
  std::size_t next = 0;
  std::vector<VariantScore> result;
  const VariantFlow flow{.read =
                             [&](io::VariantRecord& record) {
                               if (next == variants.size()) return false;
                               const Variant& variant = variants[next++];
                               record.assign(header, "c", variant.position,
                                             variant.ref + "," + variant.alts);
                               return true;
                             },
                         .write =
                             [&](io::VariantRecord&, std::span<const VariantScore> scores) {
                               result.insert(result.end(), scores.begin(), scores.end());
                             },
                         .progress = {}};
  options = complete_variant_options(options, model);
  const VariantCounts counts = score_variants(options, model, reference, flow);
  CHECK(counts.n_records == variants.size());
  CHECK(counts.n_alts == result.size());
  return result;
}

/// ln P of A, C, G, T at each position of the letters, as one pass of the model gives it.
std::vector<std::array<double, 4>> ln_p(const LoadedModel& model, const std::string& letters,
                                        std::optional<std::size_t> masked) {
  std::vector<TokenId> tokens(letters.size());
  model.tokenizer.encode(letters, tokens);
  if (masked) tokens[*masked] = *model.tokenizer.special("[MASK]");
  const auto& config = model.model.config();
  std::vector<float> hidden(letters.size() * config.hidden_width());
  std::vector<float> logits(letters.size() * config.vocab_size);
  model::Workspace workspace;
  const std::vector<model::Segment> segments = {{0, letters.size(), nullptr}};
  const Span2d<float> rows(hidden.data(), letters.size(), config.hidden_width());
  model.model.forward({tokens, segments}, model::kLastLayer, workspace, rows);
  model.model.logits(rows, {logits.data(), letters.size(), config.vocab_size});
  std::vector<std::array<double, 4>> result(letters.size());
  for (std::size_t i = 0; i < letters.size(); ++i) {
    double sum = 0;
    for (std::size_t b = 0; b < 4; ++b) {
      const auto id = static_cast<std::size_t>(model.tokenizer.token("ACGT"[b]));
      result[i][b] = static_cast<double>(logits[i * config.vocab_size + id]);
      sum += std::exp(result[i][b]);
    }
    for (double& value : result[i])
      value -= std::log(sum);
  }
  return result;
}

std::size_t base_of(char letter) {
  return std::string("ACGT").find(letter);
}

/// Both haplotypes of a variant whose alleles are trimmed, in windows that start at the same base.
struct Haplotypes {
  std::string ref;
  std::string alt;
  std::size_t first = 0;  ///< the first changed base
};

Haplotypes haplotypes(const std::string& contig, const Variant& v, std::size_t window) {
  const std::size_t begin = v.position - std::min(v.position, window / 2);
  const std::size_t first = v.position - begin;
  const std::size_t length = first + window - window / 2;
  return {contig.substr(begin, length),
          (contig.substr(begin, first) + v.alts + contig.substr(v.position + v.ref.size()))
              .substr(0, length),
          first};
}

double naive_causal(const LoadedModel& model, const std::string& contig, const Variant& v,
                    std::size_t window) {
  const Haplotypes h = haplotypes(contig, v, window);
  const auto ref = ln_p(model, h.ref, std::nullopt);
  const auto alt = ln_p(model, h.alt, std::nullopt);
  double difference = 0;
  for (std::size_t i = 1; i < std::min(h.ref.size(), h.alt.size()); ++i)
    difference += alt[i - 1][base_of(h.alt[i])] - ref[i - 1][base_of(h.ref[i])];
  return difference;
}

double naive_masked(const LoadedModel& model, const std::string& contig, const Variant& v,
                    std::size_t window) {
  const Haplotypes h = haplotypes(contig, v, window);
  if (v.ref.size() == 1 && v.alts.size() == 1) {
    const auto p = ln_p(model, h.ref, h.first)[h.first];
    return p[base_of(v.alts[0])] - p[base_of(v.ref[0])];
  }
  const std::size_t last = h.first + std::max(v.ref.size(), v.alts.size()) + 8;
  double difference = 0;
  for (std::size_t i = h.first; i < std::min({last, h.ref.size(), h.alt.size()}); ++i) {
    difference +=
        ln_p(model, h.alt, i)[i][base_of(h.alt[i])] - ln_p(model, h.ref, i)[i][base_of(h.ref[i])];
  }
  return difference;
}

/// SNVs, MNVs, deletions and insertions that share no base at their ends.
std::vector<Variant> some_variants(const std::string& contig, std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Variant> variants;
  while (variants.size() < n) {
    const std::size_t position = random() % (contig.size() - 12);
    const std::size_t n_ref =
        variants.size() % 4 == 3 ? 0 : 1 + variants.size() % 4 * (random() % 5);
    const std::size_t n_alt = variants.size() % 4 == 2 ? 0 : variants.size() % 4 == 1 ? n_ref : 1;
    const Variant variant{position, contig.substr(position, n_ref),
                          random_letters(n_alt, static_cast<unsigned>(random()))};
    const Trimmed trimmed = trim_alleles(variant.ref, variant.alts);
    if (trimmed.ref.size() != n_ref || trimmed.alt.size() != n_alt) continue;
    variants.push_back(variant);
  }
  return variants;
}

/// The same variants with a base before them, as a VCF has them.
std::vector<Variant> anchored(const std::string& contig, std::vector<Variant> variants) {
  for (Variant& v : variants) {
    if (!v.ref.empty() && !v.alts.empty()) continue;
    const std::string anchor = contig.substr(--v.position, 1);
    v.ref = anchor + v.ref;
    v.alts = anchor + v.alts;
  }
  return variants;
}

void compare_with_naive(const std::string& name, bool is_causal, std::size_t window) {
  const LoadedModel model = load_model(kGolden + name, "");
  kernels::select_isa(kernels::Isa::kRef);
  const LoadedModel reference = load_model(kGolden + name, "");
  kernels::select_isa(std::nullopt);
  const std::string contig = random_letters(400, 11);
  std::vector<Variant> variants = some_variants(contig, 24, 12);
  std::erase_if(variants, [](const Variant& v) { return v.position == 0; });
  VariantOptions options;
  options.window = window;
  options.n_threads = 2;
  options.batch_tokens = 150;
  const auto scores = score(model, contig, anchored(contig, variants), options);
  REQUIRE(scores.size() == variants.size());
  const auto naive = is_causal ? naive_causal : naive_masked;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    INFO(name << " " << variants[i].position << " " << variants[i].ref << ">" << variants[i].alts);
    CHECK(scores[i].skip == VariantSkip::kNone);
    const double wanted = naive(model, contig, variants[i], window);
    CHECK(std::abs(scores[i].llr - wanted) < 1e-5 + 1e-6 * std::abs(wanted));
    // The golden models have large logits, and so large sums, of which float32 keeps so much.
    const double exact = naive(reference, contig, variants[i], window);
    CHECK(std::abs(scores[i].llr - exact) < 1e-4 + 1e-5 * std::abs(exact));
  }
}

double mean_of_random_indels(const LoadedModel& model, bool is_deletion, std::size_t window) {
  // The same composition everywhere, nothing else.
  const std::string contig = random_letters(20000, 21);
  std::mt19937 random(22);
  std::vector<Variant> variants;
  for (int i = 0; i < 500; ++i) {
    const std::size_t position = 1000 + random() % 18000;
    const std::size_t length = 1 + random() % 12;
    const std::string anchor = contig.substr(position, 1);
    if (is_deletion) {
      variants.push_back({position, contig.substr(position, 1 + length), anchor});
    } else {
      variants.push_back(
          {position, anchor, anchor + random_letters(length, static_cast<unsigned>(random()))});
    }
  }
  VariantOptions options;
  options.window = window;
  options.n_threads = 2;
  double sum = 0;
  for (const VariantScore& s : score(model, contig, variants, options))
    sum += s.llr;
  return sum / static_cast<double>(variants.size());
}

}  // namespace

TEST_CASE("Shared bases are trimmed, first at the start") {
  const auto check = [](const char* ref, const char* alt, std::size_t n, const char* trimmed_ref,
                        const char* trimmed_alt) {
    const Trimmed trimmed = trim_alleles(ref, alt);
    CHECK(trimmed.n_before == n);
    CHECK(trimmed.ref == trimmed_ref);
    CHECK(trimmed.alt == trimmed_alt);
  };
  check("A", "C", 0, "A", "C");
  check("CA", "C", 1, "A", "");
  check("C", "CTT", 1, "", "TT");
  check("ATA", "A", 1, "TA", "");
  check("GATC", "GTTC", 1, "A", "T");
  check("gat", "GAT", 3, "", "");
  check("ACGT", "TGCA", 0, "ACGT", "TGCA");
}

TEST_CASE("The form of an ALT tells what has no score") {
  CHECK(skip_by_form(".") == VariantSkip::kNoAlt);
  CHECK(skip_by_form("*") == VariantSkip::kStar);
  CHECK(skip_by_form("<DEL>") == VariantSkip::kSymbolic);
  CHECK(skip_by_form("<*>") == VariantSkip::kSymbolic);
  CHECK(skip_by_form("C<ctg1>") == VariantSkip::kSymbolic);
  for (const char* alt : {"G]17:198982]", "]13:123456]T", "C[2:321682[", "G.", ".TC"})
    CHECK(skip_by_form(alt) == VariantSkip::kBreakend);
  CHECK(skip_by_form("ACGTN") == VariantSkip::kNone);
}

TEST_CASE("Both sums have as many terms as the shorter one") {
  const std::vector<double> ref = {-1, kNoTerm, -2, -3};
  CHECK(difference_of_terms(std::vector<double>{-4}, ref) == -3);
  CHECK(difference_of_terms(std::vector<double>{kNoTerm, -4, -1, -1, -9}, ref) == 0);
  CHECK(difference_of_terms(std::vector<double>{}, ref) == 0);
}

TEST_CASE("Haplotypes have equal lengths, a deletion reads the flank further") {
  VariantSite site;
  site.after = "ACGTACGTTT";
  site.right = 6;
  site.alleles = {{3, "", 0, 0, 0}, {0, "GG", 0, 1, 0}, {1, "T", 0, 2, 0}};
  CHECK(site.n_extra() == 3);
  CHECK(site.reference(site.right) == "ACGTAC");
  CHECK(site.haplotype(site.alleles[0]) == "TACGTT");
  CHECK(site.haplotype(site.alleles[1]) == "GGACGT");
  CHECK(site.haplotype(site.alleles[2]) == "TCGTAC");
}

TEST_CASE("Causal scores are those of one pass a haplotype") {
  compare_with_naive("mamba1-native", true, 101);
  compare_with_naive("hf-mamba2", true, 64);
}

TEST_CASE("Masked scores are those of one pass a hidden position, an SNV's a softmax of one pass") {
  compare_with_naive("caduceus-ph-tied-add", false, 64);
  compare_with_naive("caduceus-ps-fused", false, 65);
  compare_with_naive("plantcaduceus-tiny", false, 48);
}

TEST_CASE("Windows are cut at a contig's ends, or filled with N by plantcad") {
  const LoadedModel model = load_model(kGolden + "plantcaduceus-tiny", "");
  const std::string contig = random_letters(40, 31);
  VariantOptions options;
  options.window = 64;
  for (const std::size_t position : {0U, 20U, 39U}) {
    const std::string ref = contig.substr(position, 1);
    const std::string alt = ref == "A" ? "C" : "A";
    const auto naive = [&](const std::string& window, std::size_t index) {
      const auto p = ln_p(model, window, index)[index];
      return p[base_of(alt[0])] - p[base_of(ref[0])];
    };
    options.convention = VariantConvention::kCentred;
    const std::size_t begin = position - std::min<std::size_t>(position, 32);
    CHECK(
        score(model, contig, {{position, ref, alt}}, options)[0].llr ==
        Approx(naive(contig.substr(begin, position + 32 - begin), position - begin)).margin(1e-6));
    options.convention = VariantConvention::kPlantcad;
    const std::string padded = std::string(100, 'N') + contig + std::string(100, 'N');
    CHECK(score(model, contig, {{position, ref, alt}}, options)[0].llr ==
          Approx(naive(padded.substr(100 + position - 31, 64), 31)).margin(1e-6));
  }
}

TEST_CASE("A swapped SNV has the negated score, all ALTs of a record and of a place agree") {
  for (const std::string name : {"mamba1-native", "caduceus-ps-fused"}) {
    const LoadedModel model = load_model(kGolden + name, "");
    std::string contig = random_letters(300, 41);
    contig[150] = 'A';
    VariantOptions options;
    options.window = 64;
    const auto all = score(model, contig, {{150, "A", "C,G,T"}, {150, "A", "T"}}, options);
    CHECK(all[3].llr == all[2].llr);
    contig[150] = 'C';
    const double back = score(model, contig, {{150, "C", "A"}}, options)[0].llr;
    CHECK(back == Approx(-all[0].llr).margin(1e-5));
  }
}

TEST_CASE("The other strand: RC-equivariant models agree with themselves, mean is the mean") {
  const std::string contig = random_letters(200, 51);
  const auto variants = anchored(contig, some_variants(contig.substr(0, 180), 16, 52));
  std::vector<Variant> snvs, turned_snvs;
  for (const Variant& v : variants) {
    if (v.ref.size() != 1 || v.alts.size() != 1) continue;
    snvs.push_back(v);
    turned_snvs.push_back({contig.size() - 1 - v.position, turned(v.ref), turned(v.alts)});
  }
  VariantOptions options;
  options.window = 63;  // as many bases before as behind
  const LoadedModel ps = load_model(kGolden + "caduceus-ps-fused", "");
  const auto forward = score(ps, contig, snvs, options);
  const auto other = score(ps, turned(contig), turned_snvs, options);
  for (std::size_t i = 0; i < snvs.size(); ++i)
    CHECK(other[i].llr == Approx(forward[i].llr).margin(1e-5));

  for (const std::string name : {"caduceus-ph-tied-add", "mamba1-native"}) {
    const LoadedModel model = load_model(kGolden + name, "");
    options.window = 64;
    options.strand = VariantStrand::kForward;
    const auto a = score(model, contig, variants, options);
    options.strand = VariantStrand::kReverse;
    const auto b = score(model, contig, variants, options);
    options.strand = VariantStrand::kMean;
    const auto mean = score(model, contig, variants, options);
    for (std::size_t i = 0; i < variants.size(); ++i)
      CHECK(mean[i].llr == Approx((a[i].llr + b[i].llr) / 2).margin(1e-9));
  }
}

TEST_CASE("The reverse strand reads the bases of the forward window") {
  const LoadedModel model = load_model(kGolden + "caduceus-ph-tied-add", "");
  const std::string contig = random_letters(200, 61);
  VariantOptions options;
  options.window = 64;
  options.strand = VariantStrand::kReverse;
  const std::string alt = contig[100] == 'A' ? "C" : "A";
  const double got = score(model, contig, {{100, contig.substr(100, 1), alt}}, options)[0].llr;
  const std::string window = turned(contig.substr(100 - 32, 64));
  const auto p = ln_p(model, window, 31)[31];
  CHECK(got == Approx(p[base_of(turned(alt)[0])] - p[base_of(turned(contig.substr(100, 1))[0])])
                   .margin(1e-6));
}

TEST_CASE("Option --converge: 0 changes nothing, a tolerance little") {
  const LoadedModel model = load_model(kGolden + "mamba1-native", "");
  const std::string contig = random_letters(1500, 71);
  auto variants = some_variants(contig.substr(0, 1400), 24, 72);
  std::erase_if(variants, [](const Variant& v) { return v.position == 0; });
  variants = anchored(contig, variants);
  VariantOptions options;
  options.window = 700;
  const auto exact = score(model, contig, variants, options);
  options.converge = 0.0F;
  const auto zero = score(model, contig, variants, options);
  options.converge = 1e-3F;
  const auto close = score(model, contig, variants, options);
  for (std::size_t i = 0; i < variants.size(); ++i) {
    INFO(variants[i].position << " " << variants[i].ref << ">" << variants[i].alts);
    CHECK(zero[i].llr == Approx(exact[i].llr).margin(1e-9));
    CHECK(close[i].llr == Approx(exact[i].llr).margin(0.05));
  }
}

TEST_CASE("What cannot be scored has its reason") {
  const LoadedModel model = load_model(kGolden + "plantcaduceus-tiny", "");
  std::string contig = random_letters(300, 81);
  contig.replace(200, 100, std::string(100, 'N'));
  contig[50] = 'A';
  VariantOptions options;
  options.window = 64;
  const auto skip_of = [&](const Variant& v) { return score(model, contig, {v}, options)[0].skip; };
  CHECK(skip_of({50, "C", "G"}) == VariantSkip::kRefMismatch);
  CHECK(skip_of({299, "NN", "N"}) == VariantSkip::kRefMismatch);  // past the end
  CHECK(skip_of({50, "A", "R"}) == VariantSkip::kNotAcgt);
  CHECK(skip_of({50, "A", "AN"}) == VariantSkip::kNotAcgt);
  CHECK(skip_of({220, "N", "A"}) == VariantSkip::kNotAcgt);
  CHECK(skip_of({250, "N", "NA"}) == VariantSkip::kNWindow);
  CHECK(skip_of({50, "A", "A" + random_letters(33, 1)}) == VariantSkip::kTooLong);
  CHECK(skip_of({50, "A", "A" + random_letters(32, 1)}) == VariantSkip::kNone);
  CHECK(skip_of({50, "A", "<INS>"}) == VariantSkip::kSymbolic);
}

TEST_CASE("No length bias: random deletions and insertions score 0 in the mean") {
  const LoadedModel bundled =
      load_model(std::string(GENOMAMBA_SOURCE_DIR) + "/data/models/microbe-causal", "");
  CHECK(std::abs(mean_of_random_indels(bundled, true, 256)) < 0.3);
  CHECK(std::abs(mean_of_random_indels(bundled, false, 256)) < 0.3);
  const LoadedModel masked = load_model(kGolden + "plantcaduceus-tiny", "");
  CHECK(std::abs(mean_of_random_indels(masked, true, 40)) < 0.3);
  CHECK(std::abs(mean_of_random_indels(masked, false, 40)) < 0.3);
}
