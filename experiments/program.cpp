// polhode_experiments: see README.md.
#include <cstdio>

#include "all.h"

int main() {
  for (const auto* experiment : polhode::experiments::all_experiments()) {
    polhode::experiments::Findings findings(std::string("experiments/") + experiment->name, true);
    experiment->run(findings);
  }
}
