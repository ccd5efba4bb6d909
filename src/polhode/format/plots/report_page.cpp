#include "polhode/format/plots/report_page.h"

#include <fmt/format.h>

#include "polhode/format/plots/markup.h"
#include "polhode/format/plots/plot.h"

namespace polhode::format {
namespace {

const char* const page_css =
    R"(:root{color-scheme:light dark;--paper:#fff;--ink:#24292f;--faint:#57606a;--rule:#d0d7de;--panel:#f6f8fa}
@media screen and (prefers-color-scheme:dark){:root{--paper:#0d1117;--ink:#e6edf3;--faint:#9aa4af;--rule:#30363d;--panel:#161b22}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem;max-width:70rem;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.5rem;line-height:1.25;margin:.5rem 0}
h2{font-size:1.15rem;margin:2rem 0 .5rem;padding-top:.5rem;border-top:1px solid var(--rule)}
h1,p{overflow-wrap:anywhere}
.note{border-left:4px solid #d55e00;background:var(--panel);padding:.5rem .75rem;white-space:pre-wrap}
.scroll{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.3rem .75rem;border-bottom:1px solid var(--rule);text-align:right;vertical-align:top;white-space:nowrap}
th:first-child{text-align:left;position:sticky;left:0;background:var(--paper);font-weight:400;white-space:normal;min-width:7.5rem}
thead th{font-weight:600}
th.text,td.text{text-align:left;white-space:normal;overflow-wrap:anywhere;min-width:11rem}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,26rem),1fr));gap:1rem;margin:1rem 0}
figure{margin:0;padding:.5rem;background:var(--panel);border-radius:.5rem;break-inside:avoid}
figure svg{display:block;width:100%;height:auto}
figcaption{font-size:.85rem;color:var(--faint);padding:.25rem}
pre{overflow-x:auto;background:var(--panel);border-radius:.5rem;padding:.75rem;font:13px/1.45 ui-monospace,monospace;margin:.5rem 0}
summary{cursor:pointer}
@media (max-width:36rem){body{padding:.6rem}table{font-size:.85rem}th,td{padding:.3rem .4rem}.plot text{font-size:14px}.plot .legend{font-size:12px}figure{padding:.25rem}}
@media print{body{max-width:none;font-size:12px}pre{white-space:pre-wrap}.scroll{overflow:visible}}
)";

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("+-.0123456789e") == std::string::npos;
}

}  // namespace

ReportPage::ReportPage(std::string_view title) : title_(for_markup(title)) {}

void ReportPage::end_figures() {
  if (in_figures_) body_ += "</div>\n";
  in_figures_ = false;
}

void ReportPage::heading(std::string_view text, std::string_view id) {
  end_figures();
  const std::string attribute = id.empty() ? "" : fmt::format(" id=\"{}\"", for_markup(id));
  body_ += fmt::format("<h2{}>{}</h2>\n", attribute, for_markup(text));
}

void ReportPage::paragraph(std::string_view text) {
  end_figures();
  body_ += fmt::format("<p>{}</p>\n", for_markup(text));
}

void ReportPage::note(std::string_view text) {
  end_figures();
  body_ += fmt::format("<p class=\"note\">{}</p>\n", for_markup(text));
}

void ReportPage::table(const ReportTable& table) {
  end_figures();
  // A column without any number is text, and reads from the left.
  std::vector<const char*> kinds(table.header.size(), " class=\"text\"");
  for (const auto& row : table.rows)
    for (std::size_t i = 0; i < row.size() && i < kinds.size(); ++i)
      if (i == 0 || is_number(row[i])) kinds[i] = "";
  body_ += "<div class=\"scroll\"><table>\n<thead><tr>";
  for (std::size_t i = 0; i < table.header.size(); ++i)
    body_ += fmt::format("<th scope=\"col\"{}>{}</th>", kinds[i], for_markup(table.header[i]));
  body_ += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    body_ += "<tr>";
    for (std::size_t i = 0; i < row.size() && i < kinds.size(); ++i)
      body_ += i == 0 ? fmt::format("<th scope=\"row\">{}</th>", for_markup(row[i]))
                      : fmt::format("<td{}>{}</td>", kinds[i], for_markup(typographic(row[i])));
    body_ += "</tr>\n";
  }
  body_ += "</tbody></table></div>\n";
}

void ReportPage::facts(const std::vector<std::pair<std::string, std::string>>& facts) {
  end_figures();
  body_ += "<div class=\"scroll\"><table>\n<tbody>\n";
  for (const auto& [name, value] : facts)
    body_ += fmt::format("<tr><th scope=\"row\">{}</th><td class=\"text\">{}</td></tr>\n", for_markup(name), for_markup(value));
  body_ += "</tbody></table></div>\n";
}

void ReportPage::figure(std::string_view svg, std::string_view caption) {
  if (!in_figures_) body_ += "<div class=\"figures\">\n";
  in_figures_ = true;
  body_ += fmt::format("<figure>{}", svg);
  if (!caption.empty()) body_ += fmt::format("<figcaption>{}</figcaption>", for_markup(caption));
  body_ += "</figure>\n";
}

void ReportPage::preformatted(std::string_view text) {
  end_figures();
  body_ += fmt::format("<pre>{}</pre>\n", for_markup(text));
}

void ReportPage::folded(std::string_view summary, std::string_view text) {
  end_figures();
  body_ += fmt::format("<details><summary>{}</summary><pre>{}</pre></details>\n", for_markup(summary), for_markup(text));
}

void ReportPage::markup(std::string_view html) {
  end_figures();
  body_ += html;
}

void ReportPage::style(std::string_view css) { css_ += css; }

std::string ReportPage::html() const {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>{0}</title>\n"
      "<style>\n{1}{2}{3}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{4}{5}</body>\n</html>\n",
      title_, plot_css(), page_css, css_, body_, in_figures_ ? "</div>\n" : "");
}

}  // namespace polhode::format
