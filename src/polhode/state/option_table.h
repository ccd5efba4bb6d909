#pragma once
#include <functional>
#include <stdexcept>
#include <type_traits>

#include "polhode/state/option.h"

namespace polhode {

/// Binds the fields of a method's options to the members of its own struct, each once. What reads or writes options by name
/// goes through it, in both directions.
///
///   const OptionTable<Options> table{{&Options::step, {.name = "dt", .kind = OptionField::positive(), .unit = "s"}}, ...};
template <class Options>
class OptionTable {
 public:
  /// A member of type double, int, std::string (one of some words), optional<double> or NamedNumbers. Its value in Options{} is
  /// the standard one. The member may be given as a function from Options to it, for members of members.
  struct Row {
    template <class Access>
    Row(Access access, OptionField described)
        : field(std::move(described)),
          get([access](const Options& o) { return value_of(std::invoke(access, o)); }),
          put([access](Options& o, const OptionValue& value) { assign(std::invoke(access, o), value); }) {
      field.standard = get(Options{});
    }
    /// A member that has a word for each of its values.
    template <class Access, class T>
    Row(Access access, OptionField described, std::vector<std::pair<std::string, T>> words)
        : field(std::move(described)),
          get([access, words](const Options& o) -> std::optional<OptionValue> {
            for (const auto& [word, value] : words)
              if (std::invoke(access, o) == value) return OptionValue(word);
            return std::nullopt;
          }),
          put([access, words](Options& o, const OptionValue& chosen) {
            for (const auto& [word, value] : words)
              if (std::get<std::string>(chosen) == word) std::invoke(access, o) = value;
          }) {
      OptionField::Choice choice;
      for (const auto& [word, value] : words) choice.allowed.push_back(word);
      field.kind = choice;
      field.standard = get(Options{});
    }

    OptionField field;
    std::function<std::optional<OptionValue>(const Options&)> get;
    std::function<void(Options&, const OptionValue&)> put;
  };

  OptionTable(std::initializer_list<Row> rows) : rows_(rows) {}

  std::vector<OptionField> fields() const {
    std::vector<OptionField> all;
    for (const Row& row : rows_) all.push_back(row.field);
    return all;
  }

  /// The struct with the given values in it, which must be allowed; see objection().
  Options read(const OptionValues& given) const {
    Options options;
    for (const auto& [name, value] : given) row_of(name).put(options, value);
    return options;
  }

  /// What is wrong with one of the values, taken by itself; empty when nothing is.
  std::string objection(const OptionValues& given) const {
    for (const auto& [name, value] : given)
      if (std::string why = row_of(name).field.objection(value); !why.empty()) return why;
    return {};
  }
  std::string objection(const Options& options) const {
    for (const Row& row : rows_)
      if (const auto value = row.get(options)) {
        if (std::string why = row.field.objection(*value); !why.empty()) return why;
      }
    return {};
  }

  /// All that have a value, in the order of the table, but for those named.
  ResolvedOptions resolved(const Options& options, const std::vector<std::string>& not_in_force = {}) const {
    ResolvedOptions all;
    for (const Row& row : rows_) {
      const auto value = row.get(options);
      if (!value || std::find(not_in_force.begin(), not_in_force.end(), row.field.name) != not_in_force.end()) continue;
      all.push_back({row.field.name, *value, !row.field.quiet || value != row.field.standard});
    }
    return all;
  }

 private:
  static std::optional<OptionValue> value_of(double x) { return x; }
  static std::optional<OptionValue> value_of(int n) { return n; }
  static std::optional<OptionValue> value_of(const std::string& word) { return word; }
  static std::optional<OptionValue> value_of(const std::optional<double>& x) {
    return x ? std::optional<OptionValue>(*x) : std::nullopt;
  }
  static std::optional<OptionValue> value_of(const NamedNumbers& numbers) {
    return numbers.empty() ? std::nullopt : std::optional<OptionValue>(numbers);
  }

  static double number(const OptionValue& value) {
    const auto* whole = std::get_if<int>(&value);
    return whole ? *whole : std::get<double>(value);
  }
  static void assign(double& to, const OptionValue& value) { to = number(value); }
  static void assign(std::optional<double>& to, const OptionValue& value) { to = number(value); }
  static void assign(int& to, const OptionValue& value) { to = int(number(value)); }
  static void assign(std::string& to, const OptionValue& value) { to = std::get<std::string>(value); }
  static void assign(NamedNumbers& to, const OptionValue& value) { to = std::get<NamedNumbers>(value); }

  const Row& row_of(std::string_view name) const {
    for (const Row& row : rows_)
      if (row.field.name == name) return row;
    throw std::invalid_argument("there is no option \"" + std::string(name) + '"');
  }

  std::vector<Row> rows_;
};

/// Throws what there is to object to as a std::invalid_argument.
inline void require_no_objection(const std::string& why) {
  if (!why.empty()) throw std::invalid_argument(why);
}

}  // namespace polhode
