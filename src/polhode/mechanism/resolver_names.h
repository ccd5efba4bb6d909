#pragma once
#include <optional>
#include <unordered_map>

#include "polhode/mechanism/resolver_tree.h"

namespace polhode {

/// A coordinate whose rate is a speed, which a generalized force can act on.
struct Axis {
  int q, u;
};

/// How coordinates, speeds and joints belong together.
struct CoordinateIndex {
  std::vector<int> body_of_q, body_of_u;
  std::vector<int> speed_of_q;                           ///< index of the speed that is the coordinate's rate, or -1
  std::vector<int> q_of_speed;                           ///< index of the coordinate whose rate is the speed, or -1
  std::unordered_map<std::string, int> reserved;         ///< joints, by name of their coordinates that are not in the tree
  std::unordered_map<std::string, int> reserved_speeds;  ///< and of their speeds
};

/// Look-ups that note a problem when they fail. `what` says who asks.
class Names : public ResolverPart {
 public:
  Names(const ResolverPart& part, const CoordinateIndex& index, WishedTree& wishes)
      : ResolverPart(part), index_(index), wishes_(wishes) {}

  std::optional<int> body_of(const std::string& name, const std::string& what, const Source& where);
  std::optional<int> frame_of(const std::string& name, const std::string& what, const Source& where);
  /// Two different frames.
  std::optional<std::pair<int, int>> frames_of(const std::string& a, const std::string& b, const std::string& what,
                                               const Source& where);
  std::optional<int> coordinate_of(const std::string& name, const std::string& what, const Source& where);
  std::optional<Axis> axis_of(const std::string& name, const std::string& what, const Source& where);
  /// The speed that a force on a coordinate acts on. Speeds that are not rates of coordinates go by their own name.
  std::optional<int> speed_of(const std::string& name, const std::string& what, const Source& where);
  /// A speed by its own name. One of a joint that closes a loop is noted as asked for.
  std::optional<int> own_speed(const std::string& name);
  bool is_speed_of_its_own(const std::string& name) const;
  /// Joints of the tree.
  std::vector<std::string> joint_names() const;

  bool number(double value, double least, const char* what, const std::string& of, const Source& where);

  const CoordinateIndex& index() const { return index_; }
  WishedTree& wishes() { return wishes_; }

 private:
  const CoordinateIndex& index_;
  WishedTree& wishes_;
};

}  // namespace polhode
