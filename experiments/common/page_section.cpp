#include "page_section.h"

#include <fmt/format.h>

#include "polhode/format/plots/markup.h"

namespace polhode::experiments {
namespace {

using format::for_markup, format::typographic;

constexpr std::size_t rows_at_a_glance = 14;  // longer tables are folded

std::string link(const std::string& record, const std::string& file, const std::string& text) {
  return fmt::format("<a href=\"{}/{}\">{}</a>", for_markup(record), for_markup(file), for_markup(text));
}

std::string mark_of(About about) {
  if (about == About::mechanics) return "";
  return fmt::format(" <span class=\"about\">{}</span>", about == About::speed ? "on this machine" : "an aim");
}

std::string row_of(const Judged& judged) {
  const bench::Verdict& verdict = judged.verdict;
  const std::string measured = verdict.measured ? typographic(short_number(*verdict.measured)) : "–";
  return fmt::format("<tr><td class=\"outcome\">{}</td><td class=\"text\">{}{}</td><td>{}</td><td>{} {}</td></tr>\n",
                     badge(verdict.kind), for_markup(verdict.claim), mark_of(judged.about), for_markup(measured),
                     verdict.at_most ? "≤" : "≥", for_markup(typographic(short_number(verdict.bound))));
}

void add_verdicts(format::ReportPage& page, const Record& record) {
  if (record.verdicts.empty()) return;
  std::string rows;
  for (const Judged& judged : record.verdicts) rows += row_of(judged);
  page.markup(fmt::format(
      "<div class=\"scroll\"><table class=\"verdicts\">\n<thead><tr><th scope=\"col\">verdict</th><th scope=\"col\" "
      "class=\"text\">claim</th><th scope=\"col\">measured</th><th scope=\"col\">bound</th></tr></thead>\n"
      "<tbody>\n{}</tbody></table></div>\n",
      rows));
}

std::string figure(const Record& record, const Drawn& picture) {
  const std::size_t first = picture.svg.find("<svg"), second = picture.svg.find("<svg", first + 1);
  const bool is_several = first != std::string::npos && second != std::string::npos;
  return fmt::format(
      "<figure{}><div class=\"plots\">{}</div><figcaption>{} <span class=\"files\">{} {} {}</span></figcaption></figure>\n",
      is_several ? " class=\"several\"" : "", picture.svg, for_markup(picture.caption),
      link(record.name, picture.name + ".svg", "SVG"), link(record.name, picture.name + ".png", "PNG"),
      link(record.name, picture.name + ".csv", "CSV"));
}

void add_pictures(format::ReportPage& page, const Record& record) {
  if (record.pictures.empty()) return;
  std::string figures;
  for (const Drawn& picture : record.pictures) figures += figure(record, picture);
  page.markup(fmt::format("<div class=\"figures\">\n{}</div>\n", figures));
}

format::ReportTable shortened(const Table& table) {
  format::ReportTable result{.header = table.columns, .rows = {}};
  for (const auto& row : table.rows) {
    auto& cells = result.rows.emplace_back();
    for (const Cell& cell : row) {
      const double* number = std::get_if<double>(&cell);
      cells.push_back(number ? short_number(*number) : std::get<std::string>(cell));
    }
  }
  return result;
}

void add_table(format::ReportPage& page, const Record& record, const Table& table) {
  const std::string caption = fmt::format("{} <span class=\"files\">{}</span>", for_markup(table.caption),
                                          link(record.name, table.name + ".csv", "CSV"));
  const bool is_long = table.rows.size() > rows_at_a_glance;
  page.markup(is_long ? fmt::format("<details><summary>{}, {} rows</summary>\n", caption, table.rows.size())
                      : fmt::format("<p class=\"caption\">{}</p>\n", caption));
  page.markup("<div class=\"found\">\n");
  page.table(shortened(table));
  page.markup(is_long ? "</div>\n</details>\n" : "</div>\n");
}

void add_notes(format::ReportPage& page, const Record& record) {
  if (record.notes.empty()) return;
  std::string items;
  for (const std::string& note : record.notes) items += fmt::format("<li>{}</li>\n", for_markup(note));
  page.markup(fmt::format("<ul class=\"notes\">\n{}</ul>\n", items));
}

}  // namespace

const char* section_css() {
  return R"(a{color:var(--link)}
:root{--link:#0b57d0;--good:#116329;--bad:#b3261e}
@media screen and (prefers-color-scheme:dark){:root{--link:#8ab4ff;--good:#4ac26b;--bad:#ff8b80}}
.badge{white-space:nowrap;font-weight:600}
.badge.met{color:var(--good)}
.badge.missed{color:var(--bad)}
.badge.none{color:var(--faint);font-weight:400}
.about,.files,.source{color:var(--faint);font-size:.85rem}
.about{white-space:nowrap}
.source{margin:-.25rem 0 .5rem}
.claim{border-left:4px solid var(--rule);padding-left:.75rem;margin:.5rem 0;max-width:52rem}
.caption{margin:1rem 0 -.5rem;font-weight:600}
details{margin:1rem 0}
summary{font-weight:600}
.verdicts th:first-child,.verdicts td:first-child{text-align:left;min-width:0}
.verdicts td.text{min-width:12rem;max-width:40rem}
figure.several{grid-column:1/-1}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:.5rem;align-items:start}
.found table{font-size:.875rem;line-height:1.35}
.found th,.found td{padding:.25rem .5rem}
.found thead th{white-space:normal;min-width:4.5rem;vertical-align:bottom}
.found th:first-child{min-width:10rem}
.notes{max-width:52rem;padding-left:1.2rem}
.summary .outcome{text-align:left}
.summary th:first-child{min-width:9rem}
@media (max-width:36rem){.verdicts td.text{min-width:8rem}.verdicts .badge{white-space:normal}}
)";
}

std::string badge(bench::Verdict::Kind kind) {
  constexpr const char* marks[]{"<span class=\"badge met\">✓ holds</span>", "<span class=\"badge missed\">✗ missed</span>",
                                "<span class=\"badge none\">○ not measured</span>"};
  return marks[int(kind)];
}

void add_section(format::ReportPage& page, const Record& record, bool has_view, const std::string& machine_of_page) {
  page.heading(record.title, record.name);
  page.markup(fmt::format("<p class=\"source\">{} · <code>{}</code> · {:.1f} s · {}{}</p>\n", for_markup(record.source),
                          for_markup(record.name), record.seconds, for_markup(record.date), record.quick ? " · quick" : ""));
  page.markup(fmt::format("<p class=\"claim\">{}</p>\n", for_markup(record.claim)));
  if (!record.failure.empty()) page.note("✗ It ended early: " + record.failure);
  if (record.machine != machine_of_page) page.note("It ran elsewhere: " + record.machine);
  if (has_view) page.markup(fmt::format("<p>▶ {}</p>\n", link(record.name, "view.html", "See it move")));
  add_verdicts(page, record);
  add_pictures(page, record);
  for (const Table& table : record.tables) add_table(page, record, table);
  add_notes(page, record);
}

}  // namespace polhode::experiments
