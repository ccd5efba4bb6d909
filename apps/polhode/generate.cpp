#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "polhode/format/writer.h"
#include "polhode/mechanism/builder.h"

namespace polhode::cli {
namespace {

struct ChainOptions {
  int links = 10;
  std::string joint = "revolute";
  double mass = 1, length = 1, angle = 0.5;
};

/// Equal rods hanging from Ground, straight, turned by an angle from the vertical: the chain of the benchmarks.
MechanismBuilder chain(const ChainOptions& o) {
  MechanismBuilder builder;
  builder.name = fmt::format("chain of {} links, {} joints", o.links, o.joint);
  const double I = o.mass * o.length * o.length / 12;
  const MassProperties link{o.mass, {0, 0, -0.5 * o.length}, SymMat3<double>::diagonal({I, I, 0.12 * I})};
  const bool ball = o.joint == "spherical";
  // A pin turns about y: the joint's z axis lies along the link's y.
  const Mat3<double> axes = ball ? Mat3<double>::identity() : Mat3<double>{{Vec3<double>{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
  for (int i = 0; i < o.links; ++i) {
    const std::string name = fmt::format("link{}", i + 1);
    builder.add_body({.name = name, .mass = link});
    JointSpec joint{.name = fmt::format("joint{}", i + 1),
                    .parent = i == 0 ? ground_name : fmt::format("link{}", i),
                    .child = name,
                    .placement = LocalPlacement{{axes, {0, 0, i == 0 ? 0 : -o.length}}, {axes, {}}}};
    if (ball) joint.model = Ball{};
    builder.add_joint(std::move(joint));
  }
  builder.add_frame({.name = "tip", .body = fmt::format("link{}", o.links), .X_BF = at(0, 0, -o.length)});
  if (ball) {
    builder.set_initial({.coordinate = "joint1.qw", .value = std::cos(0.5 * o.angle)});
    builder.set_initial({.coordinate = "joint1.qy", .value = std::sin(0.5 * o.angle)});
  } else {
    builder.set_initial({.coordinate = "joint1", .value = o.angle});
  }
  return builder;
}

}  // namespace

void add_generate(CLI::App& app, int& status) {
  CLI::App* generate = app.add_subcommand("generate", "Print a model of a parametric mechanism");
  generate->require_subcommand(1);
  const auto o = std::make_shared<ChainOptions>();
  CLI::App* command = generate->add_subcommand("chain", "Equal links hanging from Ground");
  command->add_option("--links", o->links, "How many")->check(CLI::Range(1, 100000))->capture_default_str();
  command->add_option("--joint", o->joint, "Joint type")
      ->check(CLI::IsMember({"revolute", "spherical"}))
      ->capture_default_str();
  command->add_option("--mass", o->mass, "Of a link [kg]")->check(CLI::PositiveNumber)->capture_default_str();
  command->add_option("--length", o->length, "Of a link [m]")->check(CLI::PositiveNumber)->capture_default_str();
  command->add_option("--angle", o->angle, "Of the straight chain from the vertical at the start [rad]")->capture_default_str();
  command->callback([o, &status] {
    const MechanismBuilder builder = chain(*o);
    (void)builder.build();  // options may still ask for the impossible; say so before printing
    fmt::print("{}", format::write_model(builder));
    status = done;
  });
}

}  // namespace polhode::cli
