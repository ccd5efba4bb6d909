#include "polhode/format/plots/arrows.h"

#include <nlohmann/json.hpp>
#include <unordered_set>

#include "polhode/study/element_names.h"
#include "polhode/study/quantity_list.h"
#include "polhode/tree/reactions.h"

namespace polhode::format {
namespace {

using Json = nlohmann::json;
using study::ForceName;
using study::QuantityFacts;
using study::QuantityKind;

/// Collects arrows of what has columns.
class Arrows {
 public:
  Arrows(const Mechanism& mechanism, const std::vector<Column>& columns) : m_(mechanism), list_(mechanism) {
    for (const Column& column : columns) there_.insert(column.name);
  }

  Json all() {
    for (std::size_t i = 0; i < list_.all().size(); ++i) {
      const QuantityFacts& facts = list_.all()[i];
      if (facts.part != 0) continue;
      if (facts.kind == QuantityKind::joint_load) add(i, "reaction", tree::joint_load_place(m_, facts.index));
      if (facts.kind == QuantityKind::constraint_load) add(i, "reaction", *tree::constraint_load_place(m_, facts.index));
    }
    add_forces();
    return std::move(arrows_);
  }

 private:
  const std::string& name(std::size_t i) const { return list_.all()[i].name; }

  /// Of the three columns from the i-th quantity on.
  void add(std::size_t i, const char* kind, const tree::LoadPlace& place) {
    Json columns = Json::array();
    for (std::size_t k = i; k < i + 3; ++k) {
      if (!there_.contains(name(k))) return;
      columns.push_back(name(k));
    }
    const Vec3<double>& p = place.point;
    arrows_.push_back({{"name", list_.all()[i].element},
                       {"kind", kind},
                       {"unit", "N"},
                       {"columns", std::move(columns)},
                       {"body", place.body},
                       {"point", {p.x, p.y, p.z}}});
  }

  /// Their columns follow one another as element_names.h says.
  void add_forces() {
    std::size_t i = 0;
    while (i < list_.all().size() && list_.all()[i].kind != QuantityKind::element_force) ++i;
    for (const ForceName& force : study::force_names(m_)) {
      using Shape = ForceName::Shape;
      if (force.shape == Shape::along_line && there_.contains(name(i)))
        arrows_.push_back({{"name", force.name},
                           {"kind", "force"},
                           {"unit", "N"},
                           {"columns", {name(i)}},
                           {"frames", {force.frame_a, force.frame_b}}});
      if (force.shape == Shape::on_coordinate || force.shape == Shape::along_line) {
        ++i;
        continue;
      }
      for (const int body : force.bodies) {
        add(i, "force", {body, {}});
        i += 6;
      }
      if (force.shape == Shape::users) i += std::size_t(m_.num_u());
    }
  }

  const Mechanism& m_;
  study::QuantityList list_;
  std::unordered_set<std::string> there_;
  Json arrows_ = Json::array();
};

}  // namespace

Json arrows_json(const Mechanism& mechanism, const std::vector<Column>& columns) { return Arrows(mechanism, columns).all(); }

}  // namespace polhode::format
