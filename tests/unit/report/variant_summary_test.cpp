// SPDX-License-Identifier: MIT
// What a scored VCF adds up to.
#include "variant_summary.hpp"

#include <cmath>

#include "catch.hpp"
#include "variant_figure.hpp"

using namespace genomamba::report;
using genomamba::io::ScoredVariant;

TEST_CASE("The type of an allele is that of the bases that change") {
  CHECK(type_of("A", "G") == VariantType::kSnv);
  CHECK(type_of("ACT", "AGT") == VariantType::kSnv);
  CHECK(type_of("A", "AT") == VariantType::kInsertion);
  CHECK(type_of("CAG", "C") == VariantType::kDeletion);
  CHECK(type_of("AC", "GT") == VariantType::kMnv);
  CHECK(type_of("ACG", "TT") == VariantType::kComplex);
  for (const char* alt : {"<DEL>", "*", ".", "", "G]17:198982]", "A"})
    CHECK(type_of("A", alt) == VariantType::kOther);
}

TEST_CASE("Scores are counted by type, codes by name, and the lowest kept in order") {
  VariantSummary summary(3);
  ScoredVariant variant;
  variant.contig = "c";
  variant.ref = "A";
  for (int i = 0; i < 6; ++i) {
    variant.position = static_cast<std::uint64_t>(i);
    variant.alleles = {{"G", static_cast<float>(i % 4) - 2, ""}};
    summary.add(variant);
  }
  variant.alleles = {{"<DEL>", NAN, "symbolic"}, {"AT", 0.5F, ""}, {"C", NAN, ""}};
  summary.add(variant);
  CHECK(summary.n_records() == 7);
  const LlrDistribution& snv = summary.by_type()[0];
  CHECK(snv.n_alleles == 7);
  CHECK(snv.n_scored == 6);
  CHECK(snv.n_below_zero == 4);
  CHECK(snv.sum == Approx(-2 - 1 + 0 + 1 - 2 - 1));
  CHECK(snv.lowest == -2);
  CHECK(snv.highest == 1);
  CHECK(summary.by_type()[1].n_scored == 1);
  CHECK(summary.skipped().at("symbolic") == 1);
  CHECK(summary.n_without_reason() == 1);
  const auto lowest = summary.lowest();
  REQUIRE(lowest.size() == 3);
  CHECK(lowest[0].position == 0);
  CHECK(lowest[1].position == 4);
  CHECK(lowest[2].position == 1);
}

TEST_CASE("A histogram has a row a type, and one outlier does not make endless bars") {
  VariantSummary summary(1);
  ScoredVariant variant;
  variant.ref = "A";
  for (const float llr : {-1.0F, -0.5F, 0.2F, -900.0F}) {
    variant.alleles = {{"G", llr, ""}, {"AT", llr, ""}};
    summary.add(variant);
  }
  const Figure figure = variant_figure(summary);
  CHECK(figure.marks.find("SNV (4 scored)") != std::string::npos);
  CHECK(figure.marks.find("insertion (4 scored)") != std::string::npos);
  CHECK(figure.marks.find("deletion") == std::string::npos);
  CHECK(figure.marks.size() < 10000);
}
