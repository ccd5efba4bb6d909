#include "results.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "numbers.h"
#include "subjects.h"
#include "targets.h"

namespace polhode::bench {
namespace {

constexpr int smallest_n_of_fit = 30;  // below it the fixed cost of a call still shows

std::string title(Operation operation) {
  std::string words = name(operation);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

void print_heading(std::FILE* out, const std::string& heading, std::span<const int> sizes, int width) {
  fmt::print(out, "\n{:<36}", heading);
  for (const int n : sizes) fmt::print(out, "{:>{}}", fmt::format("n = {}", n), width);
}

void print_times(std::FILE* out, const Results& results, Operation operation, std::span<const SubjectLabel> subjects,
                 std::span<const int> sizes) {
  constexpr int width = 11;
  print_heading(out, title(operation) + " [us]", sizes, width);
  fmt::print(out, "{:>{}}\n", "exponent", width);
  for (const SubjectLabel& subject : subjects) {
    fmt::print(out, "  {:<34}", subject.engine);
    for (const int n : sizes) {
      const auto seconds = results.seconds({operation, subject.name, n});
      fmt::print(out, "{:>{}}", seconds ? three_digits(1e6 * *seconds) : "-", width);
    }
    const auto exponent = results.exponent(operation, subject.name);
    fmt::print(out, "{:>{}}\n", exponent ? fmt::format("{:.2f}", *exponent) : "-", width);
  }
}

/// "met" or "MISSED", counting the latter.
const char* verdict(bool met, int& missed) {
  missed += !met;
  return met ? "met" : "MISSED";
}

std::string ratio_cell(const Results& results, const Case& peer, int& missed) {
  const auto ratio = results.ratio_to_ours(peer);
  if (!ratio) return "-";
  const auto least = least_ratio(peer.operation, peer.subject, peer.n);
  if (!least) return three_digits(*ratio);
  return fmt::format("{} >= {} {}", three_digits(*ratio), *least, verdict(*ratio >= *least, missed));
}

int print_ratios(std::FILE* out, const Results& results, Operation operation, std::span<const SubjectLabel> subjects,
                 std::span<const int> sizes) {
  constexpr int width = 20;
  int missed = 0;
  print_heading(out, title(operation) + ": peer / ours", sizes, width);
  fmt::print(out, "\n");
  for (const SubjectLabel& subject : subjects) {
    if (subject.name == our_name) continue;
    fmt::print(out, "  {:<34}", subject.engine);
    for (const int n : sizes) {
      fmt::print(out, "{:>{}}", ratio_cell(results, {operation, subject.name, n}, missed), width);
    }
    fmt::print(out, "\n");
  }
  return missed;
}

/// JSON strings here hold engine names only, yet a quote in one must not break the file.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string number_or_null(std::optional<double> value) { return value ? fmt::format("{:.6g}", *value) : "null"; }

}  // namespace

void Results::record(const Case& measured, double seconds) {
  const auto [entry, is_new] = best_.try_emplace(measured, seconds);
  if (!is_new) entry->second = std::min(entry->second, seconds);
}

std::optional<double> Results::seconds(const Case& measured) const {
  const auto entry = best_.find(measured);
  return entry == best_.end() ? std::nullopt : std::optional(entry->second);
}

std::optional<double> Results::ratio_to_ours(const Case& peer) const {
  const auto theirs = seconds(peer);
  const auto ours = seconds({peer.operation, std::string(our_name), peer.n});
  if (!theirs || !ours) return std::nullopt;
  return *theirs / *ours;
}

std::optional<double> Results::exponent(Operation operation, const std::string& subject) const {
  std::vector<std::pair<double, double>> points;  // n, time
  for (const auto& [measured, seconds] : best_) {
    if (measured.operation != operation || measured.subject != subject || measured.n < smallest_n_of_fit) continue;
    points.emplace_back(measured.n, seconds);
  }
  return log_log_slope(points);
}

int print_tables(std::FILE* out, const Results& results, std::span<const SubjectLabel> subjects, std::span<const int> sizes) {
  for (const Operation operation : all_operations) print_times(out, results, operation, subjects, sizes);

  const bool ours_is_measured =
      std::any_of(subjects.begin(), subjects.end(), [](const SubjectLabel& s) { return s.name == our_name; });
  if (!ours_is_measured) {
    fmt::print(out, "\nPolhode is not built into this program, so there are no ratios to show.\n");
    return 0;
  }
  int missed = 0;
  for (const Operation operation : all_operations) missed += print_ratios(out, results, operation, subjects, sizes);

  if (const auto exponent = results.exponent(Operation::forward_dynamics, std::string(our_name))) {
    fmt::print(out, "\nforward dynamics of polhode grows as n^{:.3f} <= {} {}\n", *exponent, largest_exponent,
               verdict(*exponent <= largest_exponent, missed));
  }
  fmt::print(out, "{}\n", missed == 0 ? "every target is met" : fmt::format("{} targets MISSED", missed));
  return missed;
}

std::string to_json(const Results& results, std::span<const SubjectLabel> subjects) {
  std::vector<std::string> engines, times, exponents;
  for (const SubjectLabel& subject : subjects) {
    engines.push_back(fmt::format("    {}: {}", quoted(subject.name), quoted(subject.engine)));
    for (const Operation operation : all_operations) {
      const auto exponent = results.exponent(operation, subject.name);
      if (!exponent) continue;
      exponents.push_back(fmt::format("    {{\"operation\": \"{}\", \"subject\": {}, \"exponent\": {:.4f}}}", name(operation),
                                      quoted(subject.name), *exponent));
    }
  }
  for (const auto& [measured, seconds] : results.all()) {
    times.push_back(fmt::format(
        "    {{\"operation\": \"{}\", \"subject\": {}, \"n\": {}, \"seconds\": {:.6g}, \"ratio\": {}, \"target\": {}}}",
        name(measured.operation), quoted(measured.subject), measured.n, seconds,
        number_or_null(results.ratio_to_ours(measured)),
        number_or_null(least_ratio(measured.operation, measured.subject, measured.n))));
  }
  return fmt::format("{{\n  \"engines\": {{\n{}\n  }},\n  \"times\": [\n{}\n  ],\n  \"exponents\": [\n{}\n  ]\n}}\n",
                     fmt::join(engines, ",\n"), fmt::join(times, ",\n"), fmt::join(exponents, ",\n"));
}

}  // namespace polhode::bench
