#include "page.h"

#include <fmt/format.h>

#include "machine.h"
#include "page_section.h"
#include "polhode/format/plots/markup.h"
#include "whole_file.h"

namespace polhode::experiments {
namespace {

using format::for_markup;
using Kind = bench::Verdict::Kind;
using Records = std::span<const std::optional<Record>>;

std::string summary_row(const Experiment& experiment, const std::optional<Record>& record) {
  if (!record) {
    return fmt::format(
        "<tr><th scope=\"row\">{}</th><td class=\"outcome\">not run yet</td><td></td><td></td><td></td>"
        "<td class=\"text\">{}</td></tr>\n",
        for_markup(experiment.title), for_markup(experiment.source));
  }
  const Counts counts = counts_of(*record);
  std::string outcome = badge(counts.missed > 0 ? Kind::missed : counts.met > 0 ? Kind::met : Kind::not_measured);
  if (!record->failure.empty()) outcome = "<span class=\"badge missed\">✗ failed</span>";
  if (counts.missed > 0 && record->failure.empty())
    outcome = fmt::format("<span class=\"badge missed\">✗ {} missed</span>", counts.missed);
  return fmt::format(
      "<tr><th scope=\"row\"><a href=\"#{}\">{}</a></th><td class=\"outcome\">{}</td><td>{} of {}</td><td>{}</td>"
      "<td>{:.1f}{}</td><td class=\"text\">{}</td></tr>\n",
      for_markup(record->name), for_markup(record->title), outcome, counts.met, counts.met + counts.missed, counts.not_measured,
      record->seconds, record->quick ? ", quick" : "", for_markup(record->source));
}

void add_summary(format::ReportPage& page, std::span<const Experiment* const> experiments, Records records) {
  std::string rows;
  for (std::size_t i = 0; i < experiments.size(); ++i) rows += summary_row(*experiments[i], records[i]);
  page.markup(fmt::format(
      "<div class=\"scroll\"><table class=\"summary\">\n<thead><tr><th scope=\"col\">experiment</th><th scope=\"col\" "
      "class=\"outcome\">outcome</th><th scope=\"col\">hold</th><th scope=\"col\">not measured</th><th scope=\"col\">time "
      "[s]</th>"
      "<th scope=\"col\" class=\"text\">source</th></tr></thead>\n<tbody>\n{}</tbody></table></div>\n",
      rows));
}

/// Claims that do not hold are not to be looked for.
void add_missed(format::ReportPage& page, Records records) {
  std::string items;
  for (const auto& record : records) {
    if (!record) continue;
    for (const Judged& judged : record->verdicts) {
      if (judged.verdict.kind != Kind::missed) continue;
      items += fmt::format("<li><a href=\"#{}\">{}</a>: {}</li>\n", for_markup(record->name), for_markup(record->title),
                           for_markup(judged.verdict.claim));
    }
  }
  if (!items.empty()) page.markup(fmt::format("<p class=\"caption\">Missed</p>\n<ul class=\"notes\">\n{}</ul>\n", items));
}

void add_machine(format::ReportPage& page, const PageContext& context) {
  const std::string missing = context.missing.empty() ? "none" : fmt::format("{}", fmt::join(context.missing, ", "));
  page.facts({{"processor", context.processor},
              {"compiler", context.compiler},
              {"engines", fmt::format("{}", fmt::join(context.engines, ", "))},
              {"peers that are not installed", missing},
              {"written", context.date}});
}

/// Findings that cannot be read are told of in their place; they take nothing from the other experiments.
std::optional<Record> load_or_tell(const Experiment& experiment, const std::filesystem::path& out) {
  try {
    return load(experiment.name, out);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    Record record{.name = experiment.name, .title = experiment.title, .source = experiment.source, .claim = experiment.claim};
    record.machine = processor() + ", " + compiler();
    record.failure = error.what();
    return record;
  }
}

}  // namespace

std::string page_of(const PageContext& context, std::span<const Experiment* const> experiments, Records records) {
  format::ReportPage page("Polhode: the papers' experiments, made again");
  page.style(section_css());
  page.paragraph(
      "Figures and tables of the papers that Polhode grew from, made again with its methods, and with five other engines on "
      "the "
      "same mechanisms in the same run. Whether a claim holds is computed from what was measured; energy, gaps and "
      "errors of all engines come from one routine that sees nothing but the poses of bodies.");
  add_machine(page, context);
  page.heading("Summary", "summary");
  add_summary(page, experiments, records);
  add_missed(page, records);
  for (const auto& record : records) {
    if (!record) continue;
    const bool has_view = std::filesystem::exists(context.out / record->name / "view.html");
    add_section(page, *record, has_view, context.processor + ", " + context.compiler);
  }
  return page.html();
}

void write_page(const std::filesystem::path& out, std::span<const Experiment* const> experiments) {
  std::vector<std::optional<Record>> records;
  for (const Experiment* experiment : experiments) records.push_back(load_or_tell(*experiment, out));
  const PageContext context{processor(), compiler(), now(), engines(), no_engines(), out};
  write_whole_file(out / "index.html", page_of(context, experiments, records));
}

}  // namespace polhode::experiments
