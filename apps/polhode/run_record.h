#pragma once
#include <string>

#include "polhode/format/plots/report_record.h"

/// What a report says about where its numbers come from.
namespace polhode::cli {

/// As it would be typed into a shell; empty where the system does not tell.
std::string command_line();
/// Processor and operating system.
std::string machine();
/// Now, in universal time.
std::string date();

/// All of these, and the version of the program.
format::ReportRecord report_record();

}  // namespace polhode::cli
