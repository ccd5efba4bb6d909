#include "polhode/projected/jet_invariants.h"

#include <algorithm>
#include <cmath>

namespace polhode::projected {
namespace {

constexpr int width = JetSystem::width;

Vec3<double> vector_at(const double* a) { return {a[0], a[1], a[2]}; }
void add(const Vec3<double>& a, double* out) { out[0] += a.x, out[1] += a.y, out[2] += a.z; }

}  // namespace

bool solve_small(int n, double* A, double* x) {
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int r = k + 1; r < n; ++r)
      if (std::abs(A[r * n + k]) > std::abs(A[pivot * n + k])) pivot = r;
    if (!(std::abs(A[pivot * n + k]) > 0)) return false;
    if (pivot != k) std::swap_ranges(A + k * n, A + (k + 1) * n, A + pivot * n);
    std::swap(x[k], x[pivot]);
    for (int r = k + 1; r < n; ++r) {
      const double factor = A[r * n + k] / A[k * n + k];
      for (int j = k; j < n; ++j) A[r * n + j] -= factor * A[k * n + j];
      x[r] -= factor * x[k];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j) x[k] -= A[k * n + j] * x[j];
    x[k] /= A[k * n + k];
  }
  return true;
}

JetInvariants::JetInvariants(bool energy, bool conservative, std::vector<Invariant> own)
    : energy_(energy), conservative_(conservative), own_(std::move(own)) {
  kept_.resize(std::size_t(count())), values_ = sizes_ = kept_;
}

const std::string& JetInvariants::name(int i) const {
  static const std::string energy = "energy", total = "total energy";
  if (energy_ && i == 0) return conservative_ ? energy : total;
  return own_[std::size_t(i - int(energy_))].name;
}

void JetInvariants::resize(const JetSystem& system) {
  raw_.resize(std::size_t(2 * width * system.mechanism().num_bodies()));
  moved_ = system.bodies();
}

void JetInvariants::evaluate(JetSystem& system, double work) {
  std::size_t i = 0;
  if (energy_) {
    const double kinetic = system.kinetic_energy(), potential = system.potential_energy();
    values_[i] = kinetic + potential - work;
    sizes_[i++] = std::max({energy_seen_, kinetic, std::abs(potential)});
  }
  for (const Invariant& own : own_) {
    values_[i] = own.value(system.time(), system.bodies());
    sizes_[i] = std::max(1.0, std::abs(values_[i]));
    ++i;
  }
}

double JetInvariants::errors(JetSystem& system, double work, double* f) {
  evaluate(system, work);
  double largest = 0;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    f[i] = values_[i] - kept_[i];
    const double error = f[i] == 0 ? 0 : std::abs(f[i]) / sizes_[i];
    if (!(error <= largest)) largest = error;
  }
  return largest;
}

void JetInvariants::keep(JetSystem& system, double work) {
  evaluate(system, work);
  kept_ = values_;
}

void JetInvariants::gradient(JetSystem& system, int i, double* of_position, double* of_velocity) {
  const int bodies = system.coordinates().num_bodies();
  std::fill_n(of_position, width * bodies, 0.0);
  std::fill_n(of_velocity, width * bodies, 0.0);
  if (energy_ && i == 0) {
    energy_gradient(system, of_position, of_velocity);
  } else {
    own_gradient(system, own_[std::size_t(i - int(energy_))], of_position, of_velocity);
  }
  for (int b = 1; b <= bodies; ++b) {
    double *const position = of_position + width * (b - 1), *const velocity = of_velocity + width * (b - 1);
    // Where theta turns by phi while theta1 stays, Omega changes by Omega x phi / 2.
    if (!system.coordinates().planar()) add(0.5 * cross(vector_at(velocity), system.bodies()[std::size_t(b)].w), position);
    system.coordinates().reduce(b, velocity);
  }
}

void JetInvariants::energy_gradient(JetSystem& system, double* of_position, double* of_velocity) {
  const int bodies = system.coordinates().num_bodies();
  for (int b = 1; b <= bodies; ++b) {
    const maximal::BodyMotion& body = system.bodies()[std::size_t(b)];
    const MassProperties& mass = system.mechanism().bodies()[std::size_t(b)].mass;
    add(mass.inertia * body.w, of_velocity + width * (b - 1));
    add(mass.mass * body.v, of_velocity + width * (b - 1) + 3);
  }
  system.evaluate_potential();
  for (int b = 1; b <= bodies; ++b)
    for (int c = 0; c < 6; ++c) of_position[width * (b - 1) + c] = -system.potential_load(b)[c];
}

void JetInvariants::own_gradient(JetSystem& system, const Invariant& invariant, double* of_position, double* of_velocity) {
  const int bodies = system.coordinates().num_bodies();
  if (invariant.gradient) {
    invariant.gradient(system.time(), system.bodies(), raw_);
  } else {
    // Differences of fourth order: a thousandth leaves about 1e-12 of truncation, and of rounding.
    constexpr double eps = 1e-3;
    const auto at = [&](int b, int c, double k) {
      maximal::BodyMotion& body = moved_[std::size_t(b)];
      const maximal::BodyMotion before = body;
      const double move = k * eps;
      Vec3<double> half{};
      if (c < 3) half[c] = 0.5 * move, body.r = normalized(body.r * Quaternion<double>{1, half.x, half.y, half.z});
      if (c >= 3 && c < 6) body.x[c - 3] += move;
      if (c >= 8 && c < 11) body.w[c - 8] += move;
      if (c >= 11 && c < 14) body.v[c - 11] += move;
      const double value = invariant.value(system.time(), moved_);
      body = before;
      return value;
    };
    std::copy(system.bodies().begin(), system.bodies().end(), moved_.begin());
    for (int b = 1; b <= bodies; ++b)
      for (int c = 0; c < 14; ++c)
        raw_[std::size_t(2 * width * b + c)] =
            c == 6 || c == 7 ? 0 : (8 * (at(b, c, 1) - at(b, c, -1)) - (at(b, c, 2) - at(b, c, -2))) / (12 * eps);
  }
  for (int b = 1; b <= bodies; ++b) {
    std::copy_n(raw_.data() + 2 * width * b, 6, of_position + width * (b - 1));
    std::copy_n(raw_.data() + 2 * width * b + width, 6, of_velocity + width * (b - 1));
    system.coordinates().reduce(b, of_position + width * (b - 1));
  }
}

}  // namespace polhode::projected
