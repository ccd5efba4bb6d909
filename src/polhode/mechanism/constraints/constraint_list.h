#pragma once
#include <memory>

#include "polhode/mechanism/constraints/coincident_frames.h"
#include "polhode/mechanism/constraints/coincident_points.h"
#include "polhode/mechanism/constraints/constant_acceleration.h"
#include "polhode/mechanism/constraints/constant_angle.h"
#include "polhode/mechanism/constraints/constant_coordinate.h"
#include "polhode/mechanism/constraints/constant_orientation.h"
#include "polhode/mechanism/constraints/constant_speed.h"
#include "polhode/mechanism/constraints/coupler.h"
#include "polhode/mechanism/constraints/custom_constraint.h"
#include "polhode/mechanism/constraints/function_coupler.h"
#include "polhode/mechanism/constraints/gear.h"
#include "polhode/mechanism/constraints/motion_constraint.h"
#include "polhode/mechanism/constraints/no_slip.h"
#include "polhode/mechanism/constraints/point_constraint.h"
#include "polhode/mechanism/constraints/point_in_plane.h"
#include "polhode/mechanism/constraints/point_on_cylinder.h"
#include "polhode/mechanism/constraints/point_on_line.h"
#include "polhode/mechanism/constraints/rolling_ball.h"
#include "polhode/mechanism/constraints/rolling_disk.h"
#include "polhode/mechanism/constraints/screw_coupler.h"
#include "polhode/mechanism/constraints/speed_coupler.h"
#include "polhode/mechanism/constraints/wire.h"
#include "polhode/mechanism/element_list.h"

namespace polhode {

/// Every type of constraint that a description may have. Adding one: its file in this folder, its name here, its row in
/// docs/language.md.
using ConstraintElements =
    ElementList<BasicPointConstraint, BasicCoincidentPoints, BasicCoincidentFrames, BasicPointInPlane, BasicPointOnLine,
                BasicWire, BasicConstantAngle, BasicConstantOrientation, BasicNoSlip, BasicRollingDisk, BasicRollingBall,
                BasicScrewCoupler, BasicGear, BasicCoupler, BasicSpeedCoupler, BasicConstantCoordinate, BasicConstantSpeed,
                BasicConstantAcceleration, BasicMotionConstraint, BasicPointOnCylinder, BasicFunctionCoupler>;
using ConstraintDescription = ConstraintElements::Described<ConstraintFactory>;
using ConstraintModel = ConstraintElements::OnePlaced<std::shared_ptr<const CustomConstraint>>;

}  // namespace polhode
