#pragma once
/// The command lines of the benchmarks.

#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace polhode::bench {

/// One word of a command line: "--key=value", or "--key" with an empty value.
struct Word {
  std::string text, key, value;

  bool is(const char* flag) const { return text == flag; }
  bool gives(const char* option) const { return key == option && !value.empty(); }
};

Word split_word(const std::string& text);
std::vector<std::string> split_at_commas(const std::string& list);
/// Throws std::invalid_argument.
[[noreturn]] void refuse(const Word& word);

/// The file that --out names, if any; opened before the minutes of measuring, so that a bad path is known at once.
/// Throws std::invalid_argument.
std::ofstream open_results(const std::string& file);

/// What the programs that consist of parts are asked for.
struct PartOptions {
  std::vector<std::string> parts;
  std::string out{};  // file for JSON; empty: none
  bool quick = false, strict = false, help = false;

  bool wants(const char* part) const;
};

/// A program that consists of parts: --only, --quick, --out, --strict, --help.
struct PartProgram {
  const char* name;
  const char* usage;
  std::vector<std::string> parts;
  /// Measures and prints; writes results to the file if it is open. Returns how many targets were missed.
  std::function<int(const PartOptions&, std::ofstream& json)> run;
  std::function<bool(const Word&)> takes = [](const Word&) { return false; };  // options of its own
};

/// The whole of main: 0 done, 1 --strict and a target missed, 2 bad usage.
int run_parts(const PartProgram& program, int argc, char** argv);

}  // namespace polhode::bench
