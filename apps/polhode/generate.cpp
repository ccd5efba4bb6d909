#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "parametric.h"
#include "polhode/format/language/writer.h"
#include "usage.h"

namespace polhode::cli {
namespace {

constexpr int most = 100000;
const CLI::IsMember joint_types({"revolute", "spherical", "ball"});

/// A subcommand whose options fill an O, from which `make` describes the mechanism to print.
template <class O>
CLI::App* add_generator(CLI::App& generate, const char* name, const char* what, int& status, MechanismBuilder (*make)(const O&),
                        const std::shared_ptr<O>& o) {
  CLI::App* command = generate.add_subcommand(name, what);
  command->add_option("--mass", o->mass, "Mass of a link [kg]")->check(positive_number())->capture_default_str();
  command->add_option("--length", o->length, "Length of a link [m]")->check(positive_number())->capture_default_str();
  command->callback([o, make, &status] {
    const MechanismBuilder builder = make(*o);
    (void)builder.build();  // options may still ask for the impossible; say so before printing
    fmt::print("{}", format::write_model(builder));
    status = done;
  });
  return command;
}

void add_chain(CLI::App& generate, int& status) {
  const auto o = std::make_shared<ChainOptions>();
  CLI::App* command = add_generator(generate, "chain", "Equal links hanging from Ground", status, chain, o);
  command->add_option("--links", o->links, "How many links")->transform(whole_number_up_to(most))->capture_default_str();
  command->add_option("--joint", o->joint, "Joint type")->check(joint_types)->capture_default_str();
  command->add_option("--angle", o->angle, "Angle of the straight chain from the vertical at the start [rad]")
      ->check(finite_number())
      ->capture_default_str();
}

void add_scissor_lift(CLI::App& generate, int& status) {
  const auto o = std::make_shared<ScissorLiftOptions>();
  CLI::App* command =
      add_generator(generate, "scissor-lift", "Crossed links hanging from a pin and a slider", status, scissor_lift, o);
  command->add_option("--segments", o->segments, "How many pairs of links")
      ->transform(whole_number_up_to(most))
      ->capture_default_str();
  command->add_option("--angle", o->angle, "Angle of the links below the horizontal at the start [rad]")
      ->check(finite_number())
      ->capture_default_str();
}

void add_four_bars(CLI::App& generate, int& status) {
  const auto o = std::make_shared<FourBarsOptions>();
  CLI::App* command =
      add_generator(generate, "four-bars", "Four-bar linkages side by side, all rods equal", status, four_bars, o);
  command->add_option("--segments", o->segments, "How many linkages")
      ->transform(whole_number_up_to(most))
      ->capture_default_str();
  command->add_option("--loops", o->loops, "Loops close by pins, or by two equations on points")
      ->check(CLI::IsMember({"pins", "points"}))
      ->capture_default_str();
  command->add_option("--speed", o->speed, "Speed of the upper ends at the start [m/s]")
      ->check(finite_number())
      ->capture_default_str();
}

void add_closed_chain(CLI::App& generate, int& status) {
  const auto o = std::make_shared<ClosedChainOptions>();
  CLI::App* command =
      add_generator(generate, "closed-chain", "Equal links between two places on Ground", status, closed_chain, o);
  command->add_option("--links", o->links, "How many links")->transform(whole_number_up_to(most))->capture_default_str();
  command->add_option("--joint", o->joint, "Joint type")->check(joint_types)->capture_default_str();
  command->add_option("--angle", o->angle, "Angle of the line between the ends above the horizontal [rad]")
      ->check(finite_number())
      ->capture_default_str();
}

void add_four_bar_chain(CLI::App& generate, int& status) {
  const auto o = std::make_shared<FourBarChainOptions>();
  CLI::App* command =
      add_generator(generate, "four-bar-chain", "Rhombi of four links hanging from one another", status, four_bar_chain, o);
  command->add_option("--segments", o->segments, "How many rhombi")->transform(whole_number_up_to(most))->capture_default_str();
  command->add_option("--angle", o->angle, "Angle of the chain from the vertical at the start [rad]")
      ->check(finite_number())
      ->capture_default_str();
}

}  // namespace

void add_generate(CLI::App& app, int& status) {
  CLI::App* generate = app.add_subcommand("generate", "Print a model of a parametric mechanism");
  generate->require_subcommand(1);
  add_chain(*generate, status);
  add_scissor_lift(*generate, status);
  add_four_bars(*generate, status);
  add_closed_chain(*generate, status);
  add_four_bar_chain(*generate, status);
}

}  // namespace polhode::cli
