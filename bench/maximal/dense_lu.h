#pragma once
/// Eigen's LU with partial pivoting, compiled for this processor, as ours is: a library that shows nothing else.

#include <memory>
#include <span>

namespace polhode::bench {

class [[gnu::visibility("default")]] DenseLu {
 public:
  /// A square matrix, column after column.
  DenseLu(int rows, std::span<const double> matrix);
  ~DenseLu();

  void factor();  // a copy of the matrix
  void solve(std::span<const double> b, std::span<double> x) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace polhode::bench
