#pragma once
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "polhode/format/language/draft.h"
#include "polhode/format/language/expansion.h"
#include "polhode/mechanism/frame_tree.h"

namespace polhode::format {

/// Reads the (use ...) form of an expanded tree, which says where an instance is.
void read_placement(Arguments& arguments, int instance, Draft& draft);

/// Puts submodels where they are used: what they say of Ground and of the drawing, they say of the frame that they are on.
class Placements {
 public:
  Placements(const Expansion& expansion, Draft& draft, Notes& notes);

  /// Where the outermost frames of placed instances begin. Before nested frames become bodies.
  void move(std::vector<TreeFrame>& frames);
  /// Adds to the draft's builder what stands in as_drawn, where it belongs, and moves joints. When everything was read.
  void move_elements(const std::vector<TreeFrame>& nested);

 private:
  /// The frame that is Ground to an instance.
  struct Base {
    std::string body = ground_name;  ///< that it is fixed on
    Transform<double> X_BF{}, X_WF{};
  };
  /// The nearest instance around this one, or itself, that is placed; 0 when none is.
  int placed(int instance) const;
  const Base& base(int instance);
  Base find_base(int instance);
  void move_joint(DraftJoint& joint, const Base& on);
  std::optional<Base> body_named(const std::string& name);
  std::optional<Base> frame_named(const std::string& name);

  const Expansion& expansion_;
  Draft& draft_;
  Notes& notes_;
  MechanismBuilder drawn_;                   ///< all bodies and frames as they are written, those of nested frames last
  std::size_t plain_bodies_, plain_frames_;  ///< so many are not of nested frames
  std::map<int, Base> bases_;
  std::vector<bool> in_work_;
  std::unordered_map<std::string, std::size_t> bodies_, frames_;
};

}  // namespace polhode::format
