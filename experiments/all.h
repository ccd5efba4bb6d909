#pragma once
#include "common/experiment.h"

namespace polhode::experiments {}  // namespace polhode::experiments
