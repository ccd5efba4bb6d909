#pragma once
#include <tuple>
#include <variant>
#include <vector>

#include "polhode/mechanism/references.h"

namespace polhode {

/// A list of element templates: from it come the variant of descriptions, and the variant or the lists that algorithms run
/// over.
template <template <class> class... Element>
struct ElementList {
  template <class... More>
  using Described = std::variant<Element<Named>..., More...>;
  template <class... More>
  using OnePlaced = std::variant<Element<polhode::Placed>..., More...>;
  template <class... More>
  using Placed = std::tuple<std::vector<Element<polhode::Placed>>..., std::vector<More>...>;

  /// Calls visit.template operator()<Element<Named>>() for each of them, or that of Element<Placed>.
  template <class Visit>
  static void for_each_described(Visit visit) {
    (visit.template operator()<Element<Named>>(), ...);
  }
  template <class Visit>
  static void for_each_placed(Visit visit) {
    (visit.template operator()<Element<polhode::Placed>>(), ...);
  }
};

}  // namespace polhode
