#include "reference/interface/methods/mpm_options.h"
#include "validation/invariants/scene_draw.h"

#include <fmt/format.h>

#include <array>

namespace repose::invariants {

namespace {

/// Writes `key = value` lines.
class PlainText {
 public:
  explicit PlainText(int dim) : dim_(dim) {}
  void head(std::string_view title) { text_ += fmt::format("{}\n", title); }
  void number(std::string_view key, double x) { text_ += fmt::format("{} = {:.17e}\n", key, x); }
  void integer(std::string_view key, std::uint64_t n) { text_ += fmt::format("{} = {}\n", key, n); }
  void flag(std::string_view key, bool is_set) { text_ += fmt::format("{} = {}\n", key, is_set); }
  void word(std::string_view key, std::string_view chosen) {
    text_ += fmt::format("{} = '{}'\n", key, chosen);
  }
  /// Any text: TOML's basic strings.
  void quoted(std::string_view key, std::string_view free) {
    std::string inner;
    for (const char c : free) {
      if (c == '"' || c == '\\') inner += '\\';
      inner += c == '\n' ? std::string("\\n") : c == '\t' ? std::string("\\t") : std::string(1, c);
    }
    text_ += fmt::format("{} = \"{}\"\n", key, inner);
  }
  void point(std::string_view key, const Point& x) {
    text_ += dim_ == 2 ? fmt::format("{} = [{:.17e}, {:.17e}]\n", key, x[0], x[1])
                       : fmt::format("{} = [{:.17e}, {:.17e}, {:.17e}]\n", key, x[0], x[1], x[2]);
  }
  void spin(const Point& omega) {
    if (dim_ == 2) {
      number("spin", omega.z());
    } else {
      point("spin", omega);
    }
  }
  void shape(const Shape& shape) {
    if (const auto* plane = std::get_if<HalfSpace>(&shape)) {
      word("shape", "half_space");
      point("point", plane->point);
      point("normal", plane->normal);
    } else if (const auto* box = std::get_if<Box>(&shape)) {
      word("shape", "box");
      point("min", box->min);
      point("max", box->max);
    } else if (const auto* ball = std::get_if<Sphere>(&shape)) {
      word("shape", "sphere");
      point("centre", ball->centre);
      number("radius", ball->radius);
    } else if (const auto* wedge = std::get_if<Wedge>(&shape)) {
      word("shape", "wedge");
      point("tip", wedge->tip);
      point("normal", wedge->normal);
      number("angle_rad", wedge->angle);
      if (dim_ == 3) point("edge", wedge->edge);
    } else {
      const auto& rod = std::get<Cylinder>(shape);
      word("shape", "cylinder");
      point("centre", rod.centre);
      number("radius", rod.radius);
      if (dim_ == 2) return;
      point("axis", rod.axis);
      number("length", 2.0 * rod.half_length);
    }
  }
  std::string take() { return std::move(text_); }

 private:
  int dim_;
  std::string text_;
};

void add_bodies_to(PlainText& out, const Scene& s) {
  constexpr std::array<const char*, 3> samplings{"poisson_disk", "regular", "jittered"};
  for (const Seed& body : s.seeds) {
    out.head("[[seed]]");
    out.quoted("name", body.name);
    out.shape(body.shape);
    out.quoted("material", s.materials.at(static_cast<std::size_t>(body.material)).name);
    out.word("sampling", samplings.at(static_cast<std::size_t>(body.sampling)));
    out.number("particles_per_cell", body.particles_per_cell);
    out.integer("seed", body.seed);
    out.point("velocity", body.velocity);
    out.spin(body.spin);
  }
  for (const Emitter& spout : s.emitters) {
    out.head("[[emitter]]");
    out.quoted("name", spout.name);
    out.shape(spout.shape);
    out.quoted("material", s.materials.at(static_cast<std::size_t>(spout.material)).name);
    out.point("velocity", spout.velocity);
    out.number("rate", spout.rate);
    out.number("start", spout.start);
    out.number("stop", spout.stop);
    out.number("particles_per_cell", spout.particles_per_cell);
    out.integer("seed", spout.seed);
  }
  constexpr std::array<const char*, 3> contacts{"sticky", "slipping", "separating"};
  for (const Collider& solid : s.colliders) {
    out.head("[[collider]]");
    out.quoted("name", solid.name);
    out.shape(solid.shape);
    if (!std::holds_alternative<HalfSpace>(solid.shape) && !std::holds_alternative<Wedge>(solid.shape))
      out.flag("hollow", solid.hollow);
    out.word("contact", contacts.at(static_cast<std::size_t>(solid.contact)));
    out.number("friction", solid.friction);
    out.flag("friction_from_push_only", solid.friction_from_push_only);
    out.point("velocity", solid.velocity);
    out.spin(solid.spin);
  }
}

void add_materials_to(PlainText& out, const Scene& s) {
  for (const Material& m : s.materials) {
    out.head("[[material]]");
    out.quoted("name", m.name);
    constexpr std::array<const char*, 3> kinds{"sand", "elastic", "water"};
    out.word("kind", kinds.at(static_cast<std::size_t>(m.kind)));
    out.number("density", m.density);
    if (m.kind == MaterialKind::water) {
      out.number("water_stiffness", m.water_stiffness);
      out.number("water_gamma", m.water_gamma);
      out.flag("water_tension", m.water_tension);
      continue;
    }
    out.number("youngs_modulus", m.youngs_modulus);
    out.number("poisson_ratio", m.poisson_ratio);
    if (m.kind == MaterialKind::elastic) continue;
    if (m.friction.h1 == 0.0) {
      out.number("friction_angle_rad", m.friction.h0);
    } else {
      out.number("h0_rad", m.friction.h0);
      out.number("h1_rad", m.friction.h1);
      out.number("h2", m.friction.h2);
      out.number("h3_rad", m.friction.h3);
    }
    out.number("cohesion", m.cohesion);
    if (m.von_mises) out.flag("von_mises", true);
    out.flag("volume_correction", m.volume_correction);
    if (m.hardening_apart == HardeningApart::opening_and_closing)
      out.word("hardening_apart", "opening_and_closing");
    if (!m.unilateral) continue;
    out.head("[material.unilateral]");
    out.number("a", m.unilateral->a);
    out.number("b", m.unilateral->b);
    out.number("c0", m.unilateral->c0);
    if (m.unilateral->s_C) out.number("s_C", *m.unilateral->s_C);
    out.number("strain_unit", m.unilateral->strain_unit);
  }
}

void add_options_to(PlainText& out, const MpmOptions& options) {
  constexpr std::array<const char*, 4> transfers{"apic", "pic", "flip", "flip_pic"};
  out.head("[mpm]");
  out.word("kernel", options.kernel == Kernel::cubic ? "cubic" : "quadratic");
  out.word("transfer", transfers.at(static_cast<std::size_t>(options.transfer)));
  if (options.transfer == Transfer::flip_pic) out.number("flip_share", options.flip_share);
  out.number("elastic_bound", options.elastic_bound);
  constexpr std::array<const char*, 3> integrators{"explicit", "semi_implicit", "implicit"};
  out.word("integrator", integrators.at(static_cast<std::size_t>(options.integrator)));
  out.word("energy", options.energy == Energy::unilateral ? "unilateral" : "hencky");
  out.word("particle_motion",
           options.motion == ParticleMotion::after_friction ? "after_friction" : "before_friction");
  if (!solves(options.integrator)) return;
  const ImplicitOptions& o = options.implicit;
  out.head("[mpm.implicit]");
  out.number("newton_tolerance", o.newton_tolerance);
  out.integer("newton_iterations", static_cast<std::uint64_t>(o.newton_iterations));
  out.word("unconverged", o.unconverged == Unconverged::keep ? "keep" : "cut");
  out.integer("gmres_restart", static_cast<std::uint64_t>(o.gmres_restart));
  out.integer("gmres_iterations", static_cast<std::uint64_t>(o.gmres_iterations));
  out.number("gmres_tolerance", o.gmres_tolerance);
  out.integer("step_cuts", static_cast<std::uint64_t>(o.step_cuts));
}

}  // namespace

std::string plain_scene_text(const Scene& s) {
  PlainText out(s.dim());
  out.word("method", "mpm");
  out.quoted("title", s.title);
  out.integer("dimension", static_cast<std::uint64_t>(s.dim()));
  out.number("spacing", s.grid.h);
  out.point("gravity", s.gravity);
  out.number("frame_rate", s.frame_rate);
  out.number("duration", s.duration);
  out.number("max_dt", s.step.max_dt);
  out.number("cfl", s.step.cfl);
  out.head("[domain]");
  out.point("min", s.grid.domain_min);
  Point max = s.grid.domain_min;
  for (int axis = 0; axis < s.dim(); ++axis)
    max[axis] += static_cast<double>(s.grid.cells[static_cast<std::size_t>(axis)]) * s.grid.h;
  out.point("max", max);
  add_options_to(out, mpm_options(s));
  add_materials_to(out, s);
  add_bodies_to(out, s);
  return out.take();
}

}  // namespace repose::invariants
