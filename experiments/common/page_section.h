#pragma once
#include "polhode/format/plots/report_page.h"
#include "record.h"

/// Parts of the page.
namespace polhode::experiments {

/// Styles of what is below, for a ReportPage.
const char* section_css();

/// A word and a mark for what came of a verdict: colour is not the only thing that tells them apart.
std::string badge(bench::Verdict::Kind kind);

/// One experiment. Links go to files below the page's folder; `has_view` if NAME/view.html is there.
void add_section(format::ReportPage& page, const Record& record, bool has_view, const std::string& machine_of_page);

}  // namespace polhode::experiments
