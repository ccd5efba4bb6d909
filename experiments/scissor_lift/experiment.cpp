// Johnson & Murphey, Figs. 11 and 12: the scissor lift with five segments.
#include "../all.h"
#include "parts.h"

namespace polhode::experiments {
namespace {

void run(Findings& findings) {
  show_ten_seconds(findings);
  show_thousand_seconds(findings);
  show_convergence(findings);
  findings.note(
      "The paper gives no numbers for the lift. Here links have length 1 m, mass 1 kg and inertia 0.01 kg m^2, the slider 1 "
      "kg; they start at rest, 0.05 pi below the horizontal. The exact motion is that of the one-degree Lagrangian, by "
      "extrapolation to rounding. (The paper's mass term has n - 1/2 with the cosine; its potential 2 m g (n - 1/2) L sin "
      "theta is ours.)");
  findings.note(
      "Six times in ten seconds all links stand upright. There the constraints' Jacobian loses rank, and other motions "
      "branch off: the links may go on as one bundle that turns about its end. An engine must find the continuation that it "
      "came for.");
}

}  // namespace

const Experiment scissor_lift{"scissor_lift", "Scissor lift", "Johnson & Murphey, Figs. 11 and 12",
                              "Eleven bodies and five loops with one degree of freedom, so that an exact motion is known. "
                              "The variational integrator follows it almost perfectly with steps of 10 ms; ODE loses most of "
                              "the energy at once at 10 ms and leaves the motion soon at 1 ms and 0.1 ms. After 1000 s the "
                              "variational motion is late or early by a part of a swing, but amplitude, shape and frequency "
                              "are still right.",
                              run};

}  // namespace polhode::experiments
