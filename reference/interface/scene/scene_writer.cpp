#include "reference/interface/scene/scene_file.h"
#include "reference/interface/scene/scene_names.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>

namespace repose {

namespace {

/// The shortest text that reads back as the same double, always a TOML float (−0 as an integer would lose its sign).
std::string number(double x) {
  std::string text = fmt::format("{}", x);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string vector(const Point& x, int dim) {
  std::string text = "[";
  text += number(x[0]);
  for (int axis = 1; axis < dim; ++axis) text += ", " + number(x[axis]);
  return text + "]";
}

/// A quoted TOML string with everything escaped that must be.
std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      result += c;
    }
  }
  return result + "\"";
}

/// The periodic axes as a list of names.
std::string axes(const Grid& grid) {
  std::string text;
  for (int axis = 0; axis < grid.dim; ++axis)
    if (grid.is_periodic(axis)) text += fmt::format("{}\"{}\"", text.empty() ? "[" : ", ", "xyz"[axis]);
  return text + "]";
}

/// Degrees that read back as exactly this angle, the shortest first; none where rounding leaves no such number.
std::optional<double> exact_degrees(double rad) {
  const double about = rad / degree;
  for (const int digits : {6, 9, 12, 15}) {
    // std::stod() would refuse subnormal numbers.
    const double rounded = std::strtod(fmt::format("{:.{}g}", about, digits).c_str(), nullptr);
    if (rounded * degree == rad) return rounded;
  }
  for (const double candidate : {about, std::nextafter(about, 0.0), std::nextafter(about, 1e9)}) {
    if (candidate * degree == rad) return candidate;
  }
  return {};
}

class Writer {
 public:
  explicit Writer(int dim) : dim_(dim) {}

  void line(std::string_view key, const std::string& value) {
    fmt::format_to(std::back_inserter(text_), "{} = {}\n", key, value);
  }
  void header(std::string_view header) { fmt::format_to(std::back_inserter(text_), "\n{}\n", header); }
  void angle(std::string_view key, double rad) {
    const std::optional<double> deg = exact_degrees(rad);
    line(fmt::format("{}_{}", key, deg ? "deg" : "rad"), number(deg.value_or(rad)));
  }
  void motion(const Point& velocity, const Point& spin) {
    line("velocity", vector(velocity, dim_));
    line("spin", dim_ == 2 ? number(spin.z()) : vector(spin, dim_));
  }
  void shape(const Shape& shape) {
    std::visit([this](const auto& s) { write(s); }, shape);
  }
  std::string take() { return std::move(text_); }

 private:
  void write(const HalfSpace& s) {
    line("shape", "\"half_space\"");
    line("point", vector(s.point, dim_));
    line("normal", vector(s.normal, dim_));
  }
  void write(const Box& s) {
    line("shape", "\"box\"");
    line("min", vector(s.min, dim_));
    line("max", vector(s.max, dim_));
  }
  void write(const Sphere& s) {
    line("shape", "\"sphere\"");
    line("centre", vector(s.centre, dim_));
    line("radius", number(s.radius));
  }
  void write(const Cylinder& s) {
    line("shape", "\"cylinder\"");
    line("centre", vector(s.centre, dim_));
    line("radius", number(s.radius));
    if (dim_ == 2) return;
    line("axis", vector(s.axis, dim_));
    line("length", number(2.0 * s.half_length));
  }

  int dim_;
  std::string text_;
};

void write_material(Writer& w, const Material& m) {
  w.header("[[material]]");
  w.line("name", in_quotes(m.name));
  w.line("law", in_quotes(names::of(m.law, names::law)));
  w.line("density", number(m.density));
  w.line("youngs_modulus", number(m.youngs_modulus));
  w.line("poisson_ratio", number(m.poisson_ratio));
  if (m.law == Law::elastic) return;
  const FrictionLaw& f = m.friction;
  if (f.h1 == 0.0 && f.h2 == 0.0 && f.h3 == 0.0) {
    w.angle("friction_angle", f.h0);
  } else {
    w.angle("h0", f.h0);
    w.angle("h1", f.h1);
    w.line("h2", number(f.h2));
    w.angle("h3", f.h3);
  }
  w.line("volume_correction", m.volume_correction ? "true" : "false");
}

void write_seed(Writer& w, const Seed& s, const Scene& scene) {
  w.header("[[seed]]");
  w.line("name", in_quotes(s.name));
  w.shape(s.shape);
  w.line("material", in_quotes(scene.materials.at(static_cast<std::size_t>(s.material)).name));
  w.line("sampling", in_quotes(names::of(s.sampling, names::sampling)));
  w.line("particles_per_cell", number(s.particles_per_cell));
  w.line("seed", fmt::format("{}", s.seed));
  w.motion(s.velocity, s.spin);
}

void write_emitter(Writer& w, const Emitter& e, const Scene& scene) {
  w.header("[[emitter]]");
  w.line("name", in_quotes(e.name));
  w.shape(e.shape);
  w.line("material", in_quotes(scene.materials.at(static_cast<std::size_t>(e.material)).name));
  w.line("velocity", vector(e.velocity, scene.dim()));
  w.line("rate", number(e.rate));
  w.line("start", number(e.start));
  w.line("stop", number(e.stop));
  w.line("particles_per_cell", number(e.particles_per_cell));
  w.line("seed", fmt::format("{}", e.seed));
}

void write_implicit(Writer& w, const ImplicitOptions& o) {
  w.header("[implicit]");
  w.line("newton_tolerance", number(o.newton_tolerance));
  w.line("newton_iterations", fmt::format("{}", o.newton_iterations));
  w.line("gmres_restart", fmt::format("{}", o.gmres_restart));
  w.line("gmres_iterations", fmt::format("{}", o.gmres_iterations));
  w.line("gmres_tolerance", number(o.gmres_tolerance));
  w.line("step_cuts", fmt::format("{}", o.step_cuts));
}

void write_collider(Writer& w, const Collider& c) {
  w.header("[[collider]]");
  w.line("name", in_quotes(c.name));
  w.shape(c.shape);
  if (!std::holds_alternative<HalfSpace>(c.shape)) w.line("hollow", c.hollow ? "true" : "false");
  w.line("contact", in_quotes(names::of(c.contact, names::contact)));
  w.line("friction", number(c.friction));
  w.line("friction_from_push_only", c.friction_from_push_only ? "true" : "false");
  w.motion(c.velocity, c.spin);
}

}  // namespace

std::string scene_to_toml(const Scene& scene) {
  const int dim = scene.dim();
  Writer w(dim);
  w.line("title", in_quotes(scene.title));
  w.line("dimension", fmt::format("{}", dim));
  w.line("spacing", number(scene.grid.h));
  w.line("kernel", in_quotes(names::of(scene.kernel, names::kernel)));
  w.line("transfer", in_quotes(names::of(scene.transfer, names::transfer)));
  // What the other transfers make of it stands in their name.
  w.line("flip_share", number(scene.transfer == Transfer::flip_pic ? scene.flip_share
                              : scene.transfer == Transfer::pic    ? 0.0
                                                                   : 1.0));
  w.line("gravity", vector(scene.gravity, dim));
  w.line("frame_rate", number(scene.frame_rate));
  w.line("duration", number(scene.duration));
  w.line("max_dt", number(scene.step.max_dt));
  w.line("cfl", number(scene.step.cfl));
  w.line("elastic_bound", number(scene.step.elastic_bound));
  w.line("integrator", in_quotes(names::of(scene.integrator, names::integrator)));
  w.line("particle_motion", in_quotes(names::of(scene.motion, names::motion)));
  w.header("[domain]");
  w.line("min", vector(scene.grid.domain_min, dim));
  w.line("max", vector(scene.grid.domain_max(), dim));
  if (scene.grid.any_periodic()) w.line("periodic", axes(scene.grid));
  if (scene.integrator == Integrator::implicit_) write_implicit(w, scene.implicit);
  for (const Material& m : scene.materials) write_material(w, m);
  for (const Seed& s : scene.seeds) write_seed(w, s, scene);
  for (const Emitter& e : scene.emitters) write_emitter(w, e, scene);
  for (const Collider& c : scene.colliders) write_collider(w, c);
  return w.take();
}

}  // namespace repose
