// Inertias that no matter has.
#include <fmt/format.h>

#include "polhode/mechanism/resolver_graph.h"

namespace polhode {

std::pair<MassProperties, int> InertiaJudge::welded_whole(const JointGraph& graph, int declared,
                                                          const std::unordered_multimap<int, int>& welds) const {
  std::unordered_map<int, Transform<double>> X_in_first{{declared, {}}};  // by declared body: where it is
  std::vector<int> welded{declared};
  for (std::size_t head = 0; head < welded.size(); ++head) {
    const auto [first, last] = welds.equal_range(welded[head]);
    for (auto it = first; it != last; ++it) {
      const int e = it->second;
      const bool outward = graph.edges[e].parent == welded[head];
      const int other = outward ? graph.edges[e].child : graph.edges[e].parent;
      if (other == 0 || X_in_first.count(other) > 0) continue;
      const JointFrames frames = graph.frames_of_edge(in_, e);
      const Transform<double> X_PC = frames.on_parent * inverse(frames.on_child);
      X_in_first.emplace(other, X_in_first.at(welded[head]) * (outward ? X_PC : inverse(X_PC)));
      welded.push_back(other);
    }
  }
  MassProperties whole;
  for (const int body : welded) whole = combined(whole, transformed(X_in_first.at(body), graph.mass[body]));
  return {whole, int(welded.size())};
}

/// A published inertia may be rounded beyond what matter can have, and a drawing's parts may be nonsense one by one (a hole is
/// one): what is welded together is judged as a whole, and what the user insists on is taken, with a word.
void InertiaJudge::judge(const JointGraph& graph) {
  if (graph.odd_inertias.empty()) return;
  std::unordered_multimap<int, int> welds;  // by body
  for (int e = 0; e < int(graph.edges.size()); ++e) {
    if (!std::holds_alternative<Weld>(graph.joint_of_edge(in_, e).model)) continue;
    welds.emplace(graph.edges[e].parent, e);
    welds.emplace(graph.edges[e].child, e);
  }
  for (const int odd : graph.odd_inertias) {
    const BodySpec& spec = in_.bodies()[odd - 1];
    const auto [whole, parts] = welded_whole(graph, odd, welds);
    for (const std::string& wrong : broken_triangles(whole)) {
      const std::string what =
          parts == 1 ? fmt::format("body \"{}\": {}", spec.name, wrong)
                     : fmt::format("body \"{}\" and the bodies welded to it ({} in all): {}", spec.name, parts, wrong);
      if (spec.as_given) {
        out_.warnings.push_back({what + "; it is taken as given", spec.source, {}, {}});
      } else {
        problem(what + "; to have it taken as it is, write (as-given) in the inertia", spec.source);
      }
    }
    problems_.give_up_when_hopeless();
  }
}

}  // namespace polhode
