#include "polhode/projected/system.h"

#include <algorithm>
#include <cmath>

#include "polhode/tree/applied_forces.h"

namespace polhode::projected {
namespace {

bool all_finite(const double* x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] - x[i];  // NaN as soon as one value is not finite
  return sum == 0;
}

}  // namespace

System::System(const Mechanism& mechanism, const Options& options)
    : mechanism_(mechanism),
      options_(options),
      charts_(mechanism),
      workspace_(mechanism),
      applied_(std::size_t(mechanism.num_u())) {}

void System::set(const State& state) { applied_.assign(state.applied_forces().begin(), state.applied_forces().end()); }

bool System::derivatives(double t, const double* q, const double* u, const double*, double* u_dot, double* z_dot) {
  const std::size_t nq = std::size_t(num_q()), nu = std::size_t(num_u());
  tree::accelerations_under_all_forces(workspace_, t, {q, nq}, {u, nu}, applied_, {u_dot, nu});
  std::fill_n(z_dot, num_z(), 0.0);
  return all_finite(u_dot, num_u()) && all_finite(z_dot, num_z());
}

double System::norm(const double* e, int n) const {
  if (n == 0) return 0;
  double result = 0;
  if (options_.norm == Norm::infinity) {
    for (int i = 0; i < n; ++i) result = std::max(result, std::abs(e[i]));
    return result;
  }
  for (int i = 0; i < n; ++i) result += e[i] * e[i];
  return std::sqrt(result / n);
}

double System::relative_norm(const double* e, const double* a, const double* b, int n) const {
  if (n == 0) return 0;
  double result = 0;
  const auto scaled = [&](int i) { return e[i] / std::max(1.0, std::max(std::abs(a[i]), std::abs(b[i]))); };
  if (options_.norm == Norm::infinity) {
    for (int i = 0; i < n; ++i) result = std::max(result, std::abs(scaled(i)));
    return result;
  }
  for (int i = 0; i < n; ++i) {
    const double x = scaled(i);
    result += x * x;
  }
  return std::sqrt(result / n);
}

double System::error_norm(const double* e_chart, const double* e_u, const double* e_z, const double* uz0,
                          const double* uz1) const {
  const double of_q = norm(e_chart, num_chart());
  const double of_u = relative_norm(e_u, uz0, uz1, num_u());
  const double of_z = relative_norm(e_z, uz0 + num_u(), uz1 + num_u(), num_z());
  return std::max({of_q, of_u, of_z}) / options_.accuracy;
}

}  // namespace polhode::projected
