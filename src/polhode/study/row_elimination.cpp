#include "polhode/study/row_elimination.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace polhode::study {
namespace {

constexpr double tiny = 1e-9;  // of the row's size

double size_of(const SparseRow& row) {
  double largest = 0;
  for (const auto& [column, value] : row) largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace

bool RowElimination::add(const SparseRow& row) {
  const int number = count_++;
  last_taken_.clear();
  last_size_ = size_of(row);
  std::map<int, double> left(row.begin(), row.end());
  // Pivots in the order in which they came: what one of them adds to the row lies in columns of later ones.
  std::set<int> waiting;
  for (const auto& [column, value] : row)
    if (const auto found = pivot_of_column_.find(column); found != pivot_of_column_.end()) waiting.insert(found->second);
  while (!waiting.empty()) {
    const int k = *waiting.begin();
    waiting.erase(waiting.begin());
    const Pivot& pivot = pivots_[std::size_t(k)];
    const auto own = left.find(pivot.column);
    if (own == left.end()) continue;
    const double factor = own->second;  // the pivot is one
    left.erase(own);
    if (factor == 0) continue;
    last_taken_.emplace_back(k, factor);
    for (const auto& [column, value] : pivot.rest) {
      if (column == pivot.column) continue;
      left[column] -= factor * value;
      if (const auto found = pivot_of_column_.find(column); found != pivot_of_column_.end()) waiting.insert(found->second);
    }
  }
  int column = -1;
  double most = tiny * last_size_;
  for (const auto& [c, value] : left)
    if (std::abs(value) > most) most = std::abs(value), column = c;
  if (column < 0) return false;
  Pivot pivot{number, column, last_size_, {}, last_taken_};
  const double unit = 1 / left[column];
  for (const auto& [c, value] : left)
    if (std::abs(value) > 1e-15 * last_size_) pivot.rest.emplace_back(c, unit * value);
  for (auto& [k, factor] : pivot.taken) factor *= unit;
  pivot.size *= std::abs(unit);
  pivot_of_column_[column] = int(pivots_.size());
  pivots_.push_back(std::move(pivot));
  return true;
}

/// A pivot's row is its given row, in units of its own, less what was taken of earlier ones: from the last one back, what is
/// taken of a pivot is a multiple of its given row, and less to be taken of those before it.
std::vector<std::pair<int, double>> RowElimination::combination() const {
  std::map<int, double, std::greater<>> of_pivots;
  for (const auto& [k, factor] : last_taken_) of_pivots[k] += factor;
  std::vector<std::pair<int, double>> combination;
  while (!of_pivots.empty()) {
    const auto [k, factor] = *of_pivots.begin();
    of_pivots.erase(of_pivots.begin());
    if (factor == 0) continue;
    const Pivot& pivot = pivots_[std::size_t(k)];
    combination.emplace_back(pivot.row, std::abs(factor) * pivot.size / last_size_);
    for (const auto& [earlier, taken] : pivot.taken) of_pivots[earlier] -= factor * taken;
  }
  std::reverse(combination.begin(), combination.end());
  return combination;
}

}  // namespace polhode::study
