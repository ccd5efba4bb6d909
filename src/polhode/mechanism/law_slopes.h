#pragma once
#include <vector>

#include "polhode/mechanism/law.h"
#include "polhode/mechanism/mechanism.h"

namespace polhode {

/// The derivatives of a law along the speeds of a mechanism, as Newton's iterations need them. A displacement along speed j is
/// a small motion with speed j alone, so coordinates of quaternions are derived through N(q): dq = N(q) e_j. Sized once.
class LawSlopes {
 public:
  LawSlopes(const Mechanism& mechanism, const Law& law);

  /// The speeds that the law depends on, or whose displacement it depends on; increasing.
  std::span<const int> speeds() const { return speeds_; }
  struct Slope {
    double by_displacement = 0, by_speed = 0;
  };
  /// By those speeds; they stay until the next call. A slope that is no finite number counts as zero: the law's value is what
  /// equations have, and its slopes only make iterations on them converge.
  std::span<const Slope> evaluate(const Now& now, std::span<const double> q, std::span<const double> u);

 private:
  /// A read whose slope goes to one speed with factor 1.
  struct Plain {
    int read, slot;
    bool is_speed;
  };
  /// A coordinate whose rate is a sum of its joint's speeds.
  struct Turning {
    int read, joint, local;  // which of the joint's coordinates
    int first_slot;
  };
  int slot_of(int u) const;

  Mechanism mechanism_;
  Law law_;
  std::vector<int> speeds_;
  std::vector<Plain> plain_;
  std::vector<Turning> turning_;
  std::vector<double> by_read_;
  std::vector<Slope> slopes_;
};

/// Calls visit(law) for every law of a mechanism: of forces, and of the rates of states.
template <class Visit>
void for_each_law(const Mechanism& mechanism, Visit visit) {
  for (const LawForce& force : mechanism.forces().of<LawForce>())
    for (const LawLoad& load : force.loads) visit(load.law);
  for (const StateLaw& state : mechanism.state_laws()) visit(state.rate);
}

/// By speed: whether a law reads it, or a coordinate of its joint.
std::vector<char> speeds_read_by_laws(const Mechanism& mechanism);

/// The first law that gives no finite number here, in words: `the law of generalized-force on "knee" (line 12) is nan`. Empty
/// where all are finite.
std::string law_without_number(const Mechanism& mechanism, const Now& now, std::span<const double> q,
                               std::span<const double> u);
/// The same for a step that failed between a state and where it would have led: the places on the straight way there.
std::string law_without_number_ahead(const Mechanism& mechanism, Now now, std::span<const double> q, std::span<const double> u,
                                     double h);

}  // namespace polhode
