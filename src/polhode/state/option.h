#pragma once
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// Options of methods as data: what each is called, what it may be, and which values are given.
namespace polhode {

/// Numbers by name, such as those of coordinates.
using NamedNumbers = std::vector<std::pair<std::string, double>>;

using OptionValue = std::variant<double, int, std::string, NamedNumbers>;

/// For people: numbers with the digits that a number written down in decimals keeps, at most 15.
std::string text_of(const OptionValue& value);

/// Values by the names of their options: {{"accuracy", 1e-9}, {"integrator", "rk8"}}. What is in it is given, what is not is
/// left to the method.
class OptionValues {
 public:
  struct Item {
    std::string name;
    OptionValue value;
    bool operator==(const Item&) const = default;
  };

  OptionValues() = default;
  OptionValues(std::initializer_list<Item> items);

  void set(std::string_view name, OptionValue value);
  void erase(std::string_view name);
  /// Null where it is not given.
  const OptionValue* find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
  /// Of an option that is a number, real or whole; nothing where it is not given.
  std::optional<double> number(std::string_view name) const;

  bool empty() const { return items_.empty(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  bool operator==(const OptionValues&) const = default;

 private:
  std::vector<Item> items_;  // in the order in which they were given
};

/// A number from least to most; without least itself where that is excluded.
struct RealOption {
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  bool least_excluded = false;
};
/// One of these whole numbers.
struct WholeOption {
  std::vector<int> allowed{};
};
/// One of these words.
struct ChoiceOption {
  std::vector<std::string> allowed{};
};
/// A positive number for each of some names.
struct NamedOption {};

/// What is known of one option of one method, whoever asks: the command line, run files, comparisons, documents, bindings.
struct OptionField {
  using Real = RealOption;
  using Whole = WholeOption;
  using Choice = ChoiceOption;
  using Named = NamedOption;

  std::string name;                                 ///< in words, as in messages: "largest step"
  std::variant<Real, Whole, Choice, Named> kind{};  ///< its type, and what is allowed
  std::string unit{};                               ///< "s"; empty for pure numbers and words
  std::string help{};                               ///< one line
  std::string hint{};                               ///< for those who gave what is not allowed, e.g. "try 1e-6"
  std::optional<OptionValue> standard{};            ///< in force where nothing is given
  std::string standard_text{};                      ///< the same where no one value says it: "a tenth of the accuracy"
  std::string flag{};      ///< on the command line, where that is not the name with hyphens: "max-step"
  std::string not_with{};  ///< the option that leaves this one without meaning
  bool quiet = false;      ///< summaries for people leave it out while it is the standard one

  /// Positive and finite; positive and at most `most`.
  static Real positive() { return {.least = 0, .least_excluded = true}; }
  static Real positive_up_to(double most) { return {.least = 0, .most = most, .least_excluded = true}; }

  /// The word for it on command lines and in files: the flag without its hyphens.
  std::string word() const;
  /// The key in JSON: the name with underscores.
  std::string key() const;
  /// "rms or infinity", "a positive number", "between 0 and 1".
  std::string allowed() const;
  /// What is wrong with a value, in words that name the option, the value and what is allowed; empty when nothing is.
  std::string objection(const OptionValue& value) const;
  /// The type of the value, from text; nothing where the text is not of that type. Says nothing of what is allowed. Named
  /// numbers are "NAME=value".
  std::optional<OptionValue> read(std::string_view text) const;
  /// To the last bit: words(v) can be read again. One item but for named numbers, which are ("unit NAME", value) each.
  std::vector<std::pair<std::string, std::string>> words(const OptionValue& value) const;
  /// Takes one of words() into the values. False where the word is of another option, or its text cannot be read.
  bool take_word(const std::string& word_given, const std::string& text, OptionValues& into) const;
};

/// An option as it is in force. Facts that a method finds out for itself may stand among them, e.g. its formulation.
struct ResolvedOption {
  std::string name;
  OptionValue value;
  bool told = true;  ///< people want to read it

  bool operator==(const ResolvedOption&) const = default;
};
using ResolvedOptions = std::vector<ResolvedOption>;

/// Name and text of those that people want to read.
std::vector<std::pair<std::string, std::string>> told(const ResolvedOptions& options);

}  // namespace polhode
