#pragma once
/// A problem as MuJoCo's model.
///
/// Loops are closed by equality constraints, which are soft; they are made as stiff as MuJoCo advises, with a time constant of
/// two steps.  A planar or point closure is a "connect", which is 3 equations, so that a planar one is right only where the
/// mechanism cannot leave its plane anyway.  MuJoCo has no pin for a closure: two connects at points of the axis make one.  A
/// rod is a spatial tendon of fixed length, and its moved end a mocap body.

#include <algorithm>
#include <fstream>
#include <sstream>

#include "../step/problem.h"
#include "mujoco_model.h"

namespace polhode::bench::mujoco {

template <std::size_t n>
std::string in_quotes(const std::array<double, n>& a) {
  std::ostringstream text;
  text.precision(17);
  for (std::size_t i = 0; i < n; ++i) text << (i == 0 ? '"' : ' ') << a[i];
  text << '"';
  return text.str();
}

inline std::string in_quotes(double a) { return in_quotes(std::array<double, 1>{a}); }

/// The axes x and y of a rotation, as MuJoCo reads an orientation.
inline std::string axes_in_quotes(const Rotation& R) {
  return in_quotes(std::array<double, 6>{R[0], R[3], R[6], R[1], R[4], R[7]});
}

inline std::string link_name(int i) { return i == world ? "world" : "link" + std::to_string(i); }

// --- joints -------------------------------------------------------------------------------------------------------

inline bool is_linear(const Link& link) { return link.stiffness[1] == 0 && link.stiffness[2] == 0; }

inline std::string joint_text(const char* type, const Triple& axis, double damping, const std::string& more = {}) {
  return "<joint type=\"" + std::string(type) + "\" axis=" + in_quotes(axis) + " damping=" + in_quotes(damping) + more + "/>";
}

/// Of a hinge or slide.  What is not linear stands in its user data, for polynomial_springs.
inline std::string spring_text(const Link& link) {
  if (!link.has_spring()) return {};
  const std::string how = is_linear(link) ? " stiffness=" + in_quotes(link.stiffness[0]) : " user=" + in_quotes(link.stiffness);
  return how + " springref=" + in_quotes(link.rest);
}

inline std::string joints_of(const Link& link) {
  switch (link.joint) {
    case JointKind::hinge: return joint_text("hinge", link.axis, link.damping, spring_text(link));
    case JointKind::slide: return joint_text("slide", link.axis, link.damping, spring_text(link));
    case JointKind::universal:
      return joint_text("hinge", link.axis, link.damping) + joint_text("hinge", link.axis2, link.damping);
    case JointKind::ball: return joint_text("ball", {0, 0, 1}, link.damping);
    case JointKind::free: break;
  }
  if (link.parent == world) return joint_text("free", {0, 0, 1}, link.damping);
  std::string joints;  // MuJoCo's own is for children of the world only: the same by slides along the parent's axes and a ball
  for (const Triple& along : {Triple{1, 0, 0}, Triple{0, 1, 0}, Triple{0, 0, 1}}) {
    joints += joint_text("slide", rotated_back(link.zero, along), link.damping);
  }
  return joints + joint_text("ball", {0, 0, 1}, link.damping);
}

/// Adds springs that are not linear to the passive forces, as MuJoCo's callback.
inline void polynomial_springs(const mjModel* model, mjData* data) {
  if (model->nuser_jnt < 3) return;
  for (int joint = 0; joint < model->njnt; ++joint) {
    const mjtNum* stiffness = model->jnt_user + joint * model->nuser_jnt;
    const int q = model->jnt_qposadr[joint];
    const mjtNum x = data->qpos[q] - model->qpos_spring[q];
    data->qfrc_passive[model->jnt_dofadr[joint]] -= x * (stiffness[0] + x * (stiffness[1] + x * stiffness[2]));
  }
}

// --- closures -----------------------------------------------------------------------------------------------------

struct Connect {
  Triple p_a, p_b;
};

/// A connect would hold the points together along the axis too: right if they cannot move along it, where they are on it.
inline Connect planar_connect(const Problem& problem, const Closure& closure) {
  if (!stays_in_plane(problem, closure)) {
    throw std::runtime_error("MuJoCo has no equality constraint that keeps a point on a line");
  }
  const std::vector<LinkFrame> frames = frames_at_start(problem);
  const auto frame = [&](int link) { return link == world ? LinkFrame{} : frames[link]; };
  const LinkFrame a = frame(closure.link_a), b = frame(closure.link_b);
  const Triple off = point_on(b, closure.p_b) - point_on(a, closure.p_a);
  return {closure.p_a + Triple{0, rotated_back(a.R, off)[1], 0}, closure.p_b};
}

inline std::vector<Connect> connects_of(const Problem& problem, const Closure& closure) {
  switch (closure.kind) {
    case Closure::Kind::planar: return {planar_connect(problem, closure)};
    case Closure::Kind::point: return {{closure.p_a, closure.p_b}};
    case Closure::Kind::pin: {
      const double size = std::max(closure.link_a == world ? 0 : length(closure.p_a),  // of the links, roughly
                                   closure.link_b == world ? 0 : length(closure.p_b));
      const Triple half{0, size > 0 ? size / 2 : 0.1, 0};
      return {{closure.p_a - half, closure.p_b - half}, {closure.p_a + half, closure.p_b + half}};
    }
    case Closure::Kind::rod: break;
  }
  return {};
}

inline std::string rod_name(std::size_t closure) { return "rod" + std::to_string(closure); }

inline std::string site_text(std::size_t closure, char side, const Triple& at) {
  return "<site name=\"" + rod_name(closure) + side + "\" pos=" + in_quotes(at) + "/>";
}

// --- the model ----------------------------------------------------------------------------------------------------

/// MuJoCo's compiler wants moments of inertia that a body in space can have; MuJoCo itself runs with any.
inline bool is_of_a_body(const Triple& inertia) {
  const auto [least, greatest] = std::minmax_element(inertia.begin(), inertia.end());
  return 2 * *greatest <= inertia[0] + inertia[1] + inertia[2] && *least > 0;
}

/// Writes a problem as MuJoCo's XML into a directory.
class ModelWriter {
 public:
  ModelWriter(const Problem& problem, const std::filesystem::path& directory) : problem_(problem), directory_(directory) {
    children_.resize(problem.links.size() + 1);
    for (int i = 0; i < static_cast<int>(problem.links.size()); ++i) children_[problem.links[i].parent + 1].push_back(i);
  }

  std::filesystem::path write() {
    const std::filesystem::path file = directory_ / "root.xml";
    std::ofstream xml(file);
    const bool all_linear = std::all_of(problem_.links.begin(), problem_.links.end(), is_linear);
    xml << "<mujoco>\n<compiler angle=\"radian\" inertiafromgeom=\"false\" boundmass=\"0\" boundinertia=\"0\"/>\n"
        << "<size nuser_jnt=\"" << (all_linear ? 0 : 3) << "\"/>\n"
        << "<option gravity=" << in_quotes(problem_.gravity) << " timestep=" << in_quotes(problem_.dt)
        << " solver=\"Newton\" tolerance=\"1e-12\">"
        << "<flag contact=\"disable\"" << (problem_.closures.empty() ? " constraint=\"disable\"" : "") << "/></option>\n"
        << "<worldbody>\n";
    write_sites(xml, world);
    write_hooks(xml);
    write_children(xml, world, 0);
    xml << "</worldbody>\n";
    write_closures(xml);
    xml << "</mujoco>\n";
    return file;
  }

 private:
  void write_children(std::ostream& xml, int parent, int depth) {
    for (const int i : children_[parent + 1]) {
      if (depth % links_per_file == links_per_file - 1) {
        const std::string name = link_name(i) + ".xml";
        std::ofstream piece(directory_ / name);
        piece << "<mujocoinclude>\n";
        write_link(piece, i, depth);
        piece << "</mujocoinclude>\n";
        xml << "<include file=\"" << name << "\"/>\n";
      } else {
        write_link(xml, i, depth);
      }
    }
  }

  void write_link(std::ostream& xml, int i, int depth) {
    const Link& link = problem_.links[i];
    const Triple stand_in{1, 1, 1};  // until load() puts in what the compiler would not take
    xml << "<body name=\"" << link_name(i) << "\" pos=" << in_quotes(link.joint_at) << " xyaxes=" << axes_in_quotes(link.zero)
        << ">" << joints_of(link) << "<inertial pos=" << in_quotes(link.centre) << " mass=" << in_quotes(link.mass)
        << " diaginertia=" << in_quotes(is_of_a_body(link.inertia) ? link.inertia : stand_in) << "/>\n";
    write_sites(xml, i);
    write_children(xml, i, depth + 1);
    xml << "</body>\n";
  }

  /// The ends of rods on a link.
  void write_sites(std::ostream& xml, int link) {
    for (std::size_t i = 0; i < problem_.closures.size(); ++i) {
      const Closure& closure = problem_.closures[i];
      if (closure.kind != Closure::Kind::rod) continue;
      if (closure.link_a == link) xml << site_text(i, 'a', closure.p_a);
      if (closure.link_b == link && !closure.hook) xml << site_text(i, 'b', closure.p_b);
    }
  }

  void write_hooks(std::ostream& xml) {
    for (std::size_t i = 0; i < problem_.closures.size(); ++i) {
      const Closure& closure = problem_.closures[i];
      if (!closure.hook) continue;
      Triple position, velocity;
      closure.hook(0, position, velocity);
      xml << "<body name=\"" << rod_name(i) << "\" mocap=\"true\" pos=" << in_quotes(position) << ">" << site_text(i, 'b', {})
          << "</body>\n";
    }
  }

  void write_closures(std::ostream& xml) {
    std::ostringstream tendons, equations;
    const std::string how =
        " solref=" + in_quotes(std::array<double, 2>{2 * problem_.dt, 1}) + " solimp=\"0.9999 0.9999 0.001\"/>\n";
    for (std::size_t i = 0; i < problem_.closures.size(); ++i) {
      const Closure& closure = problem_.closures[i];
      const std::string name = rod_name(i);
      if (closure.kind == Closure::Kind::rod) {
        tendons << "<spatial name=\"" << name << "\"><site site=\"" << name << "a\"/><site site=\"" << name
                << "b\"/></spatial>\n";
        equations << "<tendon tendon1=\"" << name << "\"" << how;
      }
      for (const Connect& connect : connects_of(problem_, closure)) {
        equations << "<connect body1=\"" << link_name(closure.link_a) << "\" body2=\"" << link_name(closure.link_b)
                  << "\" anchor=" << in_quotes(connect.p_a) << how;
      }
    }
    xml << "<tendon>\n" << tendons.str() << "</tendon>\n<equality>\n" << equations.str() << "</equality>\n";
  }

  const Problem& problem_;
  std::filesystem::path directory_;
  std::vector<std::vector<int>> children_;  // of the world first, then of each link
};

/// The compiler makes closures fit while all coordinates are zero: it puts the second body's anchor where it meets the first
/// one's then, and takes a tendon's length then for its fixed one.
inline void fit_closures(const Problem& problem, mjModel& model) {
  mjtNum* data = model.eq_data;
  for (std::size_t i = 0; i < problem.closures.size(); ++i) {
    const Closure& closure = problem.closures[i];
    if (closure.kind == Closure::Kind::rod) {
      data[0] = closure.length - model.tendon_length0[mj_name2id(&model, mjOBJ_TENDON, rod_name(i).c_str())];
      data += mjNEQDATA;
    }
    for (const Connect& connect : connects_of(problem, closure)) {
      std::copy_n(connect.p_b.begin(), 3, data + 3);
      data += mjNEQDATA;
    }
  }
}

inline Model load(const Problem& problem) {
  const ScratchDirectory directory;
  Model model = load(ModelWriter(problem, directory.path()).write(), problem.name);
  for (int i = 0; i < static_cast<int>(problem.links.size()); ++i) {
    const Triple& inertia = problem.links[i].inertia;
    const int body = mj_name2id(model.get(), mjOBJ_BODY, link_name(i).c_str());
    std::copy(inertia.begin(), inertia.end(), model->body_inertia + 3 * body);
  }
  const Data scratch(mj_makeData(model.get()));
  mj_setConst(model.get(), scratch.get());  // for what the compiler made of inertias
  fit_closures(problem, *model);
  return model;
}

}  // namespace polhode::bench::mujoco
