#pragma once
#include <string>
#include <unordered_map>

#include "polhode/mechanism/resolver_names.h"

namespace polhode {

/// Numbers from outside: those that the model names, and those that motors bring along.
class InputMaker : public ResolverPart {
 public:
  InputMaker(const ResolverPart& part, Names& names) : ResolverPart(part), names_(names) {}
  void make_inputs();

  /// Its index; a name that is not there is a problem of whoever asks.
  std::optional<int> input_of(const std::string& name, const std::string& label, const Source& where);
  std::optional<int> find(const std::string& name) const;
  bool good_range(const Range& range, const char* what, const std::string& of, const Source& where);

 private:
  void add_input(const InputSpec& spec);
  void add_motor(const std::string& name, const std::string& input, const Source& where);
  void add_own_input(const std::string& motor, const Source& where);
  void keep_input(const InputSpec& spec);

  struct NamedInput {
    int index;
    Source source;
  };
  Names& names_;
  std::unordered_map<std::string, NamedInput> inputs_;
  std::unordered_map<std::string, Source> motors_;
};

}  // namespace polhode
