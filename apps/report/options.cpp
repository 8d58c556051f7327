// SPDX-License-Identifier: MIT
#include "report/options.hpp"

#include "genomamba/core/error.hpp"

namespace genomamba::apps::report {

void Options::add_to(CLI::App& app) {
  app.add_option(
         "INPUT", report.inputs,
         "Embeddings (.npy with its .rows.tsv.gz), scores (TSV, bedGraph, bigWig), scored VCF "
         "or BCF, run reports (--report FILE.json); recognised by content")
      ->required();
  app.add_option("-o,--output", output, "The page, one HTML file; - is stdout")->required();
  app.add_option("--svg", svg_dir, "Also each figure as an SVG file in this folder");
  app.add_option("--title", report.title, "Heading of the page")->capture_default_str();
  app.add_option("-r,--region", report.regions,
                 "Show this part of the scores: CONTIG:START-END, 1-based; again for more")
      ->expected(1)
      ->take_all();
  app.add_option("-f,--reference", report.reference,
                 "FASTA: the letters under bedGraph and bigWig tracks");
  app.add_option("--score", report.scores, "Columns of a score TSV (default: all but p_A ... p_T)")
      ->delimiter(',');
  app.add_option("--smooth", report.smooth, "Positions of the running mean of scores")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  const std::string group = "Embeddings";
  app.add_option("--labels", report.labels,
                 "TSV: id, then labels of the record; a header line names them")
      ->group(group);
  app.add_option("--color-by", report.color_by,
                 "Column of the labels or the row table (default: the first label, else length)")
      ->group(group);
  app.add_option(
         "--second", report.second,
         "Column that colours a second scatter: length, gc, any other, or none (default: gc "
         "with --sequences, else length)")
      ->group(group);
  app.add_option("--sequences", report.sequences,
                 "The sequences that were embedded, for gc; again for more")
      ->expected(1)
      ->take_all()
      ->group(group);
  app.add_flag("-q,--quiet", quiet, "Warnings and errors only");
  app.footer(
      "Example:\n"
      "  genomamba report -o report.html reads.npy genes.tsv.gz scored.vcf.gz run.json");
}

void Options::validate() const {
  for (const std::string& input : report.inputs) {
    if (input == "-") throw UsageError("an input cannot be stdin: it is read more than once");
  }
  if (report.smooth % 2 == 0) throw UsageError("--smooth: an odd number is wanted");
}

}  // namespace genomamba::apps::report
