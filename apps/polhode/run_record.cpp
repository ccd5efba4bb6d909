#include "run_record.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <ctime>
#include <fstream>
#include <sstream>
#include <thread>

#include "polhode/version.h"

namespace polhode::cli {
namespace {

std::string quoted_for_shell(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                          "_-+=./,:%@") == std::string::npos;
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::string command_line() {
  std::ostringstream all;
  all << std::ifstream("/proc/self/cmdline", std::ios::binary).rdbuf();
  std::istringstream words(all.str());
  std::string line;
  for (std::string word; std::getline(words, word, '\0');) line += (line.empty() ? "" : " ") + quoted_for_shell(word);
  return line;
}

std::string machine() {
  std::string processor;
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; processor.empty() && std::getline(info, line);)
    if (const std::size_t colon = line.find(": "); line.starts_with("model name") && colon != std::string::npos)
      processor = line.substr(colon + 2);
  utsname system{};
  const bool known = uname(&system) == 0;
  return fmt::format("{}{}{}, {} threads", processor, processor.empty() ? "" : ", ",
                     known ? fmt::format("{} {} ({})", system.sysname, system.release, system.machine) : "unknown system",
                     std::thread::hardware_concurrency());
}

std::string date() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[40];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &utc);
  return text;
}

format::ReportRecord report_record() {
  format::ReportRecord facts{{"version", fmt::format("polhode {}", version)}};
  if (const std::string line = command_line(); !line.empty()) facts.emplace_back("command", line);
  facts.emplace_back("machine", machine());
  facts.emplace_back("date", date());
  return facts;
}

}  // namespace polhode::cli
