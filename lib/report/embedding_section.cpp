// SPDX-License-Identifier: MIT
#include "embedding_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "coloring.hpp"
#include "gc_content.hpp"
#include "genomamba/core/error.hpp"
#include "genomamba/io/embedding_writer.hpp"
#include "genomamba/io/npy_reader.hpp"
#include "label_table.hpp"
#include "neighbor_purity.hpp"
#include "pca.hpp"
#include "row_columns.hpp"
#include "row_sample.hpp"
#include "scatter.hpp"
#include "text.hpp"

namespace genomamba::report {
namespace {

constexpr std::size_t kComponents = 10;
constexpr std::size_t kPurityRows = 5000;
constexpr std::size_t kLabelRows = 50;  ///< lines of the table of labels
constexpr std::size_t kTitleId = 60;
constexpr std::size_t kTitleValue = 30;

/// One embedding on its way into the page.
class EmbeddingReport {
 public:
  EmbeddingReport(const std::string& path, std::string id, const ReportOptions& options,
                  std::size_t n_points)
      : options_(options), n_points_(n_points), matrix_(path), path_(path) {
    section_.id = std::move(id);
    section_.heading = fmt::format("Embedding: {}", file_name(path));
    source_ = {static_cast<std::size_t>(matrix_.rows()), static_cast<std::size_t>(matrix_.cols()),
               [this](std::size_t begin, std::size_t n, std::span<float> values) {
                 matrix_.read(begin, n, values);
               }};
  }

  Section make() {
    read_tables();
    find_usable_rows();
    add_facts();
    if (usable_.size() < 2) {
      section_.html += paragraph_html("Fewer than two vectors: there is nothing to compare.");
      return std::move(section_);
    }
    fit();
    add_scatters();
    add_labels();
    return std::move(section_);
  }

 private:
  void read_tables() {
    const std::string rows_path = io::row_table_path(path_);
    second_ = options_.second;
    if (second_.empty()) second_ = options_.sequences.empty() ? "length" : "gc";
    table_ = read_row_columns(rows_path, {"length", options_.color_by, second_});
    if (table_.offsets.empty() && table_.ids.size() != source_.rows) {
      throw InputError(rows_path, "",
                       fmt::format("has {} rows, the matrix {}", table_.ids.size(), source_.rows));
    }
    if (!options_.labels.empty()) labels_ = read_labels(options_.labels, table_.ids);
    primary_ = options_.color_by;
    if (primary_.empty() && labels_) primary_ = labels_->columns.front();
    if (primary_.empty()) primary_ = "length";
    values_[primary_] = column(primary_);
    if (second_ == "none" || second_ == primary_) second_.clear();
    if (!second_.empty()) values_[second_] = column(second_);
  }

  /// One value a row of the table.
  std::vector<std::string> column(const std::string& name) const {
    if (labels_) {
      const auto found = labels_->values.find(name);
      if (found != labels_->values.end()) return found->second;
    }
    const auto found = table_.values.find(name);
    if (found != table_.values.end()) return found->second;
    if (name == "gc") {
      if (!options_.sequences.empty()) return gc_content(options_.sequences, table_.ids);
      throw UsageError("column gc is made from the sequences: --sequences names their file");
    }
    std::string known;
    for (const std::string& each : table_.names)
      known += (known.empty() ? "" : ", ") + each;
    if (labels_) {
      for (const std::string& each : labels_->columns)
        known += ", " + each;
    }
    throw UsageError(fmt::format("no column '{}' for {}; there are {}", name, path_, known));
  }

  /// The row of the table that a row of the matrix belongs to.
  std::size_t record_of(std::size_t row) const {
    if (table_.offsets.empty()) return row;
    const auto after = std::upper_bound(table_.offsets.begin(), table_.offsets.end(), row);
    if (after == table_.offsets.begin()) {
      throw InputError(table_.path, "", "its first offset is not 0");
    }
    return static_cast<std::size_t>(after - table_.offsets.begin()) - 1;
  }

  void find_usable_rows() {
    std::vector<std::size_t> all(source_.rows);
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = i;
    for_rows(source_, all, [&](std::size_t row, std::span<const float> values) {
      const bool is_finite = std::all_of(values.begin(), values.end(),
                                         [](float value) { return std::isfinite(value); });
      if (is_finite) usable_.push_back(row);
    });
    fitted_ = sample_rows(usable_, n_fit_rows(usable_.size(), source_.cols));
  }

  void add_facts() {
    auto facts = provenance_facts(table_.provenance);
    facts.emplace_back("records", fmt::format("{}", table_.ids.size()));
    facts.emplace_back("vectors", fmt::format("{} of {} numbers", source_.rows, source_.cols));
    if (usable_.size() < source_.rows) {
      facts.emplace_back("vectors left out",
                         fmt::format("{}: not a number (no bases)", source_.rows - usable_.size()));
    }
    if (labels_ && (labels_->n_unlabelled > 0 || labels_->n_unused > 0)) {
      facts.emplace_back("labels", fmt::format("{} records have none; {} lines fit no record",
                                               labels_->n_unlabelled, labels_->n_unused));
    }
    section_.html += facts_html(facts);
  }

  void fit() {
    pca_ = fit_pca(source_, fitted_, kComponents);
    const std::string rows =
        fitted_.size() == usable_.size()
            ? fmt::format("all {} vectors", fitted_.size())
            : fmt::format("{} of {} vectors, drawn by chance with a fixed seed", fitted_.size(),
                          usable_.size());
    double shown = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(2, pca_.n_components()); ++i)
      shown += pca_.explained_ratio(i);
    section_.html += paragraph_html(fmt::format(
        "Principal components of {}, centred, not scaled. The first two hold {} of the variance.",
        rows, percent_text(shown)));
  }

  void add_scatters() {
    const std::size_t n_plots = second_.empty() ? 1 : 2;
    const auto drawn = sample_rows(usable_, std::max<std::size_t>(n_points_ / n_plots, 1));
    if (drawn.size() < usable_.size()) {
      section_.html += paragraph_html(
          fmt::format("The scatters show {} of {} vectors, drawn by chance with a fixed seed.",
                      drawn.size(), usable_.size()));
    }
    std::vector<ScatterPoint> points;
    for_rows(source_, drawn, [&](std::size_t row, std::span<const float> values) {
      const double y = pca_.n_components() > 1 ? pca_.project(values, 1) : 0;
      points.push_back({pca_.project(values, 0), y, row, title_of(record_of(row))});
    });
    section_.html += "<div class=\"pair\">";
    add_scatter(points, primary_);
    if (!second_.empty()) add_scatter(points, second_);
    Figure variance = variance_figure(pca_);
    variance.name = slug(file_name(path_)) + "-variance";
    section_.html += figure_html(variance, section_.id + "-variance") + "</div>\n";
    section_.figures.push_back(std::move(variance));
  }

  /// `points[i].entry` is the row of the matrix.
  void add_scatter(const std::vector<ScatterPoint>& points, const std::string& column_name) {
    const std::vector<std::string>& values = values_.at(column_name);
    const Coloring coloring = color_values(column_name, values);
    std::vector<ScatterPoint> mixed;
    for (const std::size_t i : shuffled_order(points.size())) {
      mixed.push_back(points[i]);
      mixed.back().entry = coloring.entry_of[record_of(points[i].entry)];
    }
    Figure figure = scatter_figure(mixed, pca_, coloring);
    const std::string name = "by-" + slug(column_name);
    figure.name = slug(file_name(path_)) + "-" + name;
    section_.html +=
        figure_html(figure, fmt::format("{}-scatter-{}", section_.id, section_.figures.size()));
    section_.figures.push_back(std::move(figure));
  }

  std::string title_of(std::size_t record) const {
    std::string title = shortened(table_.ids[record], kTitleId);
    for (const auto& [name, values] : values_) {
      title += fmt::format("\n{}: {}", shortened(name, kTitleValue),
                           shortened(values[record], kTitleValue));
    }
    return title;
  }

  /// The table of labels and how pure their neighbourhoods are.
  void add_labels() {
    const Categories categories = categories_of(values_.at(primary_));
    if (color_values(primary_, values_.at(primary_)).is_numeric || categories.names.size() < 2)
      return;
    const auto compared = sample_rows(usable_, kPurityRows);
    std::vector<std::size_t> label_of;
    for (const std::size_t row : compared)
      label_of.push_back(categories.of[record_of(row)]);
    const auto purity = neighbor_purity(source_, compared, label_of, categories.names.size());
    section_.html += paragraph_html(fmt::format(
        "Nearest-neighbour purity of {}: {:.3f} (by chance {:.3f}). This is the share of vectors "
        "whose nearest other vector, by Euclidean distance in all {} dimensions, has the same "
        "label; {}.",
        primary_, purity.purity, purity.by_chance, source_.cols,
        compared.size() == usable_.size()
            ? fmt::format("all {} vectors were compared", compared.size())
            : fmt::format("{} of {} vectors, drawn by chance, were compared with one another",
                          compared.size(), usable_.size())));
    add_label_table(categories, purity);
  }

  void add_label_table(const Categories& categories, const NeighborPurity& purity) {
    std::vector<std::size_t> order(categories.names.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return categories.counts[a] > categories.counts[b];
    });
    std::vector<std::vector<Cell>> rows;
    for (const std::size_t i : order) {
      if (rows.size() == kLabelRows) break;
      const std::string& name = categories.names[i];
      rows.push_back(
          {{.text = name.empty() ? "none" : shortened(name, 200)},
           {.text = fmt::format("{}", categories.counts[i])},
           {.text =
                std::isnan(purity.of_label[i]) ? "-" : fmt::format("{:.3f}", purity.of_label[i])}});
    }
    const std::string caption = order.size() > kLabelRows
                                    ? fmt::format("{} of {} values of {}, the most frequent",
                                                  kLabelRows, order.size(), primary_)
                                    : fmt::format("Values of {}", primary_);
    section_.html += table_html(caption, {primary_, "records", "purity"}, "lrr", rows);
  }

  const ReportOptions& options_;
  std::size_t n_points_;
  io::NpyReader matrix_;
  std::string path_;
  MatrixSource source_;
  RowColumns table_;
  std::optional<LabelTable> labels_;
  std::string primary_;
  std::string second_;
  std::map<std::string, std::vector<std::string>> values_;  ///< the columns that colour
  std::vector<std::size_t> usable_;                         ///< rows of the matrix without NaN
  std::vector<std::size_t> fitted_;
  Pca pca_;
  Section section_;
};

}  // namespace

Section embedding_section(const std::string& path, const std::string& id,
                          const ReportOptions& options, std::size_t n_points) {
  return EmbeddingReport(path, id, options, n_points).make();
}

}  // namespace genomamba::report
