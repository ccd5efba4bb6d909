#pragma once
#include "polhode/mechanism/law.h"
#include "polhode/mechanism/resolver_inputs.h"

namespace polhode {

/// From laws as described to laws that algorithms evaluate: names become indices. Also makes the states whose rates are laws.
class LawPlacer : public ResolverPart {
 public:
  LawPlacer(const ResolverPart& part, Names& names, InputMaker& inputs) : ResolverPart(part), names_(names), inputs_(inputs) {}

  /// Before laws are placed, which may read states.
  void make_states();
  /// Once there are inputs.
  void make_rates();
  /// Nothing where a name is not found, or belongs to a joint that the next tree will have.
  std::optional<Law> placed(const Law& law, const std::string& label, const Source& where);

 private:
  using Kind = Law::Kind;
  struct Asked {
    const Law::Read& read;
    const std::string& label;
    const Source& where;
  };
  std::vector<Kind> kinds_of(const std::string& name);
  std::optional<Kind> kind_of(const Asked& asked);
  std::optional<int> index_of(Kind kind, const Asked& asked);
  std::optional<int> state_of(const std::string& name) const;
  std::optional<int> discrete_of(const std::string& name) const;
  std::vector<std::string> all_names() const;
  std::optional<int> not_defined(const Asked& asked, const char* kind, const std::vector<std::string>& known,
                                 const char* kinds);
  bool parameters_are_clear(const Law& law, const std::string& label, const Source& where);

  Names& names_;
  InputMaker& inputs_;
};

}  // namespace polhode
