// Bullet's btMultiBody in double precision.  Methods: euler (semi-implicit), rk4.
//
// Every free link is the floating base of a multibody of its own, all others hang from those or from one fixed base.  Bullet
// has no universal joint; it is two hinges with a massless link between them, whose own inertia the recursion never divides by.
// Springs, drives and damping are joint torques that are set before a step; rk4 holds them over the step.  Loops are closed by
// btMultiBodyPoint2Point, whose impulses change the velocities after either method has, so with loops rk4 is of first order
// too. They are solved by Bullet's sequential impulses.  Its direct solver (btMultiBodyMLCPConstraintSolver with
// btDantzigSolver) is no better: where a mechanism is planar it meets the equation across the plane, whose row is zero, gives
// up and leaves all to the same sweeps, and with the constraint force mixing that would avoid this it diverges in the scissor
// lift.

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <BulletDynamics/Featherstone/btMultiBodyPoint2Point.h>
#include <btBulletDynamicsCommon.h>

#include <stdexcept>

#include "../step/subject.h"
#include "planar.h"

namespace polhode::bench {
namespace {

constexpr double without_limit = 1e30;  // Bullet stops at 100 m/s or rad/s, and at 100 N s in a constraint, by itself
constexpr int iterations = 100;         // sweeps over the closures; the usual 10 lose energy, 1000 take ten times as long

btVector3 vector3(const Triple& a) { return {a[0], a[1], a[2]}; }
Triple triple(const btVector3& a) { return {a.x(), a.y(), a.z()}; }

btQuaternion inverse_quaternion(const Rotation& R) {
  btQuaternion q;
  btMatrix3x3(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]).transpose().getRotation(q);
  return q;
}

/// Where a link of the problem is in Bullet.
struct Place {
  std::size_t body = 0;
  int link = -1;   // -1 is the base; of a universal joint the second of the two
  int first = -1;  // of a universal joint: the massless link
};

class BulletStep final : public StepSubject {
 public:
  BulletStep(const Problem& problem, const std::string& method) : problem_(problem), rk4_(method == "rk4") {
    if (!rk4_ && method != "euler") throw std::runtime_error("Bullet has no method \"" + method + "\" here");
    world_.setGravity(vector3(problem.gravity));
    find_places();
    const std::vector<BodyState> start = start_of(problem_);
    for (std::size_t i = 0; i < bodies_.size(); ++i) make_body(i);
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (problem_.links[i].joint != JointKind::free) add_link(int(i));
    }
    for (const auto& body : bodies_) body->finalizeMultiDof();
    for (std::size_t i = 0; i < places_.size(); ++i) set_start(problem_.links[i], places_[i], start[i]);
    for (const auto& body : bodies_) {
      body->useRK4Integration(rk4_);
      world_.addMultiBody(body.get());
      body->forwardKinematics(scratch_rotations_, scratch_vectors_);
    }
    add_closures();
  }
  BulletStep(const BulletStep&) = delete;
  BulletStep& operator=(const BulletStep&) = delete;
  ~BulletStep() override {
    for (const auto& closure : closures_) world_.removeMultiBodyConstraint(closure.get());
    for (const auto& collider : colliders_) world_.removeCollisionObject(collider.get());
    for (const auto& body : bodies_) world_.removeMultiBody(body.get());
  }

  const Problem& problem() const override { return problem_; }

  void advance(int steps) override {
    for (int i = 0; i < steps; ++i) {
      for (const int link : forced_) add_forces(problem_.links[link], places_[link]);
      world_.stepSimulation(problem_.dt, /*maxSubSteps=*/0);
    }
    steps_ += steps;
  }

  void observe(std::vector<BodyState>& bodies) override {
    std::vector<std::vector<btVector3>> omega, velocity;  // the base first; each in its link's axes
    for (const auto& body : bodies_) {
      body->forwardKinematics(scratch_rotations_, scratch_vectors_);
      omega.emplace_back(body->getNumLinks() + 1);
      velocity.emplace_back(body->getNumLinks() + 1);
      body->compTreeLinkVelocities(omega.back().data(), velocity.back().data());
    }
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const auto& [b, link, first] = places_[i];
      // Of the centre of mass.
      const btTransform X = link < 0 ? bodies_[b]->getBaseWorldTransform() : bodies_[b]->getLink(link).m_cachedWorldTransform;
      bodies[i].centre = triple(X.getOrigin());
      bodies[i].velocity = triple(X.getBasis() * velocity[b][link + 1]);
      bodies[i].omega = triple(X.getBasis() * omega[b][link + 1]);
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) bodies[i].R[3 * row + column] = X.getBasis()[row][column];
      }
    }
  }

  StepCounters counters() const override { return {steps_, 0, 0}; }

 private:
  static constexpr int no_link = -1;

  /// Sorts the links into multibodies, the first of which has the fixed base.
  void find_places() {
    roots_ = {no_link};
    sizes_ = {0};
    for (std::size_t i = 0; i < problem_.links.size(); ++i) {
      const Link& link = problem_.links[i];
      Place place;
      if (link.joint == JointKind::free) {
        if (link.damping != 0 && link.parent != world) {
          throw std::runtime_error("Bullet has no free joint below another link, so none to damp");
        }
        place.body = roots_.size();
        roots_.push_back(int(i));
        sizes_.push_back(0);
      } else {
        place.body = link.parent == world ? 0 : places_[link.parent].body;
        if (link.joint == JointKind::universal) place.first = sizes_[place.body]++;
        place.link = sizes_[place.body]++;
      }
      if (link.has_spring() || link.drive != 0 || link.damping != 0) forced_.push_back(int(i));
      places_.push_back(place);
    }
    bodies_.resize(roots_.size());
  }

  void make_body(std::size_t i) {
    const int root = roots_[i];
    const double mass = root == no_link ? 0 : problem_.links[root].mass;
    const btVector3 inertia = root == no_link ? btVector3(0, 0, 0) : vector3(problem_.links[root].inertia);
    bodies_[i] = std::make_unique<btMultiBody>(sizes_[i], mass, inertia, /*fixedBase=*/root == no_link, /*canSleep=*/false);
    btMultiBody& body = *bodies_[i];
    body.setLinearDamping(0);
    body.setAngularDamping(0);
    body.setMaxCoordinateVelocity(without_limit);
    body.setUseGyroTerm(true);
    body.setHasSelfCollision(false);
  }

  void add_link(int i) {
    const Link& link = problem_.links[i];
    const Place& place = places_[i];
    btMultiBody& body = *bodies_[place.body];
    const int parent = link.parent == world ? -1 : places_[link.parent].link;
    // Bullet's links are placed by their centres of mass, the fixed base by its own at the origin.
    const Triple parent_centre = link.parent == world ? Triple{} : problem_.links[link.parent].centre;
    const btVector3 parent_centre_to_joint = vector3(link.joint_at - parent_centre);
    const btQuaternion turn = inverse_quaternion(link.zero);
    const btVector3 inertia = vector3(link.inertia), joint_to_centre = vector3(link.centre), nothing(0, 0, 0);
    switch (link.joint) {
      case JointKind::hinge:
        body.setupRevolute(place.link, link.mass, inertia, parent, turn, vector3(link.axis), parent_centre_to_joint,
                           joint_to_centre, /*disableParentCollision=*/true);
        break;
      case JointKind::slide:
        body.setupPrismatic(place.link, link.mass, inertia, parent, turn, vector3(link.axis), parent_centre_to_joint,
                            joint_to_centre, /*disableParentCollision=*/true);
        break;
      case JointKind::universal:
        body.setupRevolute(place.first, 0, nothing, parent, turn, vector3(link.axis), parent_centre_to_joint, nothing, true);
        body.setupRevolute(place.link, link.mass, inertia, place.first, btQuaternion::getIdentity(), vector3(link.axis2),
                           nothing, joint_to_centre, /*disableParentCollision=*/true);
        break;
      case JointKind::ball:
        body.setupSpherical(place.link, link.mass, inertia, parent, turn, parent_centre_to_joint, joint_to_centre,
                            /*disableParentCollision=*/true);
        break;
      case JointKind::free: break;
    }
  }

  void set_start(const Link& link, const Place& place, const BodyState& start) {
    btMultiBody& body = *bodies_[place.body];
    switch (link.joint) {
      case JointKind::free:
        body.setBasePos(vector3(start.centre));
        body.setWorldToBaseRot(inverse_quaternion(start.R));
        body.setBaseVel(vector3(start.velocity));
        body.setBaseOmega(vector3(start.omega));
        break;
      case JointKind::ball: {
        const btScalar q[4] = {link.turn[1], link.turn[2], link.turn[3], link.turn[0]};
        // In the link's axes.
        const Triple omega = rotated_back(rotation_of(link.turn), rotated_back(link.zero, link.omega));
        const btScalar v[3] = {omega[0], omega[1], omega[2]};
        body.setJointPosMultiDof(place.link, q);
        body.setJointVelMultiDof(place.link, v);
        break;
      }
      case JointKind::universal:
        body.setJointPos(place.first, link.q[0]);
        body.setJointVel(place.first, link.u[0]);
        body.setJointPos(place.link, link.q[1]);
        body.setJointVel(place.link, link.u[1]);
        break;
      default:
        body.setJointPos(place.link, link.q[0]);
        body.setJointVel(place.link, link.u[0]);
        break;
    }
  }

  void add_forces(const Link& link, const Place& place) {
    btMultiBody& body = *bodies_[place.body];
    const auto damp = [&](int i) { body.addJointTorque(i, -link.damping * body.getJointVel(i)); };
    switch (link.joint) {
      case JointKind::ball:
        for (int k = 0; k < 3; ++k) {
          body.addJointTorqueMultiDof(place.link, k, -link.damping * body.getJointVelMultiDof(place.link)[k]);
        }
        break;
      case JointKind::universal:
        damp(place.first);
        damp(place.link);
        break;
      case JointKind::free: {
        // A drag on the link's origin and one on its spin.
        const btVector3 r = body.getBaseWorldTransform().getBasis() * vector3(-1 * link.centre), omega = body.getBaseOmega();
        const btVector3 drag = -link.damping * (body.getBaseVel() + omega.cross(r));
        body.addBaseForce(drag);
        body.addBaseTorque(r.cross(drag) - link.damping * omega);
        break;
      }
      default:
        body.addJointTorque(place.link, link.force_at(body.getJointPos(place.link)));
        damp(place.link);
        break;
    }
  }

  void add_closures() {
    if (problem_.closures.empty()) return;
    add_colliders();
    world_.getSolverInfo().m_numIterations = iterations;
    refuse_lines_in_space(problem_, "Bullet");
    const bool planar = is_planar(problem_);
    const std::vector<LinkFrame> frames = frames_at_start(problem_);
    for (const Closure& closure : problem_.closures) {
      if (closure.kind == Closure::Kind::rod) {
        throw std::runtime_error("Bullet has no constraint that keeps two points of multibodies at a distance");
      }
      add_point(closure, closure.p_a, frames);
      // Two points of the axis make a pin; where everything is planar, one does.
      if (closure.kind == Closure::Kind::pin && !planar) add_point(closure, closure.p_a + Triple{0, 1, 0}, frames);
    }
  }

  /// Bullet finds the constraints of an island by the colliders of their links.  These have no shape and meet nothing.
  void add_colliders() {
    for (const auto& body : bodies_) {
      for (int link = body->hasFixedBase() ? 0 : -1; link < body->getNumLinks(); ++link) {
        colliders_.push_back(std::make_unique<btMultiBodyLinkCollider>(body.get(), link));
        btMultiBodyLinkCollider* collider = colliders_.back().get();
        collider->setCollisionShape(&no_shape_);
        collider->setActivationState(DISABLE_DEACTIVATION);
        world_.addCollisionObject(collider, /*group=*/0, /*mask=*/0);
        if (link < 0) {
          body->setBaseCollider(collider);
        } else {
          body->getLink(link).m_collider = collider;
        }
      }
    }
  }

  /// Where a point of the first link is at the start, both links meet.
  void add_point(const Closure& closure, const Triple& p_a, const std::vector<LinkFrame>& frames) {
    const Place& a = places_[closure.link_a];
    const Triple at = point_on(frames[closure.link_a], p_a);
    const btVector3 in_a = vector3(p_a - problem_.links[closure.link_a].centre);
    btMultiBody* const body_a = bodies_[a.body].get();
    if (closure.link_b == world) {
      btRigidBody* const none = nullptr;
      closures_.push_back(std::make_unique<btMultiBodyPoint2Point>(body_a, a.link, none, in_a, vector3(at)));
    } else {
      const Place& b = places_[closure.link_b];
      const LinkFrame& frame = frames[closure.link_b];
      const Triple p_b = rotated_back(frame.R, at - frame.origin);
      const btVector3 in_b = vector3(p_b - problem_.links[closure.link_b].centre);
      closures_.push_back(std::make_unique<btMultiBodyPoint2Point>(body_a, a.link, bodies_[b.body].get(), b.link, in_a, in_b));
    }
    closures_.back()->setMaxAppliedImpulse(without_limit);
    world_.addMultiBodyConstraint(closures_.back().get());
    closures_.back()->finalizeMultiDof();
  }

  Problem problem_;
  bool rk4_;
  std::vector<Place> places_;  // of the links
  std::vector<int> roots_;     // of the multibodies: their free links
  std::vector<int> sizes_;     // their links besides the base
  std::vector<int> forced_;    // links whose joints feel forces
  btEmptyShape no_shape_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btMultiBodyConstraintSolver solver_;
  btMultiBodyDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btMultiBody>> bodies_;
  std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders_;
  std::vector<std::unique_ptr<btMultiBodyPoint2Point>> closures_;
  btAlignedObjectArray<btQuaternion> scratch_rotations_;
  btAlignedObjectArray<btVector3> scratch_vectors_;
  long steps_ = 0;
};

static_assert(sizeof(btScalar) == sizeof(double), "build with BT_USE_DOUBLE_PRECISION and the float64 libraries");

}  // namespace

std::unique_ptr<StepSubject> make_bullet_step(const Problem& problem, const std::string& method) {
  return std::make_unique<BulletStep>(problem, method);
}

std::string bullet_version() {
  return "Bullet " + std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100) + " double";
}

}  // namespace polhode::bench
