#include "verdict.h"

#include <fmt/format.h>

#include <array>

namespace polhode::bench {

Verdict at_most(std::string claim, std::optional<double> measured, double bound) {
  const Verdict::Kind kind = !measured            ? Verdict::Kind::not_measured
                             : *measured <= bound ? Verdict::Kind::met
                                                  : Verdict::Kind::missed;
  return {std::move(claim), kind, measured, bound, true};
}

Verdict at_least(std::string claim, std::optional<double> measured, double bound) {
  Verdict verdict = at_most(std::move(claim), measured, bound);
  if (measured) verdict.kind = *measured >= bound ? Verdict::Kind::met : Verdict::Kind::missed;
  verdict.at_most = false;
  return verdict;
}

int print_verdicts(std::FILE* out, std::span<const Verdict> verdicts, std::span<const std::string> not_installed) {
  std::array<int, 3> count{};
  fmt::print(out, "\n");
  for (const Verdict& verdict : verdicts) {
    constexpr const char* words[]{"met", "MISSED", "not measured"};
    const std::string value = verdict.measured ? fmt::format("{:.3g}", *verdict.measured) : "-";
    const std::string bound = verdict.bound > 0 ? fmt::format("{} {:g}", verdict.at_most ? "<=" : ">=", verdict.bound) : "";
    fmt::print(out, "{:<48}{:>12} {:<10} {}\n", verdict.claim, value, bound, words[static_cast<int>(verdict.kind)]);
    ++count[static_cast<int>(verdict.kind)];
  }
  if (!not_installed.empty()) fmt::print(out, "not installed, hence not measured: {}\n", fmt::join(not_installed, ", "));
  fmt::print(out, "targets: {} met, {} missed, {} not measured\n", count[0], count[1], count[2]);
  return count[1];
}

}  // namespace polhode::bench
