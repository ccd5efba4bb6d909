#include <fmt/format.h>

#include "chain_subject.h"
#include "polhode/tree/dynamics.h"
#include "polhode/tree/kernels/kernels.h"
#include "polhode_chain_model.h"

namespace polhode::bench {
namespace {

class PolhodeChain : public ChainSubject {
 public:
  explicit PolhodeChain(int n) : w_(build_chain(n)), q_(n), u_(n), tau_(n), u_dot_(n), out_(n), M_(std::size_t(n) * n) {
    for (int i = 0; i < n; ++i) {
      q_[i] = chain::q(i);
      u_[i] = chain::v(i);
      tau_[i] = chain::torque(i);
      u_dot_[i] = chain::acceleration(i);
    }
  }

  std::string engine() const override { return fmt::format("Polhode ({})", tree::kernels().name); }

  std::optional<Ends> forward_dynamics(double q_0) override {
    q_[0] = q_0;
    tree::forward_dynamics(w_, q_, u_, tau_, out_);
    return Ends{out_.front(), out_.back()};
  }
  std::optional<Ends> inverse_dynamics(double q_0) override {
    q_[0] = q_0;
    tree::inverse_dynamics(w_, q_, u_, u_dot_, out_);
    return Ends{out_.front(), out_.back()};
  }
  /// The lower triangle, as MuJoCo computes it.
  std::optional<Ends> mass_matrix(double q_0) override {
    q_[0] = q_0;
    tree::mass_matrix(w_, q_, M_, tree::Triangle::lower);
    return Ends{M_.front(), M_.back()};
  }

 private:
  tree::Workspace w_;
  std::vector<double> q_, u_, tau_, u_dot_, out_, M_;
};

}  // namespace

std::unique_ptr<ChainSubject> make_polhode_chain(int n) { return std::make_unique<PolhodeChain>(n); }

}  // namespace polhode::bench
