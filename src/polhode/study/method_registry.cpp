#include "polhode/study/method_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "polhode/projected/maximal/method.h"
#include "polhode/projected/tree/method.h"
#include "polhode/variational/maximal/method.h"
#include "polhode/variational/tree/method.h"

namespace polhode::study {

std::span<const MethodEntry* const> method_registry() {
  static const std::array<const MethodEntry*, 4> all{
      &variational::tree_variational_method(), &projected::tree_projected_method(), &variational::maximal_variational_method(),
      &projected::maximal_projected_method()};
  return all;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodEntry* method : method_registry()) names.push_back(method->name);
  return names;
}

const MethodEntry* find_method(std::string_view name) {
  const auto all = method_registry();
  const auto found = std::find_if(all.begin(), all.end(), [&](const MethodEntry* method) { return method->name == name; });
  return found == all.end() ? nullptr : *found;
}

std::string objection_to_method(const std::string& name) {
  if (find_method(name)) return {};
  return fmt::format("method \"{}\" is not known{}", name, suggestion(name, method_names(), "methods"));
}

const MethodEntry& method_named(const std::string& name) {
  const MethodEntry* const found = find_method(name);
  if (!found) throw std::invalid_argument(objection_to_method(name));
  return *found;
}

std::string methods_with(bool MethodFeatures::*feature) {
  std::vector<std::string_view> named;
  for (const MethodEntry* method : method_registry())
    if (method->features.*feature) named.push_back(method->name);
  std::string names;
  for (std::size_t i = 0; i < named.size(); ++i)
    names += std::string(i == 0 ? "" : i + 1 == named.size() ? " or " : ", ") + std::string(named[i]);
  return names;
}

std::vector<std::string> methods_taking(std::string_view option) {
  std::vector<std::string> names;
  for (const MethodEntry* method : method_registry())
    if (method->option(option)) names.push_back(method->name);
  return names;
}

std::vector<std::string> option_names() {
  std::vector<std::string> names;
  for (const MethodEntry* method : method_registry())
    for (const OptionField& field : method->options)
      if (std::find(names.begin(), names.end(), field.name) == names.end()) names.push_back(field.name);
  return names;
}

namespace {

std::vector<Problem> problems_of(const std::vector<Unsupported>& unsupported) {
  std::vector<Problem> problems;
  for (const Unsupported& one : unsupported) problems.push_back(one.problem(methods_with(one.needs)));
  return problems;
}

void require_none(std::vector<Problem> problems) {
  if (!problems.empty()) throw ModelError(std::move(problems));
}

}  // namespace

std::vector<Problem> unsupported_problems(const MethodEntry& method, const Mechanism& mechanism) {
  return problems_of(method.unsupported(mechanism));
}
std::vector<Problem> unsupported_problems(const MethodEntry& method, const State& state) {
  return problems_of(unsupported(state, method.features, method.name));
}
void require_supported(const MethodEntry& method, const Mechanism& mechanism) {
  require_none(unsupported_problems(method, mechanism));
}
void require_supported(const MethodEntry& method, const State& state) { require_none(unsupported_problems(method, state)); }

}  // namespace polhode::study
