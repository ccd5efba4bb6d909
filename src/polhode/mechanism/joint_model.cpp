#include "polhode/mechanism/joint_model.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace polhode {
namespace {

constexpr std::array<std::string_view, 17> canonical_names{Weld::type,
                                                           Revolute::type,
                                                           Prismatic::type,
                                                           Screw::type,
                                                           Cylindrical::type,
                                                           Universal::type,
                                                           BendStretch::type,
                                                           Planar::type,
                                                           SphericalCoordinates::type,
                                                           Gimbal::type,
                                                           Ball::type,
                                                           Ellipsoid::type,
                                                           LineOrientation::type,
                                                           Translation::type,
                                                           Bushing::type,
                                                           FreeLine::type,
                                                           Free::type};

/// What other programs and books call them.
constexpr std::pair<std::string_view, std::string_view> other_names[] = {{"fixed", Weld::type},
                                                                         {"rigid", Weld::type},
                                                                         {"pin", Revolute::type},
                                                                         {"hinge", Revolute::type},
                                                                         {"slider", Prismatic::type},
                                                                         {"translational", Prismatic::type},
                                                                         {"helical", Screw::type},
                                                                         {"cylinder", Cylindrical::type},
                                                                         {"cardan", Universal::type},
                                                                         {"hooke", Universal::type},
                                                                         {"u-joint", Universal::type},
                                                                         {"bendstretch", BendStretch::type},
                                                                         {"polar", BendStretch::type},
                                                                         {"sphericalcoordinates", SphericalCoordinates::type},
                                                                         {"ball", Ball::type},
                                                                         {"lineorientation", LineOrientation::type},
                                                                         {"cartesian", Translation::type},
                                                                         {"freeline", FreeLine::type},
                                                                         {"floating", Free::type}};

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// The alternative of the variant with that type name, among those that a default can be made of.
template <std::size_t i = 0>
std::optional<JointModel> default_joint(std::string_view canonical) {
  if constexpr (i < std::variant_size_v<JointModel>) {
    using J = std::variant_alternative_t<i, JointModel>;
    if constexpr (std::is_default_constructible_v<J>)
      if (J::type == canonical) return JointModel(J{});
    return default_joint<i + 1>(canonical);
  } else {
    return std::nullopt;
  }
}

}  // namespace

std::span<const std::string_view> joint_type_names() { return canonical_names; }

std::optional<JointModel> joint_from_type_name(std::string_view name) {
  for (const std::string_view canonical : canonical_names)
    if (same_letters(name, canonical)) return default_joint(canonical);
  for (const auto& [other, canonical] : other_names)
    if (same_letters(name, other)) return default_joint(canonical);
  return std::nullopt;
}

}  // namespace polhode
