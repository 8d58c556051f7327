// SPDX-License-Identifier: MIT
#include "variant_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "text.hpp"
#include "variant_figure.hpp"
#include "variant_summary.hpp"

namespace genomamba::report {
namespace {

constexpr std::size_t kLowest = 50;
constexpr std::size_t kAlleleText = 40;

std::string_view reason_of(std::string_view code) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kReasons{{
      {"ref_mismatch", "REF is not what the reference has there"},
      {"symbolic", "symbolic allele such as <DEL>"},
      {"breakend", "breakend"},
      {"star", "allele '*' (deleted by an overlapping record)"},
      {"no_alt", "no alternative allele"},
      {"n_window", "fewer than 32 letters A, C, G, T around it"},
      {"too_long", "longer than half the window"},
      {"not_acgt", "allele with other letters than A, C, G, T"},
      {"contig_missing", "contig is not in the reference"},
  }};
  for (const auto& [known, reason] : kReasons) {
    if (code == known) return reason;
  }
  return "-";
}

/// Of letters that need no escape in an address; the others as %XX.
std::string url_part(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    out += is_plain ? std::string(1, c)
                    : fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return out;
}

std::string type_table(const VariantSummary& summary) {
  std::vector<std::vector<Cell>> rows;
  for (std::size_t i = 0; i < kVariantTypes; ++i) {
    const LlrDistribution& each = summary.by_type()[i];
    if (each.n_alleles == 0) continue;
    const bool has_scores = each.n_scored > 0;
    const auto n = static_cast<double>(each.n_scored);
    const auto score = [&](double value) {
      return Cell{.text = has_scores ? fmt::format("{:.4f}", value) : "-"};
    };
    rows.push_back(
        {{.text = std::string(to_string(static_cast<VariantType>(i)))},
         {.text = fmt::format("{}", each.n_alleles)},
         {.text = fmt::format("{}", each.n_scored)},
         score(each.sum / n),
         score(each.lowest),
         score(each.highest),
         {.text = has_scores ? percent_text(static_cast<double>(each.n_below_zero) / n) : "-"}});
  }
  return table_html("Alleles by type",
                    {"type", "alleles", "scored", "mean LLR", "lowest", "highest", "below 0"},
                    "lrrrrrr", rows);
}

std::string skip_table(const VariantSummary& summary) {
  std::vector<std::vector<Cell>> rows;
  for (const auto& [code, n] : summary.skipped()) {
    rows.push_back({{.text = shortened(code, 60)},
                    {.text = fmt::format("{}", n)},
                    {.text = std::string(reason_of(code))}});
  }
  if (summary.n_without_reason() > 0) {
    rows.push_back({{.text = "."},
                    {.text = fmt::format("{}", summary.n_without_reason())},
                    {.text = "neither GM_LLR nor GM_SKIP"}});
  }
  if (rows.empty()) return paragraph_html("Every allele has a score: nothing was skipped.");
  return table_html("Alleles without a score, by GM_SKIP", {"code", "alleles", "reason"}, "lrl",
                    rows);
}

std::string lowest_table(const VariantSummary& summary, std::span<const TrackPlace> places) {
  std::vector<std::vector<Cell>> rows;
  for (const LowAllele& allele : summary.lowest()) {
    const std::string locus = fmt::format("{}:{}", allele.contig, allele.position + 1);
    const auto place = std::find_if(places.begin(), places.end(), [&](const TrackPlace& each) {
      return each.contig == allele.contig && each.begin <= allele.position &&
             allele.position < each.end;
    });
    Cell track{.text = "-"};
    if (place != places.end()) {
      track = {.text = "show",
               .link = "#" + place->id,
               .locus = fmt::format("{}-{}", locus, allele.position + 1)};
    }
    const std::string igv = fmt::format("http://localhost:60151/goto?locus={}%3A{}",
                                        url_part(allele.contig), allele.position + 1);
    rows.push_back({{.text = locus, .link = igv},
                    {.text = shortened(allele.id, kAlleleText)},
                    {.text = shortened(allele.ref, kAlleleText)},
                    {.text = shortened(allele.alt, kAlleleText)},
                    {.text = std::string(to_string(type_of(allele.ref, allele.alt)))},
                    {.text = fmt::format("{:.4f}", allele.llr)},
                    std::move(track)});
  }
  return table_html(fmt::format("The {} lowest log-likelihood ratios", rows.size()),
                    {"position", "id", "ref", "alt", "type", "LLR", "in track"}, "lllllrl", rows);
}

}  // namespace

Section variant_section(const std::string& path, const std::string& id,
                        std::span<const TrackPlace> places) {
  io::ScoredVcfReader reader(path);
  VariantSummary summary(kLowest);
  io::ScoredVariant variant;
  while (reader.read(variant))
    summary.add(variant);
  Section section;
  section.id = id;
  section.heading = fmt::format("Variants: {}", file_name(path));
  auto facts = provenance_facts(reader.provenance());
  facts.emplace_back("records", fmt::format("{}", summary.n_records()));
  section.html = facts_html(facts);
  if (summary.n_records() == 0) {
    section.html += paragraph_html("No records.");
    return section;
  }
  const auto& types = summary.by_type();
  const bool has_scores = std::any_of(
      types.begin(), types.end(), [](const LlrDistribution& each) { return each.n_scored > 0; });
  if (has_scores) {
    Figure figure = variant_figure(summary);
    figure.name = slug(file_name(path)) + "-llr";
    section.html += figure_html(figure, id + "-llr");
    section.figures.push_back(std::move(figure));
  }
  section.html += type_table(summary) + skip_table(summary);
  if (has_scores) {
    section.html += paragraph_html(
        "Positions are 1-based; their links open them in an IGV that runs on this computer.");
    section.html += lowest_table(summary, places);
  }
  return section;
}

}  // namespace genomamba::report
