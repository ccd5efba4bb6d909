#include "tests/support/random_classes.h"

#include <cmath>

#include "tests/support/changed_model.h"

namespace polhode::testing_support {
namespace {

using Draw = void (*)(Sketch&);
void draw_one_of(Sketch& s, std::initializer_list<Draw> draws) { draws.begin()[s.random.index(int(draws.size()))](s); }

}  // namespace

void draw_light_bodies(Sketch& s) {
  draw_one_of(s, {draw_tree, draw_hinge_tree, draw_planar_loop, draw_spatial_loop, draw_rods, draw_points, draw_door});
  s.builder = lightened(s.builder, s.random, std::pow(10.0, s.random.uniform(-6, -2)));
}

void draw_scales(Sketch& s) {
  draw_one_of(s, {draw_tree, draw_hinge_tree, draw_planar_loop, draw_spatial_loop, draw_rods, draw_points, draw_door,
                  draw_angles, draw_points_on_surfaces, draw_bricard});
  Units& units = s.units;
  units.length = std::pow(10.0, s.random.uniform(-3, 3));
  units.mass = std::pow(10.0, s.random.uniform(-3, 3));
  units.time = std::sqrt(units.length);  // as gravity has it
  s.builder = resized(s.builder, units);
  s.time *= units.time;
}

const std::vector<MechanismClass>& mechanism_classes() {
  static const std::vector<MechanismClass> all{
      {"tree", draw_tree},
      {"floating_tree", draw_floating_tree},
      {"hinge_tree", draw_hinge_tree},
      {"nested_frames", draw_nested_frames},
      {"welded_clusters", draw_welded_clusters},
      {"incomplete_matter", draw_incomplete_matter},
      {"planar_loop", draw_planar_loop},
      {"planar_linkage", draw_planar_linkage},
      {"spatial_loop", draw_spatial_loop},
      {"rare_joint_loop", draw_rare_joint_loop},
      {"rigid_loop", draw_rigid_loop},
      {"rigid_slider_and_pin", draw_rigid_slider_and_pin},
      {"door", draw_door},
      {"parallelogram", draw_parallelogram},
      {"bennett", draw_bennett},
      {"bricard", draw_bricard},
      {"sarrus", draw_sarrus},
      {"rods", draw_rods},
      {"points", draw_points},
      {"points_on_surfaces", draw_points_on_surfaces},
      {"angles", draw_angles},
      {"couplers", draw_couplers},
      {"screws", draw_screws},
      {"rolling", draw_rolling},
      {"no_slip", draw_no_slip},
      {"driven", draw_driven},
      {"driven_loop", draw_driven_loop},
      {"locked", draw_locked},
      {"driven_speeds", draw_driven_speeds},
      {"oriented", draw_oriented},
      {"forces", draw_forces},
      {"loop_forces", draw_loop_forces},
      {"attraction", draw_attraction},
      {"laws", draw_laws},
      {"massless_coupler", draw_massless_coupler},
      {"light_bodies", draw_light_bodies},
      {"scales", draw_scales},
  };
  return all;
}

}  // namespace polhode::testing_support
