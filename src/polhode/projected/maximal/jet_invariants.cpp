#include "polhode/projected/maximal/jet_invariants.h"

#include <algorithm>
#include <cmath>

#include "polhode/projected/maximal/acceptance.h"

namespace polhode::projected {
namespace {

constexpr int width = JetSystem::width;

Vec3<double> vector_at(const double* a) { return {a[0], a[1], a[2]}; }
void add(const Vec3<double>& a, double* out) { out[0] += a.x, out[1] += a.y, out[2] += a.z; }

}  // namespace

bool solve_small(int n, double* A, double* x) {
  constexpr int most = JetInvariants::most;
  double row_unit[most], column_unit[most];
  int row[most], column[most];
  for (int i = 0; i < n; ++i) {
    row[i] = column[i] = i;
    row_unit[i] = 0;
    for (int j = 0; j < n; ++j) row_unit[i] = std::max(row_unit[i], std::abs(A[i * n + j]));
    if (!std::isfinite(row_unit[i]) || !std::isfinite(x[i])) return false;
    for (int j = 0; j < n && row_unit[i] > 0; ++j) A[i * n + j] /= row_unit[i];
    if (row_unit[i] > 0) x[i] /= row_unit[i];
  }
  for (int j = 0; j < n; ++j) {
    column_unit[j] = 0;
    for (int i = 0; i < n; ++i) column_unit[j] = std::max(column_unit[j], std::abs(A[i * n + j]));
    for (int i = 0; i < n && column_unit[j] > 0; ++i) A[i * n + j] /= column_unit[j];
  }
  const auto at = [&](int i, int j) -> double& { return A[row[i] * n + column[j]]; };
  int rank = 0;
  for (; rank < n; ++rank) {
    int p = rank, q = rank;
    for (int i = rank; i < n; ++i)
      for (int j = rank; j < n; ++j)
        if (std::abs(at(i, j)) > std::abs(at(p, q))) {
          p = i;
          q = j;
        }
    if (!(std::abs(at(p, q)) > acceptance::dependent_invariants)) break;
    std::swap(row[rank], row[p]);
    std::swap(column[rank], column[q]);
    for (int i = rank + 1; i < n; ++i) {
      const double factor = at(i, rank) / at(rank, rank);
      for (int j = rank; j < n; ++j) at(i, j) -= factor * at(rank, j);
      x[row[i]] -= factor * x[row[rank]];
    }
  }
  double solution[most] = {};
  for (int k = rank - 1; k >= 0; --k) {
    double sum = x[row[k]];
    for (int j = k + 1; j < rank; ++j) sum -= at(k, j) * solution[column[j]];
    solution[column[k]] = sum / at(k, k);
  }
  for (int j = 0; j < n; ++j) x[j] = column_unit[j] > 0 ? solution[j] / column_unit[j] : 0;
  return rank > 0;
}

JetInvariants::JetInvariants(const Mechanism& mechanism, bool energy, bool conservative, std::vector<Invariant> own,
                             std::vector<tree::KeptMomentum> momenta)
    : energy_(energy),
      keeps_energy_(conservative),
      conservative_(conservative),
      own_(std::move(own)),
      momenta_(std::move(momenta)),
      num_momenta_(int(momenta_.size())) {
  for (const Body& body : mechanism.bodies()) total_mass_ += body.mass.mass;
  kept_.resize(std::size_t(count()));
  values_ = sizes_ = kept_;
}

void JetInvariants::restart(bool pushed, bool held) {
  conservative_ = keeps_energy_ && !pushed;
  num_momenta_ = pushed || held ? 0 : int(momenta_.size());
  energy_seen_ = largest_without_momenta_ = let_go_ = 0;
}

const std::string& JetInvariants::name(int i) const {
  static const std::string energy = "energy", total = "total energy", momentum = "momentum";
  if (is_momentum(i)) return momentum;
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
    const double least = total_mass_ * acceptance::slowest * acceptance::slowest;
    sizes_[i++] = std::max({energy_seen_, kinetic, std::abs(potential), least});
  }
  for (const Invariant& own : own_) {
    values_[i] = own.value(system.time(), system.bodies());
    sizes_[i] = std::max(1.0, std::abs(values_[i]));
    ++i;
  }
  if (num_momenta_ > 0) evaluate_momenta(system, i);
}

void JetInvariants::evaluate_momenta(JetSystem& system, std::size_t first) {
  Vec3<double> linear{}, spin{}, of_places{};  // angular momentum about Ground's origin is the sum of the last two
  double size = 0, inertia = 0, speeds = 0;
  for (int b = 1; b < system.mechanism().num_bodies(); ++b) {
    const maximal::BodyMotion& body = system.bodies()[std::size_t(b)];
    const MassProperties& mass = system.mechanism().bodies()[std::size_t(b)].mass;
    const Vec3<double> own = mass.inertia * body.w, push = mass.mass * body.v;
    linear += push;
    spin += rotation(body.r) * own;
    of_places += cross(body.x, push);
    speeds += norm(push);
    size += norm(own) + norm(body.x) * norm(push);
    const Mat3<double> J = mass.inertia.full();
    inertia += J(0, 0) + J(1, 1) + J(2, 2);
  }
  const Wrench<double> momentum{spin + of_places, linear};
  for (std::size_t k = 0; k < momenta_.size(); ++k) {
    const bool angular = momenta_[k].angular;
    values_[first + k] = momenta_[k].of(momentum);
    sizes_[first + k] = angular ? std::max(size + norm(momenta_[k].point) * speeds, inertia) : std::max(speeds, total_mass_);
  }
}

double JetInvariants::errors(JetSystem& system, double work, double* f) {
  evaluate(system, work);
  double largest = 0;
  for (std::size_t i = 0; i < std::size_t(count()); ++i) {
    if (int(i) == count_without_momenta()) largest_without_momenta_ = largest;
    f[i] = values_[i] - kept_[i];
    const double error = f[i] == 0 ? 0 : std::abs(f[i]) / sizes_[i];
    if (!(error <= largest)) largest = error;
  }
  if (num_momenta_ == 0) largest_without_momenta_ = largest;
  return largest;
}

void JetInvariants::let_go(JetSystem& system, double work) {
  evaluate(system, work);
  if (energy_ && sizes_[0] > 0) let_go_ += std::abs(values_[0] - kept_[0]) / sizes_[0];
  kept_ = values_;
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
  } else if (is_momentum(i)) {
    momentum_gradient(system, momenta_[std::size_t(i - count_without_momenta())], of_position, of_velocity);
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

/// Of direction . (sum of R I w + (x - point) x m v), or of direction . (sum of m v).
void JetInvariants::momentum_gradient(JetSystem& system, const tree::KeptMomentum& kept, double* of_position,
                                      double* of_velocity) {
  for (int b = 1; b <= system.coordinates().num_bodies(); ++b, of_position += width, of_velocity += width) {
    const maximal::BodyMotion& body = system.bodies()[std::size_t(b)];
    const MassProperties& mass = system.mechanism().bodies()[std::size_t(b)].mass;
    if (!kept.angular) {
      add(mass.mass * kept.direction, of_velocity + 3);
      continue;
    }
    const Vec3<double> n_B = transpose_times(rotation(body.r), kept.direction);
    add(cross(mass.inertia * body.w, n_B), of_position);
    add(mass.mass * cross(body.v, kept.direction), of_position + 3);
    add(mass.inertia * n_B, of_velocity);
    add(mass.mass * cross(kept.direction, body.x - kept.point), of_velocity + 3);
    system.coordinates().reduce(b, of_position);
  }
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
      if (c < 3) {
        half[c] = 0.5 * move;
        body.r = normalized(body.r * Quaternion<double>{1, half.x, half.y, half.z});
      }
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
