#include "polhode/variational/maximal/maximal_step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "polhode/mechanism/body_size.h"
#include "polhode/tree/constraints.h"
#include "polhode/variational/maximal/six_vector.h"

namespace polhode::variational {
namespace {

using maximal::Bodies;
using maximal::row_width;

bool lacks_inertia(const MassProperties& mass) { return structure(mass) != MassStructure::rigid; }

double typical_mass(const Mechanism& mechanism) {
  double sum = 0;
  int count = 0;
  for (const Body& body : mechanism.bodies())
    if (body.mass.mass > 0) sum += body.mass.mass, ++count;
  return count > 0 ? sum / count : 1;
}

/// A sum, so that what is not a number stays so.
double size_of(const Vec3<double>& a) { return std::abs(a.x) + std::abs(a.y) + std::abs(a.z); }

double norm_of(std::span<const double> numbers) {
  return std::sqrt(std::inner_product(numbers.begin(), numbers.end(), numbers.begin(), 0.0));
}

/// The larger one, and where it was found; once not a number, for ever.
void keep_largest(double error, int where, double& most, int& worst) {
  if (error > most || std::isnan(error)) most = error, worst = where;
}

}  // namespace

/// Elements between the same bodies share a node as long as their rows fit into a block, for blocks cost by their number: a pin
/// that is closed by two equations on points is as cheap as one by a joint.
std::vector<MaximalStep::NodeRows> MaximalStep::share_nodes(const Mechanism& mechanism,
                                                            const maximal::Constraints& constraints) {
  std::vector<NodeRows> rows_of;
  std::map<std::vector<int>, NodeRows> open;  // by bodies, Ground as 0: the last node between them, and how many rows it has
  int end = mechanism.num_bodies() - 1;
  for (const maximal::Constraints::Element& element : constraints.elements()) {
    std::vector<int> bodies;
    if (element.touches_ground) bodies.push_back(0);
    for (const auto& side : constraints.sides(element)) bodies.push_back(side.body);
    const auto [found, is_new] = open.try_emplace(std::move(bodies), NodeRows{end, 0});
    NodeRows& last = found->second;
    const bool fits = last.first + element.num_rows <= 6;
    if (!fits) last = {end, 0};
    if (is_new || !fits) ++end;
    rows_of.push_back(last);
    last.first += element.num_rows;
  }
  return rows_of;
}

linear::BlockGraph MaximalStep::graph_of(const Mechanism& mechanism, const maximal::Constraints& constraints,
                                         const maximal::Struts& struts, std::span<const NodeRows> rows_of) {
  linear::BlockGraph graph;
  const auto node_of = [](int body) { return body - 1; };
  for (int b = 1; b < mechanism.num_bodies(); ++b) graph.nodes.push_back({6, false, false});
  std::vector<std::pair<int, int>> between_bodies;
  for (std::size_t e = 0; e < rows_of.size(); ++e) {
    const maximal::Constraints::Element& element = constraints.elements()[e];
    const auto [node, first] = rows_of[e];
    const auto sides = constraints.sides(element);
    if (first == 0) {
      graph.nodes.push_back({0, true, element.touches_ground});
      for (const auto& side : sides) graph.edges.emplace_back(node_of(side.body), node);
    }
    graph.nodes[std::size_t(node)].size += element.num_rows;
    const bool augmented = std::any_of(sides.begin(), sides.end(), [&](const auto& side) {
      return lacks_inertia(mechanism.bodies()[std::size_t(side.body)].mass);
    });
    if (!augmented) continue;
    for (const auto& a : sides)
      for (const auto& b : sides)
        if (a.body < b.body) between_bodies.emplace_back(node_of(a.body), node_of(b.body));
  }
  for (const auto& strut : struts.sides())
    if (strut.a > 0 && strut.b > 0)
      between_bodies.emplace_back(node_of(std::min(strut.a, strut.b)), node_of(std::max(strut.a, strut.b)));
  std::sort(between_bodies.begin(), between_bodies.end());
  between_bodies.erase(std::unique(between_bodies.begin(), between_bodies.end()), between_bodies.end());
  graph.edges.insert(graph.edges.end(), between_bodies.begin(), between_bodies.end());
  return graph;
}

MaximalStep::MaximalStep(const Mechanism& mechanism, std::span<const char> enabled, TurnRule rule, double tolerance,
                         double step)
    : mechanism_(mechanism),
      constraints_(mechanism, enabled),
      forces_(mechanism),
      struts_(mechanism),
      rows_of_(share_nodes(mechanism, constraints_)),
      ldu_(graph_of(mechanism, constraints_, struts_, rows_of_)),
      rule_(rule),
      tolerance_(tolerance),
      weight_(typical_mass(mechanism)) {
  const std::size_t bodies = std::size_t(mechanism.num_bodies()), rows = std::size_t(constraints_.num_rows());
  for (const Body& body : mechanism.bodies()) {
    const Mat3<double> J = body.mass.inertia.full();
    const double turning = std::max({J(0, 0), J(1, 1), J(2, 2)});
    // Errors are judged as displacements. Of bodies that weigh next to nothing they would be rounding of the forces on them.
    inertias_.push_back({J, body.mass.mass, 1 / (turning > 0 ? std::max(turning, 1e-9 * weight_) : weight_),
                         1 / (body.mass.mass > 0 ? std::max(body.mass.mass, 1e-6 * weight_) : weight_)});
  }
  std::vector<std::pair<int, int>> written_whole;
  for (int b = 0; b < mechanism.num_bodies(); ++b) diagonals_.push_back(b > 0 ? ldu_.diagonal(b - 1) : nullptr);
  for (int node = 0; node < mechanism.num_bodies() - 1; ++node) written_whole.emplace_back(node, node);
  for (std::size_t e = 0; e < constraints_.elements().size(); ++e) {
    const auto& element = constraints_.elements()[e];
    const auto [node, first] = rows_of_[e];
    has_velocity_rows_ |= element.num_velocity_rows > 0;
    const auto sides = constraints_.sides(element);
    for (const auto& side : sides) {
      blocks_.push_back(
          {ldu_.block(node, side.body - 1) + first, ldu_.block(side.body - 1, node) + first * row_width, first == 0});
      written_whole.emplace_back(node, side.body - 1), written_whole.emplace_back(side.body - 1, node);
    }
    augmented_.push_back(std::any_of(sides.begin(), sides.end(), [&](const auto& side) {
      return lacks_inertia(mechanism.bodies()[std::size_t(side.body)].mass);
    }));
    if (!augmented_.back()) continue;
    for (int a = 0; a < element.num_sides; ++a)
      for (int b = 0; b < element.num_sides; ++b) {
        pairs_.push_back({int(e), element.first_side + a, element.first_side + b,
                          block_between(sides[std::size_t(a)].body, sides[std::size_t(b)].body)});
      }
  }
  ldu_.set_written_whole(written_whole);
  for (int i = 0; i < struts_.size(); ++i) {
    const int body[] = {struts_.sides()[std::size_t(i)].a, struts_.sides()[std::size_t(i)].b};
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b)
        if (body[a] > 0 && body[b] > 0) strut_blocks_.push_back({i, a, b, body[a], body[b], block_between(body[a], body[b])});
  }
  strut_rows_.resize(std::size_t(2 * row_width * struts_.size())), stiffness_.resize(std::size_t(struts_.size()));
  half_turns_.resize(bodies), loads_at_middle_.resize(bodies * row_width);
  here_.resize(bodies), middle_.resize(bodies), moving_.resize(bodies);
  loads_.resize(bodies * row_width);
  near_.resize(std::size_t(mechanism.num_q()));
  for (auto* values : {&values_here_, &values_next_}) values->resize(std::size_t(constraints_.num_values()));
  errors_.resize(rows), last_errors_.resize(rows);
  body_size_ = largest_body(mechanism);
  impulse_sizes_.resize(2 * bodies);
  if (has_velocity_rows_) {
    values_middle_.resize(std::size_t(constraints_.num_values()));
    for (auto* row : {&middle_errors_, &rates_, &products_}) row->resize(rows);
  }
  residual_.resize(bodies * row_width), impulses_.resize(bodies * row_width);
  turns_.resize(bodies);
  correction_.resize(ldu_.order().size() * row_width);
  history_.reserve(64);
  forces_at_middle_ = has_stiff_springs(step);
}

double* MaximalStep::block_between(int body_a, int body_b) {
  return body_a == body_b ? ldu_.diagonal(body_a - 1) : ldu_.block(body_a - 1, body_b - 1);
}

void MaximalStep::start(double t, const Bodies& here, std::span<const double> near) {
  t_ = t;
  std::copy(here.begin(), here.end(), here_.begin());
  std::copy(near.begin(), near.end(), near_.begin());
  constraints_.errors_and_jacobian(t, here_, near_, errors_, values_here_);
  evaluate_loads(here_);
}

/// What the bodies have after the impulses here: momenta + share h F + G^T lambda.
void MaximalStep::add_impulses(double h, double share, std::span<const double> momenta, std::span<const double> lambda) {
  for (std::size_t i = 0; i < impulses_.size(); ++i) impulses_[i] = momenta[i] + share * h * loads_[i];
  for (const auto& element : constraints_.elements())
    for (const auto& side : constraints_.sides(element)) {
      const double* row = values_here_.data() + side.first_value;
      double* on_body = impulses_.data() + std::size_t(side.body) * row_width;
      double sum[6] = {};
      for (int i = 0; i < element.num_rows; ++i, row += row_width) {
        const double load = lambda[std::size_t(element.first_row + i)];
        for (int k = 0; k < 6; ++k) sum[k] += load * row[k];
      }
      for (int k = 0; k < 6; ++k) on_body[k] += sum[k];
    }
}

/// Fills the far end from the velocities there, and all residuals. Gives the larger of the two errors.
double MaximalStep::evaluate(double h, double share, std::span<const double> momenta, Bodies& next,
                             std::span<const double> lambda, MaximalReport& report) {
  for (std::size_t b = 1; b < next.size(); ++b) turns_[b] = turn(rule_, h, next[b].w);
  if (forces_at_middle_)
    evaluate_loads_at_middle(h, next);
  else if (forces_.depend_on_velocity())
    evaluate_loads(next);
  add_impulses(h, share, momenta, lambda);
  const int bodies = mechanism_.num_bodies();
  for (int b = 1; b < bodies; ++b) {
    maximal::BodyMotion& to = next[std::size_t(b)];
    const maximal::BodyMotion& from = here_[std::size_t(b)];
    const Inertia& inertia = inertias_[std::size_t(b)];
    const Turn& by = turns_[std::size_t(b)];
    to.r = turned(from.r, by);
    to.x = from.x + h * to.v;
    const double* has = impulses_.data() + std::size_t(b) * row_width;
    put(residual_.data() + std::size_t(b) * row_width, momentum_at_start(inertia.J, to.w, by) - angular(has),
        inertia.mass * to.v - linear_part(has));
  }
  constraints_.errors_and_jacobian(t_ + h, next, near_, errors_, values_next_);
  if (has_velocity_rows_) evaluate_velocity_rows(h, next);

  double constraint_error = 0, motion_error = 0, reach = 0, sum = 0;  // here, for a report may be anywhere in memory
  for (const double error : errors_) {
    constraint_error = std::max(std::abs(error), constraint_error);
    sum += std::abs(error);
  }
  for (int b = 1; b < bodies; ++b) {
    const double error = motion_error_of(b);
    motion_error = std::max(error, motion_error);
    sum += error;
    reach = std::max(reach, size_of(next[std::size_t(b)].x));
  }
  motion_error *= std::abs(h);
  report.constraint_error = constraint_error, report.motion_error = motion_error;
  rounding_ = 1e-15 * reach;
  return std::isfinite(sum) ? std::max(constraint_error, motion_error) : sum;  // once not a number, for ever
}

/// What is left of a body's equation of motion, as a displacement over the time of a step.
double MaximalStep::motion_error_of(int body) const {
  const double* r = residual_.data() + std::size_t(body) * row_width;
  const Inertia& inertia = inertias_[std::size_t(body)];
  return inertia.per_rotation * size_of(angular(r)) + inertia.per_shift * size_of(linear_part(r));
}

/// What rounding leaves of the equations of motion, as a displacement over the step: of impulses that cancel, as those on a
/// light body between heavy ones do.
double MaximalStep::rounding_of_impulses(double h, std::span<const double> momenta, std::span<const double> lambda) const {
  constexpr double units = 4 * std::numeric_limits<double>::epsilon();
  std::vector<double>& sums = impulse_sizes_;  // by body, angular and linear
  for (std::size_t b = 1; b < inertias_.size(); ++b) {
    const double* const p = momenta.data() + b * row_width;
    sums[2 * b] = size_of(angular(p)), sums[2 * b + 1] = size_of(linear_part(p));
  }
  for (const auto& element : constraints_.elements())
    for (const auto& side : constraints_.sides(element))
      for (int i = 0; i < element.num_rows; ++i) {
        const double* const row = values_here_.data() + side.first_value + i * row_width;
        const double load = std::abs(lambda[std::size_t(element.first_row + i)]);
        sums[2 * std::size_t(side.body)] += load * size_of(angular(row));
        sums[2 * std::size_t(side.body) + 1] += load * size_of(linear_part(row));
      }
  double largest = 0;
  for (std::size_t b = 1; b < inertias_.size(); ++b)
    largest = std::max(largest, inertias_[b].per_rotation * sums[2 * b] + inertias_[b].per_shift * sums[2 * b + 1]);
  return units * std::abs(h) * largest;
}

/// Rows that depend on each other may miss being met together by the digits that they were written with (as tree::Constraints
/// has it). Are all errors of constraints as small as that?
bool MaximalStep::are_gaps() const {
  const double enough = std::max(tolerance_, rounding_);
  for (const auto& element : constraints_.elements())
    for (int i = 0; i < element.num_rows; ++i) {
      double size = 0;
      for (const auto& side : constraints_.sides(element)) {
        const double* const row = values_next_.data() + side.first_value + i * row_width;
        size = std::max({size, size_of(angular(row)), size_of(linear_part(row)) * body_size_});
      }
      if (!(std::abs(errors_[std::size_t(element.first_row + i)]) <= std::max(enough, tree::Constraints::gap * size)))
        return false;
    }
  return true;
}

/// Has the last correction, which was taken in full, left nothing but gaps, as they were?
bool MaximalStep::only_gaps_are_left(const MaximalReport& report) const {
  const double enough = std::max(tolerance_, rounding_);
  if (errors_.empty() || !(report.motion_error <= enough)) return false;
  for (std::size_t i = 0; i < errors_.size(); ++i)
    if (!(std::abs(errors_[i] - last_errors_[i]) <= enough)) return false;
  return are_gaps();
}

/// Where the errors of the last evaluation are the largest.
void MaximalStep::find_worst(MaximalReport& report) const {
  double most = 0;
  const auto elements = constraints_.elements();
  for (std::size_t e = 0; e < elements.size(); ++e)
    for (int i = elements[e].first_row; i < elements[e].first_row + elements[e].num_rows; ++i)
      keep_largest(std::abs(errors_[std::size_t(i)]), int(e), most, report.worst_element);
  most = 0;
  for (int b = 1; b < mechanism_.num_bodies(); ++b) keep_largest(motion_error_of(b), b, most, report.worst_body);
}

/// Rows that hold velocities: those of the step, with the derivatives at its middle. As displacements over the step.
void MaximalStep::evaluate_velocity_rows(double h, const Bodies& next) {
  for (std::size_t b = 1; b < next.size(); ++b) {
    middle_[b].r = half_turned(here_[b].r, turns_[b]);
    middle_[b].x = 0.5 * (here_[b].x + next[b].x);
    middle_[b].w = next[b].w, middle_[b].v = next[b].v;
  }
  constraints_.errors_and_jacobian(t_ + 0.5 * h, middle_, near_, middle_errors_, values_middle_);
  constraints_.rates(t_ + 0.5 * h, middle_, near_, rates_);
  constraints_.multiply(values_middle_, middle_, products_);
  for (const auto& element : constraints_.elements()) {
    if (element.num_velocity_rows == 0) continue;
    const int first = element.num_rows - element.num_velocity_rows;
    for (int i = first; i < element.num_rows; ++i) {
      const std::size_t row = std::size_t(element.first_row + i);
      errors_[row] = h * (products_[row] + rates_[row]);
    }
    for (const auto& side : constraints_.sides(element)) {
      const std::size_t from = std::size_t(side.first_value + first * row_width);
      std::copy_n(values_middle_.begin() + long(from), element.num_velocity_rows * row_width,
                  values_next_.begin() + long(from));
    }
  }
}

/// Turns the displacements that the matrix gives into changes of velocities, by T where the last evaluation was.
void MaximalStep::turn_correction() {
  for (std::size_t b = 1; b < std::size_t(mechanism_.num_bodies()); ++b) {
    double* d = correction_.data() + (b - 1) * row_width;
    const Vec3<double> change = times_T(turns_[b], angular(d));
    d[0] = change.x, d[1] = change.y, d[2] = change.z;
  }
}

void MaximalStep::correct(double fraction, Bodies& next, std::span<double> lambda) const {
  const std::size_t bodies = std::size_t(mechanism_.num_bodies());
  for (std::size_t b = 1; b < bodies; ++b) {
    const double* d = correction_.data() + (b - 1) * row_width;
    next[b].w += fraction * angular(d);
    next[b].v += fraction * linear_part(d);
  }
  for (std::size_t e = 0; e < rows_of_.size(); ++e) {
    const auto& element = constraints_.elements()[e];
    const double* rows = correction_.data() + rows_of_[e].node * row_width + rows_of_[e].first;
    for (int i = 0; i < element.num_rows; ++i) lambda[std::size_t(element.first_row + i)] -= fraction * rows[i];
  }
}

MaximalReport MaximalStep::solve(double h, double share, std::span<double> momenta, Bodies& next, std::span<double> lambda,
                                 bool careful) {
  const int most_iterations = careful ? 40 : 12;
  constexpr int most_cuts = 6;
  // A guess is taken as it is only when it is as good as one that was corrected: the error left by a loose tolerance would add
  // up from guess to guess.
  constexpr double good_guess = 1e-10;
  double compliance = careful ? 0.1 : 0;
  MaximalReport report;
  history_.clear();
  double error = evaluate(h, share, momenta, next, lambda, report), last = 0;
  history_.push_back(error);
  bool factored = false, in_full = false;
  const auto failed = [&](MaximalReport::Status why) {
    report.status = why;
    find_worst(report);
    return report;
  };
  const auto met = [&] {
    const double tolerance = report.iterations > 0 ? tolerance_ : std::min(tolerance_, good_guess);
    return error <= std::max(tolerance, rounding_);
  };
  for (; !met(); ++report.iterations) {
    if (!std::isfinite(error)) return failed(MaximalReport::Status::not_finite);
    if (in_full && only_gaps_are_left(report)) break;
    std::copy(errors_.begin(), errors_.end(), last_errors_.begin());
    if (report.iterations == most_iterations) {
      if (error <= rounding_of_impulses(h, momenta, lambda)) break;
      return failed(MaximalReport::Status::no_convergence);
    }
    // Factors that brought the error down from `last` to `error` bring it down by as much again, which may be all it takes.
    const bool old_factors_do = !careful && factored && error * error <= 0.1 * tolerance_ * last;
    right_hand_side(h);
    if (old_factors_do) {
      ldu_.solve(correction_);
    } else {
      fill_matrix(h, share, next, compliance);
      if (!ldu_.factor_and_solve(correction_)) return failed(MaximalReport::Status::not_finite);
    }
    factored = true;
    if (sizes_of_corrections_) sizes_of_corrections_->push_back(h * norm_of(correction_));
    turn_correction();
    last = error;
    const double last_motion_error = report.motion_error;
    double fraction = 1;
    correct(1, next, lambda);
    error = evaluate(h, share, momenta, next, lambda, report);
    // Where gaps are the largest errors, they stand still while all else falls.
    const auto falls = [&] {
      const double enough = std::max(tolerance_, rounding_);
      return error < last || error <= enough ||
             (error < 1.01 * last && report.motion_error <= std::max(last_motion_error, enough) && are_gaps());
    };
    for (int cut = 0; cut < most_cuts && !falls(); ++cut) {
      correct(-0.5 * fraction, next, lambda);
      fraction *= 0.5;
      error = evaluate(h, share, momenta, next, lambda, report);
    }
    if (!falls()) {
      // Not that way: with less compliance, or with factors of this place.
      correct(-fraction, next, lambda);
      error = evaluate(h, share, momenta, next, lambda, report);
      if (std::isfinite(error) && compliance == 0 && !old_factors_do) {
        if (error <= rounding_of_impulses(h, momenta, lambda)) break;
        return failed(MaximalReport::Status::no_convergence);
      }
      factored = false;
      if (compliance < 1e-6) compliance = 0;
      compliance *= 0.3;
      last = error;
      continue;
    }
    in_full = fraction == 1;
    compliance *= 0.3;
    history_.push_back(error);
  }
  // What the bodies have at the end: the impulses they got, turned into their axes there. Newton's remaining error is in the
  // velocities, not in the momenta.
  for (std::size_t b = 1; b < next.size(); ++b) {
    const double* sum = impulses_.data() + b * row_width;
    put(momenta.data() + b * row_width, in_axes_at_end(turns_[b], angular(sum)), linear_part(sum));
  }
  return report;
}

void MaximalStep::accept(double t, const Bodies& next, std::span<const double> near) {
  if (has_velocity_rows_) return start(t, next, near);  // values_next_ has the middle's of some rows
  t_ = t;
  std::copy(next.begin(), next.end(), here_.begin());
  std::copy(near.begin(), near.end(), near_.begin());
  values_here_.swap(values_next_);
  if (!forces_.are_constant()) evaluate_loads(here_);
}

void MaximalStep::take_more_for_nothing(bool more) {
  takes_more_for_nothing_ = more;
  ldu_.set_rank_tolerance(more ? linear::loose_rank_tolerance : linear::rank_tolerance);
}

void MaximalStep::judge_redundant_rows(int rows_without_motion) {
  // Pivots are squares of what rows are independent by. Beyond this, the mechanism may be one that is nearly flat.
  constexpr double little = 1e-5;
  ldu_.set_rank_tolerance(little * little);
  fill_velocity_matrix();
  take_more_for_nothing(ldu_.factor() && ldu_.rank_deficiency() >= rows_without_motion);
}

void MaximalStep::fill_velocity_matrix() {
  ldu_.clear();
  for (int b = 1; b < mechanism_.num_bodies(); ++b)
    put_diagonal(diagonals_[std::size_t(b)], inertias_[std::size_t(b)].J, inertias_[std::size_t(b)].mass);
  fill_constraints(values_here_, values_here_);
  augment(values_here_, values_here_);
}

bool MaximalStep::velocities(std::span<const double> momentum, Bodies& here) {
  fill_velocity_matrix();
  if (!ldu_.factor()) return false;
  std::copy(momentum.begin() + row_width, momentum.end(), correction_.begin());
  constraints_.rates(t_, here_, near_, errors_);
  put_constraint_part(1);
  ldu_.solve(correction_);
  for (std::size_t b = 1; b < here.size(); ++b) {
    here[b].w = angular(correction_.data() + (b - 1) * row_width);
    here[b].v = linear_part(correction_.data() + (b - 1) * row_width);
  }
  return true;
}

}  // namespace polhode::variational
