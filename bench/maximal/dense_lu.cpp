#include "dense_lu.h"

#include <Eigen/LU>

namespace polhode::bench {

struct DenseLu::Data {
  Eigen::MatrixXd matrix;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
};

DenseLu::DenseLu(int rows, std::span<const double> matrix)
    : data_(
          new Data{Eigen::Map<const Eigen::MatrixXd>(matrix.data(), rows, rows), Eigen::PartialPivLU<Eigen::MatrixXd>(rows)}) {}

DenseLu::~DenseLu() = default;

void DenseLu::factor() { data_->lu.compute(data_->matrix); }

void DenseLu::solve(std::span<const double> b, std::span<double> x) const {
  Eigen::Map<Eigen::VectorXd>(x.data(), Eigen::Index(x.size())) =
      data_->lu.solve(Eigen::Map<const Eigen::VectorXd>(b.data(), Eigen::Index(b.size())));
}

}  // namespace polhode::bench
