#include "verdict_json.h"

namespace polhode::bench {
namespace {

Json json_of(const Verdict& verdict) {
  constexpr const char* words[]{"met", "missed", "not measured"};
  Json result{{"claim", verdict.claim}, {"verdict", words[static_cast<int>(verdict.kind)]}};
  if (verdict.measured) result["measured"] = *verdict.measured;
  if (verdict.bound > 0) result[verdict.at_most ? "at_most" : "at_least"] = verdict.bound;
  return result;
}

}  // namespace

Json json_of(std::span<const Verdict> verdicts) {
  Json list = Json::array();
  for (const Verdict& verdict : verdicts) list.push_back(json_of(verdict));
  return list;
}

}  // namespace polhode::bench
