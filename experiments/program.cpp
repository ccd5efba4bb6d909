// local driver of tree0, not committed
#include <cstdio>
#include <chrono>
#include <cstring>
#include "all.h"
using namespace polhode::experiments;
int main(int argc, char** argv) {
  bool quick = true;
  for (int i = 1; i < argc; ++i) if (!std::strcmp(argv[i], "--full")) quick = false;
  for (const auto* experiment : all_experiments()) {
    bool wanted = false;
    for (int i = 1; i < argc; ++i) wanted |= !std::strcmp(argv[i], experiment->name);
    if (!wanted) continue;
    const auto t0 = std::chrono::steady_clock::now();
    Findings findings(std::string("experiments/") + experiment->name, quick);
    experiment->run(findings);
    std::vector<polhode::bench::Verdict> v;
    for (auto& j : findings.verdicts()) v.push_back(j.verdict);
    polhode::bench::print_verdicts(stdout, v, {});
    for (auto& n : findings.notes()) std::printf("- %s\n", n.c_str());
    std::printf("%s: %.1f s\n", experiment->name, std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count());
  }
}
