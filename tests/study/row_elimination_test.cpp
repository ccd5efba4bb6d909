#include "polhode/study/row_elimination.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <map>
#include <random>

namespace polhode::study {
namespace {

/// Rows in a band, as those of local loops, some of which are sums of others near by.
struct Banded {
  SparseRows rows;
  std::vector<std::vector<int>> parts;  // by row: those that it is a sum of; empty where it is its own
};
Banded banded(int n, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  Banded b;
  std::vector<int> own;
  for (int i = 0; i < n; ++i) {
    SparseRow row;
    std::vector<int> parts;
    if (i % 4 == 3) {
      std::map<int, double> sum;
      for (std::size_t k = own.size() - 2; k < own.size(); ++k) {
        parts.push_back(own[k]);
        const double factor = 1 + number(random) / 2;
        for (const auto& [column, value] : b.rows[std::size_t(own[k])]) sum[column] += factor * value;
      }
      row.assign(sum.begin(), sum.end());
    } else {
      for (int c = i; c < i + 5; ++c) row.emplace_back(c, number(random));
      own.push_back(i);
    }
    b.rows.push_back(std::move(row)), b.parts.push_back(std::move(parts));
  }
  return b;
}

TEST(RowElimination, FindsTheRowsThatAreSumsOfEarlierOnesAndOfWhich) {
  std::mt19937 random(7);
  for (const int n : {4, 40, 200}) {
    const Banded b = banded(n, random);
    RowElimination elimination;
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(n, n + 5);
    for (int i = 0; i < n; ++i) {
      for (const auto& [column, value] : b.rows[std::size_t(i)]) dense(i, column) = value;
      const std::vector<int>& parts = b.parts[std::size_t(i)];
      EXPECT_EQ(elimination.add(b.rows[std::size_t(i)]), parts.empty()) << i;
      if (parts.empty()) continue;
      std::vector<int> found;
      for (const auto& [row, share] : elimination.combination())
        if (share > 1e-6) found.push_back(row);
      EXPECT_EQ(found, parts) << i;
    }
    EXPECT_EQ(elimination.rank(), Eigen::FullPivLU<Eigen::MatrixXd>(dense).rank());
  }
}

TEST(RowElimination, CountsARowOfZerosAsOneThatFollowsFromNothing) {
  RowElimination elimination;
  EXPECT_TRUE(elimination.add({{3, 1.0}}));
  EXPECT_FALSE(elimination.add({}));
  EXPECT_TRUE(elimination.combination().empty());
  EXPECT_FALSE(elimination.add({{3, -7.0}}));
  ASSERT_EQ(elimination.combination().size(), 1u);
  EXPECT_NEAR(elimination.combination()[0].second, 1, 1e-15);  // all of it
  EXPECT_EQ(elimination.rank(), 1);
}

}  // namespace
}  // namespace polhode::study
