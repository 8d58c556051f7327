// SPDX-License-Identifier: MIT
#include "launcher/help.hpp"

#include <fmt/format.h>

#include "common/man_page.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/core/version.hpp"
#include "launcher/launch.hpp"

namespace genomamba::apps::launcher {
namespace {

constexpr const char* kSummary = "Mamba-family DNA language models on ordinary CPUs";

constexpr const char* kExamples =
    "  genomamba embed reads.fq.gz -o reads.npy          a vector a read\n"
    "  genomamba score -f genome.fa -r chr1:1,001-2,000  a value a position\n"
    "  genomamba help score                              an app's options\n"
    "  man genomamba-score                               the same as a manual page\n";

/// Variable and meaning.
constexpr const char* kVariables[][2] = {
    {"GENOMAMBA_MODEL", "The model, where --model is not given."},
    {"GENOMAMBA_THREADS", "The number of threads, where --threads is not given."},
    {"SLURM_CPUS_PER_TASK, OMP_NUM_THREADS",
     "The number of threads, in this order, where neither of the two above is given."},
    {"GENOMAMBA_ISA", "The kernels, where --isa is not given: baseline, avx2, avx512, neon, ref."},
    {"HF_HUB_CACHE, HF_HOME", "Where hf:ORG/NAME is looked up. Nothing is ever downloaded."},
    {"REF_PATH, REF_CACHE",
     "Local references of CRAM files, where --reference is not given. URLs are not tried."},
    {"NO_COLOR", "Plain messages on a terminal."},
};

std::string man_page() {
  std::string text = fmt::format(
      ".TH GENOMAMBA 1 \"\" \"genomamba {}\" \"genomamba manual\"\n.SH NAME\ngenomamba \\- {}\n"
      ".SH SYNOPSIS\n\\fBgenomamba\\fR \\fIAPP\\fR [\\fIoptions\\fR]\n.br\n"
      "\\fBgenomamba help\\fR \\fIAPP\\fR\n.br\n\\fBgenomamba version\\fR\n.SH APPS\n"
      "Each is a program of its own, genomamba\\-APP, with its own page.\n",
      kVersion, roff_text(kSummary));
  for (const Entry& entry : entries()) {
    text += fmt::format(".TP\n\\fBgenomamba\\-{}\\fR(1)\n{}\n", roff_text(entry.name),
                        roff_text(entry.summary));
  }
  text +=
      ".SH OPTIONS\n.TP\n\\fB\\-\\-version\\fR\nOne line: name and version.\n"
      ".TP\n\\fB\\-\\-version\\-only\\fR\nThe bare version number.\n"
      ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nThe list of apps.\n.SH ENVIRONMENT\n";
  for (const auto& [name, meaning] : kVariables)
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff_text(name), roff_text(meaning));
  text += ".SH EXAMPLES\n.nf\n" + roff_text(kExamples) + "\n.fi\n";
  return text;
}

}  // namespace

std::string help_text() {
  std::string text = fmt::format(
      "genomamba: {}\n\n"
      "usage: genomamba APP [options]     genomamba APP --help\n\napps:\n",
      kSummary);
  for (const Entry& entry : entries())
    text += fmt::format("  {:<10} {}\n", entry.name, entry.summary);
  text +=
      "\n  help APP   the app's options\n"
      "  version    how this program was built and which kernels it uses\n"
      "\n  --version, --version-only\n\nExamples:\n";
  return text + kExamples;
}

std::string help_as(const std::string& format) {
  if (format == "man") return man_page();
  if (format == "bash") return bash_completion();
  if (format == "zsh") return zsh_completion();
  if (format == "fish") return fish_completion();
  throw UsageError("--help-as " + format + ": man, bash, zsh or fish is wanted");
}

}  // namespace genomamba::apps::launcher
