#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "polhode/maximal/forces.h"
#include "polhode/projected/maximal/jet_matrix.h"

namespace polhode::projected {

/// How often what was done, as in tables 8 to 11 of Tuomela, Arponen & Normi.
struct JetCounters {
  long distributions = 0;        ///< # dist
  long projections = 0;          ///< # proj: points that were brought onto the manifolds
  long newton_iterations = 0;    ///< over all projections
  long newton_most = 0;          ///< in one projection
  long jacobians = 0;            ///< # dg
  long invariant_gradients = 0;  ///< # df_inv
  long invariants_let_go = 0;    ///< times that an invariant could not be restored, and goes on from the value reached
};

/// The mechanism as Tuomela, Arponen & Normi see it: the manifold Mhc of its constraints in jet space, and the distribution on
/// it. All functions work on the point that place() was given last. Nothing here allocates after it is built.
class JetSystem {
 public:
  static constexpr int width = JetCoordinates::width;

  /// Of the mechanism in space, or in a plane: then kept_rows says which ones are not met by all motion along it. enabled: as
  /// for set_active(); nothing means all. lockable: as for maximal::Constraints.
  JetSystem(const Mechanism& mechanism, std::span<const char> enabled, const JetCoordinates& coordinates,
            std::span<const char> kept_rows = {}, std::span<const char> lockable = {});
  JetSystem(const JetSystem&) = delete;  // the matrices point into it
  JetSystem& operator=(const JetSystem&) = delete;

  /// By constraint element, as State::enabled(): rows of the others are zero. Does not allocate.
  void set_active(std::span<const char> enabled);
  /// The same for what the state drives or locks, from where it is.
  void set_driven(const State& state);

  const Mechanism& mechanism() const { return mechanism_; }
  const JetCoordinates& coordinates() const { return coordinates_; }
  maximal::Constraints& constraints() { return constraints_; }
  const maximal::Constraints& constraints() const { return constraints_; }
  maximal::Forces& forces() { return forces_; }
  const SaddleLayout& rows() const { return rows_; }
  int num_rows() const { return int(rows_.rows().size()); }
  int size() const { return coordinates_.size(); }
  const maximal::Bodies& bodies() const { return bodies_; }
  double time() const { return t_; }
  std::span<const double> near() const { return near_; }
  /// Where angles are counted on from.
  void set_near(std::span<const double> q) { near_.assign(q.begin(), q.end()); }

  /// The point of the jet space where bodies are; see JetCoordinates::from_bodies.
  void read_bodies(const maximal::Bodies& bodies, double* y, double* y1) { coordinates_.from_bodies(bodies, y, y1); }

  void place(double t, const double* y, const double* y1);
  /// g and dg at the point.
  void linearize(JetCounters& counters);
  /// The largest error of a position row, and which.
  double position_error() const;
  /// g and dg y1 + g_t by row in use; velocity rows have no g.
  double g(int row) const { return h_[std::size_t(rows_.rows()[std::size_t(row)])]; }
  /// Works out dg y1 + g_t; gives the largest.
  double velocity_error();
  double velocity_error(int row) const { return velocity_errors_[std::size_t(row)]; }
  std::span<const double> jacobian() const { return values_; }
  /// Leaves dg times velocities s, eight numbers a body, by row in use.
  void multiply(const double* s, double* out) const;
  /// What rounding leaves in rows at the point, at best.
  double rounding_of_positions() const;
  double rounding_of_velocities() const;
  int worst_row() const { return worst_row_; }
  std::string row_name(int row) const;

  JetMatrix& metric() { return metric_; }
  /// Only so near to the constraints the rank of their rows is what it is on them; once linearize() was called.
  bool is_near_constraints() const;
  /// How many rows depend on others at the point where linearize() was called last; see JetMatrix::set_rank_tolerance.
  int count_redundant_rows(double rank_tolerance);
  void allow_redundant_rows(RedundantRows rows);
  RedundantRows redundant_rows() const { return redundant_; }
  enum class Level { position, velocity };
  /// With rows that are nearly redundant: the largest error but for what the last solution of the metric has left of rows.
  double error_beyond_gaps(Level level) const;
  /// Whether all errors are as small as a gap may be: an angle, or a part of the largest body (tree::Constraints::gap); of
  /// velocities times the fastest turn.
  bool are_gaps(Level level);
  /// See JetMatrix::set_distance.
  void set_distance(double distance) { metric_.set_distance(distance), mass_.set_distance(distance); }

  /// Algorithms 3.2 and 5.1: y2, once linearize() was called for this y. False when it is not a number or nothing holds a body
  /// without inertia.
  bool distribution(const double* y, const double* y1, double* y2, JetCounters& counters);
  /// Of the last distribution(), by row in use: E d + H dg^T lambda = ...
  double multiplier(int row) const;
  /// Power [W] that forces without a potential and moving constraints put in, at the last distribution().
  double external_power();
  void evaluate_loads();
  /// Of the last evaluate_loads() or distribution(): on body b, along its tangent directions.
  const double* load(int body) const { return loads_.data() + width * body; }
  int failed_body() const { return mass_.failed_body(); }

  double kinetic_energy() const { return forces_.kinetic_energy(bodies_); }
  double potential_energy() { return forces_.potential_energy(t_, bodies_, near_); }
  /// Derivative of the potential energy along displacements s of the bodies, once evaluate_potential() was called.
  void evaluate_potential();
  const double* potential_load(int body) const { return potential_loads_.data() + width * body; }
  double potential_rate(const double* s) const;
  double potential_rate_in_time();

  /// Velocities of the bodies along their tangent directions.
  void read_velocities(double* s) const;

 private:
  Mechanism mechanism_;
  JetCoordinates coordinates_;
  maximal::Constraints constraints_;
  maximal::Forces forces_;
  SaddleLayout rows_;
  JetMatrix metric_, mass_;
  double t_ = 0, body_size_;
  std::vector<double> near_, sizes_of_rows_, h_, h_t_, bias_, values_, loads_, potential_loads_, x_, velocity_errors_,
      velocities_;
  maximal::Bodies bodies_;
  mutable int worst_row_ = -1;
  RedundantRows redundant_ = RedundantRows::none;
  bool potential_depends_on_time_, rows_move_;
};

}  // namespace polhode::projected
