#include "polhode/projected/tree/runge_kutta.h"

#include <cmath>
#include <utility>

#include "polhode/projected/tableau_dop853.h"
#include "polhode/projected/tableaux.h"

namespace polhode::projected {
namespace {

/// In units of the accuracy.
constexpr double hopeless = 1e3;

template <class Tableau>
constexpr int extra_stages() {
  if constexpr (requires { Tableau::extra_stages; }) return Tableau::extra_stages;
  return 0;
}
template <class Tableau>
constexpr bool has_interpolant = requires {
  Tableau::interpolant(0.5);
};
template <class Tableau>
constexpr bool has_second_estimate = requires {
  Tableau::b_hat;
};

/// Weights that are known when this is compiled, so that zeros cost nothing.
template <class Tableau, int stage>
struct OfStage {
  static constexpr double at(int j) { return Tableau::a[stage][j]; }
};
template <class Tableau>
struct OfResult {
  static constexpr double at(int j) { return Tableau::b[j]; }
};
template <class Tableau>
struct OfError {
  static constexpr double at(int j) { return Tableau::e[j]; }
};
template <class Tableau>
struct OfSecondError {
  static constexpr double at(int j) { return Tableau::b[j] - Tableau::b_hat[j]; }
};
template <class Tableau, int stage>
struct OfExtraStage {
  static constexpr double at(int j) { return Tableau::a_extra[stage][j]; }
};

/// out = base + h sum_j weight_j k_j in one pass over all of it; no base: the sum alone.
template <class Weights, bool with_base, int... j>
void combine(double h, const double* __restrict base, const double* __restrict k, int n, double* __restrict out,
             std::integer_sequence<int, j...>) {
  const double w[] = {h * Weights::at(j)...};
  for (int i = 0; i < n; ++i) {
    double sum = with_base ? base[i] : 0;
    ((Weights::at(j) != 0 ? void(sum += w[j] * k[std::size_t(j) * std::size_t(n) + std::size_t(i)]) : void()), ...);
    out[i] = sum;
  }
}
template <class Weights, int count>
void add_slopes(double h, const double* base, const double* k, int n, double* out) {
  combine<Weights, true>(h, base, k, n, out, std::make_integer_sequence<int, count>{});
}
template <class Weights, int count>
void sum_slopes(double h, const double* k, int n, double* out) {
  combine<Weights, false>(h, nullptr, k, n, out, std::make_integer_sequence<int, count>{});
}

}  // namespace

template <class Tableau>
RungeKutta<Tableau>::RungeKutta(const Mechanism& mechanism, const Options& options)
    : OneStep(mechanism, options, Tableau::error_order, Tableau::stages + 1 + extra_stages<Tableau>()) {
  set_end_slope(Tableau::stages);
  set(State(mechanism));
}

template <class Tableau>
OneStep::Outcome RungeKutta<Tableau>::evaluate_stages(double h) const {
  Outcome outcome = Outcome::done;
  const auto stage = [&]<int i>(std::integral_constant<int, i>) {
    add_slopes<OfStage<Tableau, i>, i>(h, x0_.data(), k(0), num_x(), x_.data());
    outcome = evaluate_stage(t0_ + Tableau::c[i] * h, x_.data(), k(i));
    return outcome == Outcome::done;
  };
  [&]<int... i>(std::integer_sequence<int, i...>) { return (stage(std::integral_constant<int, i + 1>{}) && ...); }
  (std::make_integer_sequence<int, Tableau::stages - 1>{});
  return outcome;
}

template <class Tableau>
double RungeKutta<Tableau>::estimate_error(double h, bool project) {
  constexpr int slopes = Tableau::stages + (Tableau::e[Tableau::stages] != 0 ? 1 : 0);
  double* const e = error_estimate_.data();
  sum_slopes<OfError<Tableau>, slopes>(h, k(0), num_x(), e);
  const double first = error_norm(e, project);
  if constexpr (has_second_estimate<Tableau>) {
    // Hairer's combination of the two (Solving ODEs I, II.10): it falls as h^8, and is never taken in by a small first one.
    sum_slopes<OfSecondError<Tableau>, Tableau::stages>(h, k(0), num_x(), e);
    const double second = error_norm(e, project);
    const double both = std::sqrt(first * first + 0.01 * second * second);
    return both > 0 ? first * (first / both) : 0;
  }
  return first;
}

template <class Tableau>
OneStep::Outcome RungeKutta<Tableau>::attempt(double h, bool error_wanted) {
  constexpr bool error_needs_end = Tableau::e[Tableau::stages] != 0;
  extra_stages_done_ = false;
  if (const Outcome outcome = evaluate_stages(h); outcome != Outcome::done) return outcome;
  add_slopes<OfResult<Tableau>, Tableau::stages>(h, x0_.data(), k(0), num_x(), x1_.data());
  if constexpr (!error_needs_end)
    if (error_wanted) {
      // An error that is hopeless even where projection will take some of it away is not worth arriving for.
      const bool free = system_.is_free();
      error_ = estimate_error(h, false);
      if (!(error_ <= (free ? 1 : hopeless))) return Outcome::done;
    }
  if (const Outcome outcome = arrive(t0_ + h); outcome != Outcome::done) return outcome;
  if constexpr (!error_needs_end)
    if (error_wanted && !system_.is_free() && !((error_ = estimate_error(h, true)) <= 1)) return Outcome::done;
  if (const Outcome outcome = slope_at_end(t0_ + h); outcome != Outcome::done) return outcome;
  if constexpr (error_needs_end)
    if (error_wanted) error_ = estimate_error(h, true);
  return Outcome::done;
}

template <class Tableau>
bool RungeKutta<Tableau>::evaluate_extra_stages(double h) const {
  if constexpr (extra_stages<Tableau>() > 0) {
    if (extra_stages_done_) return true;
    const auto stage = [&]<int i>(std::integral_constant<int, i>) {
      constexpr int before = Tableau::stages + 1 + i;
      add_slopes<OfExtraStage<Tableau, i>, before>(h, x0_.data(), k(0), num_x(), x_.data());
      return evaluate_stage(t0_ + Tableau::c_extra[i] * h, x_.data(), k(before)) == Outcome::done;
    };
    return extra_stages_done_ = [&]<int... i>(std::integer_sequence<int, i...>) {
      return (stage(std::integral_constant<int, i>{}) && ...);
    }
    (std::make_integer_sequence<int, extra_stages<Tableau>()>{});
  }
  return true;
}

template <class Tableau>
void RungeKutta<Tableau>::interpolate_x(double s, double* x) const {
  if constexpr (has_interpolant<Tableau>) {
    const double h = t1_ - t0_;
    if (evaluate_extra_stages(h)) {
      const auto weights = Tableau::interpolant(s);
      for (int i = 0; i < num_x(); ++i) x[i] = x0_[std::size_t(i)];
      for (int j = 0; j < Tableau::interpolant_slopes; ++j) {
        const double w = h * weights[std::size_t(j)];
        const double* const slope = k(j);
        for (int i = 0; i < num_x(); ++i) x[i] += w * slope[i];
      }
      return;
    }
  }
  OneStep::interpolate_x(s, x);
}

template class RungeKutta<ExplicitEuler>;
template class RungeKutta<ExplicitTrapezoid>;
template class RungeKutta<BogackiShampine32>;
template class RungeKutta<Merson4>;
template class RungeKutta<DormandPrince54>;
template class RungeKutta<DormandPrince853>;

}  // namespace polhode::projected
