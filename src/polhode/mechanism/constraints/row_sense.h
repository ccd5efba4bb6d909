#pragma once

namespace polhode {

/// Whether a row is an equation, h = 0, or holds on one side only, h >= 0, as a stop, a rope or a contact does. Nothing solves
/// the latter yet: one_sided.h refuses them wherever rows are solved.
enum class RowSense : char { equal, at_least };

}  // namespace polhode
