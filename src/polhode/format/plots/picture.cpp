#include "polhode/format/plots/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "polhode/format/plots/markup.h"
#include "polhode/format/plots/plot.h"

namespace polhode::format {
namespace {

using Point = Vec3<double>;
using Segment = std::pair<Point, Point>;

/// What there is to see, in Ground.
struct Scene {
  std::vector<Segment> spokes, links;  ///< of bodies; springs and wires
  std::vector<Point> centers, joints, anchors;
  std::vector<Point> all() const {
    std::vector<Point> points = centers;
    points.insert(points.end(), joints.begin(), joints.end());
    points.insert(points.end(), anchors.begin(), anchors.end());
    for (const auto& [a, b] : spokes) points.push_back(a), points.push_back(b);
    for (const auto& [a, b] : links) points.push_back(a), points.push_back(b);
    return points;
  }
};

class SceneMaker {
 public:
  explicit SceneMaker(const State& state) : state_(state), m_(state.mechanism()), places_(std::size_t(m_.num_bodies())) {}

  Scene make() {
    for (int b = 1; b < m_.num_bodies(); ++b) {
      const Joint& joint = m_.joints()[std::size_t(b)];
      if (std::holds_alternative<Free>(joint.model)) continue;
      attach(m_.bodies()[std::size_t(b)].parent, joint.X_PF.p);
      attach(b, joint.X_BM.p);
      mark_joint(m_.bodies()[std::size_t(b)].parent, joint.X_PF.p);
    }
    for (const LoopJoint& joint : m_.loop_joints()) {
      attach(joint.parent, joint.X_PF.p);
      attach(joint.child, joint.X_BM.p);
      mark_joint(joint.parent, joint.X_PF.p);
      if (joint.parent != 0) mark_joint(joint.child, joint.X_BM.p);
    }
    for (const Frame& frame : m_.frames())
      if (frame.body > 0) attach(frame.body, frame.X_BF.p);
    m_.forces().for_each([&]<class F>(const F& f) {
      if constexpr (LineForceType<F>) link(f.frame_a.frame, f.frame_b.frame);
    });
    for (const Constraint& c : m_.constraints())
      if (const auto* wire = std::get_if<Wire>(&c.model)) link(wire->frame_a, wire->frame_b);
    for (int b = 1; b < m_.num_bodies(); ++b) draw_body(b);
    return std::move(scene_);
  }

 private:
  void attach(int body, const Point& p) { places_[std::size_t(body)].push_back(state_.pose(body) * p); }
  void mark_joint(int body, const Point& p) { (body == 0 ? scene_.anchors : scene_.joints).push_back(state_.pose(body) * p); }
  void link(int a, int b) { scene_.links.emplace_back(state_.frame_pose(a).p, state_.frame_pose(b).p); }
  void draw_body(int b) {
    const Body& body = m_.bodies()[std::size_t(b)];
    const auto& places = places_[std::size_t(b)];
    Point hub = state_.pose(b) * body.mass.com;
    if (body.mass.mass > 0) {
      scene_.centers.push_back(hub);
    } else if (!places.empty()) {
      hub = places.front();
    }
    for (const Point& place : places)
      if (norm(place - hub) > 0) scene_.spokes.emplace_back(hub, place);
  }

  const State& state_;
  const Mechanism& m_;
  std::vector<std::vector<Point>> places_;  ///< by body: where others hold on to it
  Scene scene_;
};

/// From space to the page: two directions, a scale and a shift.
class View {
 public:
  static constexpr double width = 480, height = 300, margin = 16;

  /// What is above `top` on the page is left free.
  View(const std::vector<Point>& points, const Point& gravity, double top) {
    choose_directions(points, gravity);
    double low_x = 1e300, high_x = -1e300, low_y = 1e300, high_y = -1e300;
    for (const Point& p : points) {
      low_x = std::min(low_x, dot(p, across_)), high_x = std::max(high_x, dot(p, across_));
      low_y = std::min(low_y, dot(p, up_)), high_y = std::max(high_y, dot(p, up_));
    }
    if (points.empty()) low_x = low_y = -1, high_x = high_y = 1;
    const double wide = high_x - low_x, tall = high_y - low_y;
    scale_ = std::min((width - 2 * margin) / std::max(wide, 1e-9), (height - top - margin) / std::max(tall, 1e-9));
    if (wide < 1e-9 && tall < 1e-9) scale_ = 1;
    x_ = width / 2 - scale_ * (low_x + high_x) / 2;
    y_ = (height + top - margin) / 2 + scale_ * (low_y + high_y) / 2;
  }
  double x(const Point& p) const { return x_ + scale_ * dot(p, across_); }
  double y(const Point& p) const { return y_ - scale_ * dot(p, up_); }

 private:
  void choose_directions(const std::vector<Point>& points, const Point& gravity) {
    const Point up = norm(gravity) > 0 ? -normalized(gravity) : z_axis;
    const Point first = std::abs(up.x) < 0.9 ? normalized(x_axis - dot(x_axis, up) * up) : any_perpendicular(up);
    const Point second = cross(up, first);
    const auto extent = [&](const Point& direction) {
      double low = 1e300, high = -1e300;
      for (const Point& p : points) low = std::min(low, dot(p, direction)), high = std::max(high, dot(p, direction));
      return points.empty() ? 0.0 : high - low;
    };
    const double e_first = extent(first), e_second = extent(second), e_up = extent(up);
    const double flat = 0.03 * std::max({e_first, e_second, e_up});
    if (e_second <= flat) {
      across_ = first, up_ = up;
    } else if (e_first <= flat) {
      across_ = second, up_ = up;
    } else if (e_up <= flat) {
      across_ = first, up_ = second;
    } else {  // from 30 degrees to the side and 20 degrees above
      const double c = std::cos(0.5236), s = std::sin(0.5236), ce = std::cos(0.349), se = std::sin(0.349);
      across_ = c * first + s * second;
      up_ = ce * up + se * (c * second - s * first);
    }
  }

  Point across_{}, up_{};
  double scale_ = 1, x_ = 0, y_ = 0;
};

/// As the mechanism's own ways are long, only what moves on the page by a pixel is drawn, and no more than fits a page.
std::string path_of(const std::vector<Point>& points, const View& view) {
  constexpr std::size_t most = 1500;
  const std::size_t every = points.size() / most + 1;
  std::string d;
  double last_x = 0, last_y = 0;
  for (std::size_t k = 0; k < points.size(); k += every) {
    const double x = view.x(points[k]), y = view.y(points[k]);
    if (!std::isfinite(x) || !std::isfinite(y)) continue;
    if (!d.empty() && std::hypot(x - last_x, y - last_y) < 0.7) continue;
    d += fmt::format("{}{:.1f} {:.1f}", d.empty() ? "M" : " ", x, y);
    last_x = x, last_y = y;
  }
  return d;
}

std::string lines(const std::vector<Segment>& segments, const View& view, const char* name) {
  std::string d;
  std::set<std::string> drawn;  // several things may hold on to one place
  for (const auto& [a, b] : segments) {
    const std::string one = fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", view.x(a), view.y(a), view.x(b), view.y(b));
    if (drawn.insert(one).second) d += one;
  }
  return d.empty() ? d : fmt::format("<path class=\"{}\" d=\"{}\"/>\n", name, d);
}

std::string dots(const std::vector<Point>& points, const View& view, const char* name, double radius) {
  std::string result;
  std::set<std::string> drawn;
  for (const Point& p : points) {
    const std::string one =
        fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>\n", name, view.x(p), view.y(p), radius);
    if (drawn.insert(one).second) result += one;
  }
  return result;
}

std::string anchors(const std::vector<Point>& points, const View& view) {
  std::string result;
  for (const Point& p : points)
    result += fmt::format("<path class=\"anchor\" d=\"M{:.1f} {:.1f}l-6 9h12z\"/>\n", view.x(p), view.y(p));
  return result;
}

/// The mechanism, and what of the paths is near it: who falls or rolls away leaves the picture.
std::vector<Point> worth_seeing(const Scene& scene, const std::vector<PicturePath>& paths) {
  std::vector<Point> points = scene.all();
  Point middle{};
  for (const Point& p : points) middle += (1 / double(points.size())) * p;
  double reach = 0;
  for (const Point& p : points) reach = std::max(reach, norm(p - middle));
  for (const PicturePath& path : paths)
    for (const Point& p : path.points)
      if (std::isfinite(norm(p)) && (reach == 0 || norm(p - middle) < 3 * reach)) points.push_back(p);
  return points;
}

}  // namespace

std::string mechanism_picture(const State& state, const std::string& title, const std::vector<PicturePath>& paths) {
  std::string legend;
  double x = 12, y = 34;
  for (const PicturePath& path : paths) {
    const double needed = 30 + 6.6 * double(path.name.size());  // an estimate: the reader's font is not known
    if (x > 12 && x + needed > View::width - View::margin) x = 12, y += 16;
    legend += fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f}h20\"/><text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                          stroke_class(path.style), x, y - 4, x + 25, y, for_markup(path.name));
    x += needed + 8;
  }
  const double top = y + 10;
  const Scene scene = SceneMaker(state).make();
  const View view(worth_seeing(scene, paths), state.mechanism().gravity(), top);
  std::string ways;
  for (const PicturePath& path : paths)
    ways += fmt::format("<path class=\"{} path\" d=\"{}\"/>\n", stroke_class(path.style), path_of(path.points, view));
  std::string svg = fmt::format(
      "<svg class=\"plot picture\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" "
      "aria-label=\"{}\">\n",
      View::width, View::height, for_markup(title));
  svg += fmt::format("<text class=\"title\" x=\"12\" y=\"18\">{}</text>\n{}", for_markup(title), legend);
  // An inner picture cuts off what would run into the title.
  svg += fmt::format("<svg y=\"{0}\" width=\"{1}\" height=\"{2}\" viewBox=\"0 {0} {1} {2}\">\n{3}</svg>\n", top - 4,
                     View::width, View::height - top + 4, ways);
  svg += anchors(scene.anchors, view) + lines(scene.links, view, "link") + lines(scene.spokes, view, "spoke");
  svg +=
      dots(scene.centers, view, "center", 4.5) + dots(scene.joints, view, "joint", 3) + dots(scene.anchors, view, "joint", 3);
  return svg + "</svg>\n";
}

}  // namespace polhode::format
