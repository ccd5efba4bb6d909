#pragma once
#include <algorithm>
#include <array>

namespace polhode {

/// A symmetric matrix of six rows, by its upper triangle, row after row.
struct Symmetric6 {
  static constexpr int rows = 6, numbers = 21;
  std::array<double, numbers> upper{};

  static constexpr Symmetric6 diagonal(const std::array<double, rows>& d) {
    Symmetric6 A;
    for (int i = 0; i < rows; ++i) A.upper[std::size_t(place(i, i))] = d[std::size_t(i)];
    return A;
  }
  constexpr double operator()(int i, int j) const { return upper[std::size_t(place(std::min(i, j), std::max(i, j)))]; }
  constexpr bool is_diagonal() const {
    for (int i = 0; i < rows; ++i)
      for (int j = i + 1; j < rows; ++j)
        if ((*this)(i, j) != 0) return false;
    return true;
  }
  friend constexpr bool operator==(const Symmetric6&, const Symmetric6&) = default;

 private:
  static constexpr int place(int i, int j) { return i * rows - i * (i - 1) / 2 + (j - i); }
};

/// Its eigenvalues, from the least, with their unit eigenvectors.
struct Modes6 {
  std::array<double, Symmetric6::rows> value{};
  std::array<std::array<double, Symmetric6::rows>, Symmetric6::rows> vector{};
};
Modes6 modes_of(const Symmetric6& A);

}  // namespace polhode
