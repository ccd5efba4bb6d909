#include "polhode/mechanism/one_sided.h"

#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

namespace polhode {
namespace {

std::vector<RowLevel> levels_of(const std::shared_ptr<const CustomConstraint>& model) {
  std::vector<RowLevel> levels;
  for (int row = 0; row < model->num_rows(); ++row) levels.push_back(model->level(row));
  return levels;
}
template <class Model>
std::vector<RowLevel> levels_of(const Model& model) {
  if constexpr (LinearConstraint<Model>) {
    return {model.equation().level};
  } else {
    std::vector<RowLevel> levels(std::size_t(Model::num_rows), RowLevel::position);
    for (int row = Model::num_rows - Model::nonholonomic; row < Model::num_rows; ++row)
      levels[std::size_t(row)] = RowLevel::velocity;
    return levels;
  }
}

}  // namespace

std::string objection_to_one_side(const Constraint& constraint) {
  const std::vector<RowLevel> levels = std::visit([](const auto& model) { return levels_of(model); }, constraint.model);
  if (levels.size() != 1)
    return fmt::format("{} has {} rows, so it cannot hold on one side only; a constraint with one row can",
                       constraint.description, levels.size());
  if (levels[0] != RowLevel::position)
    return fmt::format("{} is at level {}, so it cannot hold on one side only; a constraint of positions can",
                       constraint.description, name(levels[0]));
  return {};
}

void require_equations(const Mechanism& mechanism) {
  std::vector<Problem> problems;
  for (const Constraint& constraint : mechanism.constraints()) {
    if (is_one_sided(constraint))
      problems.push_back({fmt::format("{} holds on one side only (h >= 0), which nothing solves yet; make it an equation, or "
                                      "leave it out",
                                      constraint.description),
                          constraint.source});
  }
  if (!problems.empty()) throw ModelError(std::move(problems));
}

}  // namespace polhode
