#include "polhode/mechanism/law_slopes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polhode/mechanism/joint_queries.h"

namespace polhode {
namespace {

/// Of each coordinate the joint that it belongs to, and the speed that is its rate, or -1.
struct Owners {
  std::vector<int> joint, speed;
};
Owners owners_of(const Mechanism& m) {
  Owners owners{std::vector<int>(std::size_t(m.num_q()), -1), std::vector<int>(std::size_t(m.num_q()), -1)};
  for (std::size_t b = 1; b < m.joints().size(); ++b) {
    const Joint& joint = m.joints()[b];
    const std::vector<int> speeds = speed_of_coordinate(joint.model);
    for (int i = 0; i < joint.nq; ++i) {
      owners.joint[std::size_t(joint.first_q + i)] = int(b);
      if (speeds[std::size_t(i)] >= 0) owners.speed[std::size_t(joint.first_q + i)] = joint.first_u + speeds[std::size_t(i)];
    }
  }
  return owners;
}

void add_speeds(const Mechanism& m, const Law& law, const Owners& owners, std::vector<char>& used) {
  for (const Law::Read& read : law.reads()) {
    const std::size_t i = std::size_t(read.index);
    if (read.kind == Law::Kind::speed) used[i] = 1;
    if (read.kind != Law::Kind::coordinate) continue;
    if (owners.speed[i] >= 0) {
      used[std::size_t(owners.speed[i])] = 1;
    } else {
      const Joint& joint = m.joints()[std::size_t(owners.joint[i])];
      for (int k = 0; k < joint.nu; ++k) used[std::size_t(joint.first_u + k)] = 1;
    }
  }
}

}  // namespace

std::vector<char> speeds_read_by_laws(const Mechanism& mechanism) {
  const Owners owners = owners_of(mechanism);
  std::vector<char> used(std::size_t(mechanism.num_u()));
  for_each_law(mechanism, [&](const Law& law) { add_speeds(mechanism, law, owners, used); });
  return used;
}

LawSlopes::LawSlopes(const Mechanism& mechanism, const Law& law)
    : mechanism_(mechanism), law_(law), by_read_(law.reads().size()) {
  const Owners owners = owners_of(mechanism);
  std::vector<char> used(std::size_t(mechanism.num_u()));
  add_speeds(mechanism, law, owners, used);
  for (std::size_t u = 0; u < used.size(); ++u)
    if (used[u]) speeds_.push_back(int(u));
  slopes_.resize(speeds_.size());
  for (std::size_t r = 0; r < law.reads().size(); ++r) {
    const Law::Read& read = law.reads()[r];
    const std::size_t i = std::size_t(read.index);
    if (read.kind == Law::Kind::speed) plain_.push_back({int(r), slot_of(read.index), true});
    if (read.kind != Law::Kind::coordinate) continue;
    if (owners.speed[i] >= 0) {
      plain_.push_back({int(r), slot_of(owners.speed[i]), false});
    } else {
      const Joint& joint = mechanism.joints()[std::size_t(owners.joint[i])];
      turning_.push_back({int(r), owners.joint[i], read.index - joint.first_q, slot_of(joint.first_u)});
    }
  }
}

int LawSlopes::slot_of(int u) const { return int(std::lower_bound(speeds_.begin(), speeds_.end(), u) - speeds_.begin()); }

std::span<const LawSlopes::Slope> LawSlopes::evaluate(const Now& now, std::span<const double> q, std::span<const double> u) {
  law_.gradient(now, q, u, by_read_);
  for (double& slope : by_read_)
    if (!std::isfinite(slope)) slope = 0;
  std::fill(slopes_.begin(), slopes_.end(), Slope{});
  for (const Plain& plain : plain_) {
    Slope& slope = slopes_[std::size_t(plain.slot)];
    (plain.is_speed ? slope.by_speed : slope.by_displacement) += by_read_[std::size_t(plain.read)];
  }
  for (const Turning& turning : turning_) {
    const Joint& joint = mechanism_.joints()[std::size_t(turning.joint)];
    for (int k = 0; k < joint.nu; ++k) {
      double e[CustomJoint::max_speeds] = {}, rates[CustomJoint::max_coordinates] = {};
      e[k] = 1;
      std::visit([&](const auto& model) { model.template N<double>(q.data() + joint.first_q, e, rates); }, joint.model);
      slopes_[std::size_t(turning.first_slot + k)].by_displacement +=
          by_read_[std::size_t(turning.read)] * rates[turning.local];
    }
  }
  return slopes_;
}

std::string law_without_number(const Mechanism& mechanism, const Now& now, std::span<const double> q,
                               std::span<const double> u) {
  const auto words = [&](const Law& law, const std::string& label) -> std::string {
    const double value = law.evaluate<double>(now, q, u);
    if (std::isfinite(value)) return {};
    const std::string place = law.where().line > 0 ? fmt::format(" (line {} of the model)", law.where().line) : "";
    return fmt::format("the law of {}{} gives {}, which is not a finite number", label, place, value);
  };
  for (const LawForce& force : mechanism.forces().of<LawForce>())
    for (const LawLoad& load : force.loads)
      if (std::string found = words(load.law, force.label); !found.empty()) return found;
  for (const StateLaw& state : mechanism.state_laws())
    if (std::string found = words(state.rate, fmt::format("state \"{}\"", mechanism.z_names()[std::size_t(state.z)]));
        !found.empty())
      return found;
  return {};
}

std::string law_without_number_ahead(const Mechanism& mechanism, Now now, std::span<const double> q, std::span<const double> u,
                                     double h) {
  std::vector<double> ahead(q.begin(), q.end()), rates(q.size());
  for (const Joint& joint : mechanism.joints())
    std::visit(
        [&](const auto& model) {
          model.template N<double>(q.data() + joint.first_q, u.data() + joint.first_u, rates.data() + joint.first_q);
        },
        joint.model);
  const double t = now.t;
  for (const double fraction : {0.0, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0}) {
    for (std::size_t i = 0; i < ahead.size(); ++i) ahead[i] = q[i] + fraction * h * rates[i];
    now.t = t + fraction * h;
    if (std::string found = law_without_number(mechanism, now, ahead, u); !found.empty()) return found;
  }
  return {};
}

}  // namespace polhode
