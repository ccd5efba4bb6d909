#include "polhode/mechanism/resolver_frames.h"

#include <fmt/format.h>

namespace polhode {

void FrameMaker::make_frames() {
  out_.frames.reserve(out_.bodies.size() + in_.frames().size());
  for (int b = 0; b < int(out_.bodies.size()); ++b) out_.frames.push_back({out_.bodies[b].name, b, {}});
  std::unordered_map<std::string, Source> first;
  for (const FrameSpec& spec : in_.frames()) {
    const auto body = names_.body_of(spec.body, fmt::format("frame \"{}\"", spec.name), spec.source);
    const std::string wrong = problem_with_pose(spec.X_BF);
    if (!wrong.empty()) problem(fmt::format("frame \"{}\" {}", spec.name, wrong), spec.source);
    if (spec.name.empty()) {
      problem(fmt::format("a frame on body \"{}\" has no name; give it one", spec.body), spec.source);
    } else if (spec.name == ground_name) {
      problem("\"ground\" is the name of the fixed world; give this frame another", spec.source);
    } else if (const auto same = graph_.bodies.find(spec.name)) {
      problems_.note(
          {fmt::format(
               "frame \"{}\" has the name of a body, which already names the body's origin; give the frame another name",
               spec.name),
           spec.source, in_.bodies()[*same - 1].source, "body defined"});
    } else if (!out_.frame_table.add(spec.name, body ? int(out_.frames.size()) : broken)) {
      problems_.duplicate(fmt::format("frame \"{}\"", spec.name), spec.source, first[spec.name]);
    } else {
      first[spec.name] = spec.source;
      if (body) out_.frames.push_back({spec.name, *body, wrong.empty() ? with_exact_rotation(spec.X_BF) : Transform<double>{}});
    }
  }
}

}  // namespace polhode
