#pragma once
#include <functional>
#include <string>
#include <vector>

#include "polhode/study/method_registry.h"

/// The options of all methods side by side, as command lines and documents list them.
namespace polhode::study {

/// One option, and what each method that takes it says of it.
struct ListedOption {
  std::string word;  ///< "max-step"
  std::vector<const MethodEntry*> methods;
  std::vector<const OptionField*> fields;  ///< by method

  const OptionField& first() const { return *fields.front(); }
  /// "all" or their names, separated by commas.
  std::string takers() const;
  /// A text that may differ from method to method: the first one's, then "METHOD, METHOD: text" for those with another.
  std::string by_method(const std::function<std::string(const OptionField&)>& text) const;
  std::string standard() const;  ///< "0.1 s; maximal-projected: 0.25 s"
  std::string allowed() const;
  std::string help() const;
};

/// In the order of the registry.
std::vector<ListedOption> listed_options();

}  // namespace polhode::study
