#include "polhode/study/canonical.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "polhode/mechanism/builder.h"
#include "polhode/study/canonical_chain.h"
#include "polhode/study/inspect.h"
#include "polhode/study/parallel.h"
#include "polhode/study/quantity.h"
#include "polhode/study/start.h"
#include "polhode/tree/realize.h"

namespace polhode::study {
namespace {

constexpr const char* of_no_bath = "which has no canonical distribution";

/// Forces by law have no potential, whatever the law.
template <class F>
bool keeps_energy(const F& force) {
  if constexpr (requires { force.keeps_energy(); }) return force.keeps_energy();
  return false;
}

void find_forces(const Mechanism& mechanism, std::vector<Problem>& found) {
  for (const ForceSpec& spec : mechanism.description().forces())
    std::visit(
        [&]<class F>(const F& force) {
          if constexpr (requires { F::keyword; })
            if (!keeps_energy(force))
              found.push_back(
                  {fmt::format("({} ...) feeds or takes energy, or changes with time, {}; leave it out of the model",
                               F::keyword, of_no_bath),
                   spec.source});
        },
        spec.model);
  const auto& forces = mechanism.forces();
  if (!forces.of<UsersForce>().empty())
    found.push_back({fmt::format("a force element of the program may feed or take energy, {}", of_no_bath), {}});
  for (const UsersPotential& p : forces.of<UsersPotential>())
    if (p.depends_on_time()) found.push_back({fmt::format("a potential of the program changes with time, {}", of_no_bath), {}});
}

void find_drives(const Mechanism& mechanism, std::vector<Problem>& found) {
  for (const DrivenSpeed& d : mechanism.driven())
    found.push_back({fmt::format("speed \"{}\" follows a signal, {}; leave out what moves it",
                                 mechanism.speed_names()[std::size_t(d.u)], of_no_bath),
                     d.source});
  for (const Constraint& c : mechanism.constraints()) {
    if (std::holds_alternative<std::shared_ptr<const CustomConstraint>>(c.model))
      found.push_back({fmt::format("{} is a constraint of the program, which may change with time", c.description), c.source});
    std::visit(
        [&](const auto& model) {
          if constexpr (LinearConstraint<std::remove_cvref_t<decltype(model)>>)
            if (!model.equation().signal.is_constant())
              found.push_back({fmt::format("{} changes with time, {}", c.description, of_no_bath), c.source});
        },
        c.model);
  }
  for (const EventSpec& event : mechanism.description().events())
    found.push_back({fmt::format("event \"{}\" happens in time, {}; leave it out", event.name, of_no_bath), event.source});
}

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

void check(const Mechanism& mechanism, const CanonicalOptions& o) {
  if (!(std::isfinite(o.temperature) && o.temperature > 0))
    refuse(fmt::format("k T is {} J; it must be a finite number above 0", o.temperature));
  if (o.samples < 1 || o.samples > 10'000'000) refuse(fmt::format("{} samples; give from 1 to 10000000", o.samples));
  if (o.chains < 1 || o.chains > o.samples) refuse(fmt::format("{} chains; give from 1 to the number of samples", o.chains));
  if (o.discard < 0 || o.every < 1) refuse("proposals to discard must be 0 or more, and those between states 1 or more");
  if (o.most_steps < 1) refuse(fmt::format("{} steps of a motion; give at least 1", o.most_steps));
  if (o.step && !(std::isfinite(*o.step) && *o.step > 0)) refuse(fmt::format("the step of {} s must be above 0", *o.step));
  if (!o.step && o.discard < 20)
    refuse("each chain finds its step while it discards proposals; let it discard at least 20, or give a step");
  for (const std::string& name : o.quantities) Quantity(mechanism, name);
}

/// One chain from its beginning to its end.
class ChainRun {
 public:
  ChainRun(const State& start, const CanonicalOptions& options, int number)
      : options_(options), number_(number), chain_(start, options, number), state_(start), workspace_(start.mechanism()) {
    for (const std::string& name : options.quantities) quantities_.emplace_back(start.mechanism(), name);
  }

  void go(long count, const std::function<void()>& one_more) {
    for (long i = 0; i < options_.discard && !asked_to_stop(); ++i) chain_.propose_and_tune();
    chain_.settle();
    for (long i = 0; i < count && !asked_to_stop(); ++i) {
      for (long k = 0; k < options_.every; ++k) chain_.propose();
      keep();
      one_more();
    }
  }

  std::vector<CanonicalSample> samples;
  const CanonicalChain& chain() const { return chain_; }
  bool interrupted = false;

 private:
  bool asked_to_stop() { return interrupted = interrupted || (options_.interrupted && options_.interrupted()); }

  void keep() {
    CanonicalSample sample{number_, chain_.q(), chain_.u(), chain_.kinetic(), chain_.potential(), {}};
    if (!quantities_.empty()) {
      state_.set_q(sample.q);
      state_.set_u(sample.u);
      tree::realize(state_, workspace_, Stage::velocity);
      for (const Quantity& quantity : quantities_) sample.quantities.push_back(quantity(state_));
    }
    samples.push_back(std::move(sample));
  }

  const CanonicalOptions& options_;
  int number_;
  CanonicalChain chain_;
  State state_;
  tree::Workspace workspace_;
  std::vector<Quantity> quantities_;
};

template <class Of>
ChainStatistics statistics_of(const std::vector<std::optional<ChainRun>>& runs, const Of& of) {
  std::vector<std::vector<double>> chains;
  for (const auto& run : runs) {
    std::vector<double>& chain = chains.emplace_back();
    for (const CanonicalSample& sample : run->samples) chain.push_back(of(sample));
  }
  return chain_statistics(chains);
}

void warn(const CanonicalOptions& o, CanonicalResult& r) {
  constexpr double differing = 1.05, deviations = 5;
  const double share = 0.5 * o.temperature * r.freedoms;
  if (r.accepted < 0.2)
    r.warnings.push_back(fmt::format("only {:.1f} % of the proposals were accepted; take a shorter step", 100 * r.accepted));
  if (r.failed > 0.01)
    r.warnings.push_back(
        fmt::format("{:.1f} % of the motions could not be computed, or not back again; take a shorter step", 100 * r.failed));
  if (r.potential.reduction > differing)
    r.warnings.push_back(fmt::format(
        "the chains have not come to the same potential energy (reduction {:.3g}): they are too short, or the energy "
        "has no least value, as that of something that can fall for ever",
        r.potential.reduction));
  if (r.potential.effective < 100)
    r.warnings.push_back(
        fmt::format("the states say as little as {:.0f} independent ones would; draw more, or let more proposals "
                    "pass from one to the next",
                    r.potential.effective));
  if (r.freedoms > 0 && std::abs(r.kinetic.mean - share) > deviations * r.kinetic.error)
    r.warnings.push_back(
        fmt::format("the mean kinetic energy {:.6g} J is not {:.6g} J, k T/2 for each freedom", r.kinetic.mean, share));
}

}  // namespace

std::vector<Problem> not_canonical(const Mechanism& mechanism) {
  std::vector<Problem> found = unsupported_problems(method_named("tree-variational"), mechanism);
  find_forces(mechanism, found);
  find_drives(mechanism, found);
  return found;
}

CanonicalResult sample_canonical(const State& given, const CanonicalOptions& options, const Progress& progress) {
  const auto began = std::chrono::steady_clock::now();
  if (std::vector<Problem> found = not_canonical(given.mechanism()); !found.empty()) throw ModelError(std::move(found));
  require_supported(method_named("tree-variational"), given);
  State start = given;
  assemble_start(start);
  check(start.mechanism(), options);
  const Inspection inspection = inspect(start);
  if (options.proposal == Proposal::metropolis && inspection.independent_rows > 0)
    refuse("random displacements leave the constraints of this mechanism; sample by hybrid, whose motions keep them");
  if (inspection.degrees_of_freedom < 1) refuse("nothing can move, so there is nothing to sample");

  const std::size_t n = std::size_t(options.chains);
  std::vector<std::optional<ChainRun>> runs(n);
  std::vector<std::exception_ptr> thrown(n);
  std::mutex showing;
  long done = 0;
  const auto one_more = [&] {
    if (!progress) return;
    const std::lock_guard lock(showing);
    if (++done % 64 == 0) progress(double(done) / double(options.samples));
  };
  for_each_index(n, options.threads, [&](std::size_t i) {
    try {
      const long share = options.samples / options.chains + (long(i) < options.samples % options.chains ? 1 : 0);
      runs[i].emplace(start, options, int(i)).go(share, one_more);
    } catch (...) {
      thrown[i] = std::current_exception();
    }
  });
  for (const std::exception_ptr& e : thrown)
    if (e) std::rethrow_exception(e);

  CanonicalResult result;
  result.freedoms = inspection.degrees_of_freedom;
  long proposals = 0, accepted = 0, failed = 0;
  for (const auto& run : runs) {
    result.interrupted |= run->interrupted;
    result.steps.push_back(run->chain().step());
    proposals += run->chain().proposals(), accepted += run->chain().accepted(), failed += run->chain().failed();
  }
  result.accepted = double(accepted) / double(std::max(1L, proposals));
  result.failed = double(failed) / double(std::max(1L, proposals));
  result.kinetic = statistics_of(runs, [](const CanonicalSample& s) { return s.kinetic; });
  result.potential = statistics_of(runs, [](const CanonicalSample& s) { return s.potential; });
  for (std::size_t k = 0; k < options.quantities.size(); ++k)
    result.quantities.push_back(statistics_of(runs, [k](const CanonicalSample& s) { return s.quantities[k]; }));
  for (auto& run : runs)
    result.samples.insert(result.samples.end(), std::make_move_iterator(run->samples.begin()),
                          std::make_move_iterator(run->samples.end()));
  if (!result.interrupted) warn(options, result);
  result.wall_time = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return result;
}

}  // namespace polhode::study
