#include "polhode/projected/maximal/jet_blocks.h"

#include <algorithm>

namespace polhode::projected {

using Block = JetMatrix::Block;

std::vector<Block> metric_blocks(const JetCoordinates& coordinates) {
  Block block{};
  for (int i = 0; i < coordinates.directions(); ++i) block[std::size_t(9 * i)] = coordinates.metric(i);
  return std::vector<Block>(std::size_t(coordinates.num_bodies()), block);
}

/// E of (4.2) in (w, v) instead of (r1, c): the inertia in body axes and the mass, both constant.
std::vector<Block> mass_blocks(const Mechanism& mechanism, const JetCoordinates& coordinates) {
  std::vector<Block> blocks;
  for (int b = 1; b < mechanism.num_bodies(); ++b) {
    const MassProperties& mass = mechanism.bodies()[std::size_t(b)].mass;
    Block block{};
    const Mat3<double> inertia = mass.inertia.full();
    if (coordinates.planar()) {
      // The moment of inertia about the normal, found by reducing the tensor's columns to the direction of beta.
      double moments[3];
      for (int c = 0; c < 3; ++c) {
        double row[8] = {inertia(0, c), inertia(1, c), inertia(2, c)};
        coordinates.reduce(b, row);
        moments[c] = row[0];
      }
      double row[8] = {moments[0], moments[1], moments[2]};
      coordinates.reduce(b, row);
      block[0] = row[0];
      block[9] = block[18] = mass.mass;
    } else {
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) block[std::size_t(8 * c + r)] = inertia(r, c);
      for (int i = 3; i < 6; ++i) block[std::size_t(9 * i)] = mass.mass;
    }
    blocks.push_back(block);
  }
  return blocks;
}

std::vector<char> without_inertia(const Mechanism& mechanism, const JetCoordinates& coordinates) {
  const std::vector<Block> blocks = mass_blocks(mechanism, coordinates);
  std::vector<char> singular;
  for (int b = 1; b < mechanism.num_bodies(); ++b) {
    const Block& block = blocks[std::size_t(b - 1)];
    const bool solid = coordinates.planar() ? block[0] > 0 && block[9] > 0
                                            : structure(mechanism.bodies()[std::size_t(b)].mass) == MassStructure::rigid;
    singular.push_back(!solid);
  }
  return singular;
}

/// As heavy as the bodies are, so that neither part of D + weight G^T G swamps the other; none where no body needs it.
double weight_of(const Mechanism& mechanism, const JetCoordinates& coordinates) {
  const std::vector<char> singular = without_inertia(mechanism, coordinates);
  if (std::find(singular.begin(), singular.end(), char(1)) == singular.end()) return 0;
  double most = 0;
  for (const Body& body : mechanism.bodies()) most = std::max(most, body.mass.mass);
  return most > 0 ? most : 1.0;
}

}  // namespace polhode::projected
