#pragma once
#include <optional>
#include <string>

#include "polhode/mechanism/builder.h"

namespace polhode {

/// The cross-section of a beam along x, with y and z along its principal axes.
struct BeamSection {
  double area = 0;                              ///< [m^2]
  double moment_y = 0, moment_z = 0;            ///< second moments of area about y and z [m^4]
  double torsion = 0;                           ///< torsion constant [m^4]
  double shear_y = 5.0 / 6, shear_z = 5.0 / 6;  ///< parts of the area that carry shear along y and z (Timoshenko)
  std::optional<Solid> shape{};  ///< of one metre, along x: what elements look like; none: a box of the same moments

  /// Width along y, height along z.
  static BeamSection rectangle(double width, double height);
  static BeamSection circle(double radius);
};

/// A flexible beam: slender, straight, of one section and one linear elastic material, free to move and bend as far as it likes
/// while each of its elements bends little.
///
/// It is a chain of rigid bodies joined by springs, the rigid finite element method (Wittbrodt, Adamiec-Wojcik & Wojciech
/// 2006): n springs, each with the elasticity of a piece of length l = L/n, sit in the middle of their pieces, and the bodies
/// between them have the matter from one spring to the next: n - 1 of length l, and one of l/2 at either end. A spring's
/// compliance against bending is w l / (E I), and likewise l / (G J), l / (E A), l / (k G A). The weights w are 1 inside, which
/// is the midpoint rule for the work of the strains, and 13/12, 7/8, 25/24 from either end, which are the end corrections that
/// make that rule exact to third order; since the dispersion of waves in the chain, omega^2 = E I / (rho A l^4)
/// (2 - 2 cos k)^2 3 / (2 + cos k) with k the wave number times l, is right to fourth order in k, frequencies converge as
/// 1/n^4.
struct BeamSpec {
  std::string name;          ///< from which those of its parts are made
  std::string frame_a;       ///< where it begins: it runs along this frame's x axis
  std::string frame_b;       ///< what its end is joined to; empty: nothing
  double length = 0;         ///< [m]
  int elements = 10;         ///< springs; the bodies are one more
  BeamSection section{};     ///< the same all along
  double young = 0;          ///< E [N/m^2]
  double shear_modulus = 0;  ///< G [N/m^2]; not needed by a planar beam without shear
  double density = 0;        ///< [kg/m^3]
  /// What its elements may do: bend about z only, or bend about y and z and twist; with `stretches`, be stretched and sheared
  /// too.
  bool planar = false, stretches = false;
  /// T of Kelvin's and Voigt's law, stress = E (strain + T d(strain)/dt) [s]: a mode of frequency omega has the damping ratio
  /// omega T / 2.
  double damping_time = 0;
  JointModel root = Weld{}, end = Weld{};  ///< at frame_a and at frame_b
  std::optional<Color> color{};            ///< of its elements
  Source source{};                         ///< where it was read
};

/// Adds a beam's bodies, joints, springs, dampers and shapes. The frames that it begins and ends at must have been added
/// before. Its bodies are NAME.0 at the root to NAME.n at the end, with their origins at their centres of mass and their x axes
/// along the beam; its joints NAME.1 to NAME.n, and NAME.root and NAME.end at the frames; the frame NAME.tip is at its end.
/// What is wrong with it is kept for build().
void add_beam(MechanismBuilder& builder, const BeamSpec& beam);

}  // namespace polhode
