#pragma once
#include <unordered_map>
#include <utility>
#include <vector>

namespace polhode::study {

/// Column and value, by increasing column.
using SparseRow = std::vector<std::pair<int, double>>;
using SparseRows = std::vector<SparseRow>;

/// Which rows of a sparse matrix depend on those before them, by Gaussian elimination row after row: each row that is left with
/// something gets a column of its own, where what is left is largest. Rows that share columns with few others, as those of
/// local loops do, cost the same however many there are.
class RowElimination {
 public:
  /// False when the row depends on earlier ones: less than 1e-9 of it is left.
  bool add(const SparseRow& row);
  int rank() const { return int(pivots_.size()); }
  /// Of the last row, which depends on earlier ones: on which, and how large their part in it is, as a part of its size.
  std::vector<std::pair<int, double>> combination() const;

 private:
  struct Pivot {
    int row, column;
    double size;                                // of the row as it was given
    SparseRow rest;                             // of the row, in columns that no earlier pivot has
    std::vector<std::pair<int, double>> taken;  // pivots, by number, and how much of each was subtracted
  };
  std::vector<Pivot> pivots_;
  std::unordered_map<int, int> pivot_of_column_;
  int count_ = 0;
  double last_size_ = 0;
  std::vector<std::pair<int, double>> last_taken_;
};

}  // namespace polhode::study
