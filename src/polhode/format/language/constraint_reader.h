#pragma once
#include "polhode/format/language/arguments.h"
#include "polhode/mechanism/builder.h"

/// Constraints as text. Their forms follow from their tables of fields (element_form.h), but for point-constraint, whose one
/// keyword is for two types.
namespace polhode::format {

inline constexpr std::string_view point_constraint_usage =
    "(point-constraint \"frame\" \"frame\" [x y z] [(name \"...\")] [(disabled)])";
void read_point_constraint(Arguments& arguments, MechanismBuilder& builder);

/// What every constraint's form may end with; it is written to the spec, which must outlive the reading.
inline constexpr std::string_view constraint_ending_usage = " [(name \"...\")] [(disabled)]";
std::vector<Option> constraint_ending(ConstraintSpec& spec);

/// At the end, or at one of the options.
bool at_option(const Arguments& arguments, const std::vector<Option>& options);
/// x y z, or (x y z) as Listing 1 of Johnson & Murphey have it.
std::optional<Vec3<double>> take_direction(Arguments& arguments);
/// ("coordinate" coefficient), which is added to the sum. False when it was not understood.
bool take_term(Arguments& arguments, std::vector<SumTerm<std::string>>& sum);

}  // namespace polhode::format
