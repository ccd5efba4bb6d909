#pragma once
#include <unordered_map>

#include "polhode/mechanism/resolver_names.h"

namespace polhode {

/// What moves each speed: signals at three levels, fast coordinates, locks; and the discrete variables that the model names.
class Drives : public ResolverPart {
 public:
  Drives(const ResolverPart& part, Names& names, const std::vector<Source>& joint_source)
      : ResolverPart(part), names_(names), joint_source_(joint_source) {}
  void make_kinematic();
  void make_drives();
  void make_discrete();

 private:
  struct Start {
    std::optional<double> value, rate;
  };
  void add_kinematic(const KinematicSpec& spec, std::unordered_map<int, Source>& first);
  void add_driven(DrivenSpeed driven, const std::string& what);
  void add_motion(const MotionSpec& spec);
  void add_orientation(const JointMotionSpec& spec);
  void add_place(const JointMotionSpec& spec);
  std::optional<int> joint_of(const JointMotionSpec& spec);
  void refuse_starts_of_orientations();
  void add_fast(const FastSpec& spec);
  void refuse_slow_on_fast();
  void make_locks();
  static Start start_of(const DrivenSpeed& d);
  void refuse_contradictions();

  Names& names_;
  const std::vector<Source>& joint_source_;
};

}  // namespace polhode
