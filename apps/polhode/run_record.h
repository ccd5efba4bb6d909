#pragma once
#include <string>

/// What a report says about where its numbers come from.
namespace polhode::cli {

/// As it would be typed into a shell; empty where the system does not tell.
std::string command_line();
/// Processor and operating system.
std::string machine();
/// Now, in universal time.
std::string date();

}  // namespace polhode::cli
