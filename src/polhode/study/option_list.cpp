#include "polhode/study/option_list.h"

#include <fmt/format.h>

#include <algorithm>

namespace polhode::study {

std::string ListedOption::takers() const {
  if (methods.size() == method_registry().size()) return "all";
  std::vector<std::string> names;
  for (const MethodEntry* method : methods) names.push_back(method->name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string ListedOption::by_method(const std::function<std::string(const OptionField&)>& text) const {
  struct Group {
    std::string text, methods;
  };
  std::vector<Group> groups;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string one = text(*fields[i]);
    const auto known = std::find_if(groups.begin(), groups.end(), [&](const Group& group) { return group.text == one; });
    if (known == groups.end()) {
      groups.push_back({one, methods[i]->name});
    } else {
      known->methods += ", " + methods[i]->name;
    }
  }
  std::string all = groups.front().text;
  for (std::size_t i = 1; i < groups.size(); ++i) all += fmt::format("; {}: {}", groups[i].methods, groups[i].text);
  return all;
}

std::string ListedOption::standard() const {
  return by_method([](const OptionField& field) {
    if (!field.standard) return field.standard_text;
    return text_of(*field.standard) + (field.unit.empty() ? "" : " " + field.unit);
  });
}

std::string ListedOption::allowed() const {
  return by_method([](const OptionField& field) { return field.allowed(); });
}

std::string ListedOption::help() const {
  return by_method([](const OptionField& field) { return field.help; });
}

std::vector<ListedOption> listed_options() {
  std::vector<ListedOption> all;
  for (const MethodEntry* method : method_registry())
    for (const OptionField& field : method->options) {
      auto option = std::find_if(all.begin(), all.end(), [&](const ListedOption& other) { return other.word == field.word(); });
      if (option == all.end()) option = all.insert(all.end(), {field.word(), {}, {}});
      option->methods.push_back(method);
      option->fields.push_back(&field);
    }
  return all;
}

}  // namespace polhode::study
