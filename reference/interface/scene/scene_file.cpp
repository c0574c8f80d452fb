#include "reference/interface/scene/scene_file.h"

#include "reference/interface/base/error.h"
#include "reference/interface/base/one_line.h"
#include "reference/interface/scene/scene_names.h"
#include "reference/interface/scene/scene_text.h"
#include "reference/interface/scene/step_control.h"
#include "reference/interface/scene/toml_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace repose {

namespace {

constexpr std::string_view a_name = "a name in quotes, of 1 to 200 bytes";

/// The name of a table; names are unique in their list.
std::string read_name(TomlTable& t, const std::optional<std::string>& otherwise,
                      std::set<std::string>& taken) {
  const std::string name = otherwise ? t.string_or(*otherwise, "name", a_name) : t.string("name", a_name);
  if (!is_name(name)) t.refuse("name", a_name);
  if (!taken.insert(name).second) t.refuse("name", "different from the names before it");
  return name;
}

Grid read_grid(TomlTable& t) {
  Grid grid;
  const std::int64_t dim = t.integer("dimension", 2, "2 or 3");
  if (dim > 3) t.refuse("dimension", "2 or 3");
  grid.dim = static_cast<int>(dim);
  grid.h = t.number("spacing", rule::positive, "m");
  if (!rule::scale.allows(grid.h)) t.refuse("spacing", rule::scale.text);
  TomlTable domain = t.table("domain");
  grid.domain_min = domain.vector("min", grid.dim, "m");
  const Point max = domain.vector("max", grid.dim, "m");
  const std::string axes = grid.dim == 2 ? "xy" : "xyz";
  const std::string allowed =
      fmt::format("a list of different axes out of \"{}\"", fmt::join(axes, "\", \""));
  for (const std::string& name : domain.strings_or({}, "periodic", allowed)) {
    const std::size_t axis = name.size() == 1 ? axes.find(name) : std::string::npos;
    if (axis == std::string::npos || grid.periodic.at(axis)) domain.refuse("periodic", allowed);
    grid.periodic.at(axis) = true;
  }
  domain.finish();
  for (int axis = 0; axis < grid.dim; ++axis) {
    const double length = max[axis] - grid.domain_min[axis];
    const double cells = std::round(length / grid.h);
    if (!(length > 0.0)) domain.refuse("max", "larger than domain.min along every axis");
    // More nodes than this per axis would overflow their ids.
    if (cells > 1e6) domain.refuse("max", "at most a million cells from domain.min along every axis");
    // Decimal fractions round: a billionth of a cell is no intent.
    if (cells < 1.0 || std::abs(length / grid.h - cells) > 1e-9 * cells) {
      domain.refuse(
          "max",
          fmt::format("a whole number of cells (spacing = {} m) from domain.min; along {} it is {:.6g}, next "
                      "to it are {:.9g} and {:.9g} m",
                      grid.h, "xyz"[axis], length / grid.h,
                      grid.domain_min[axis] + grid.h * std::max(1.0, std::floor(length / grid.h)),
                      grid.domain_min[axis] + grid.h * (std::floor(length / grid.h) + 1.0)));
    }
    grid.cells[static_cast<std::size_t>(axis)] = static_cast<std::int64_t>(cells);
  }
  return grid;
}

void read_transfer(TomlTable& t, Scene& scene) {
  scene.transfer = t.choice_or(Transfer::apic, "transfer", names::transfer);
  if (scene.transfer == Transfer::flip_pic) {
    scene.flip_share = t.number("flip_share", rule::share, "");
    return;
  }
  scene.flip_share = scene.transfer == Transfer::pic ? 0.0 : 1.0;
  if (t.number_or(scene.flip_share, "flip_share", rule::share, "") != scene.flip_share) {
    t.refuse("flip_share", fmt::format("{} or left out unless transfer = \"flip_pic\"", scene.flip_share));
  }
}

FrictionLaw read_friction(TomlTable& t) {
  FrictionLaw f;
  for (const char* angle : {"friction_angle", "h0", "h1", "h3"}) t.known_angle(angle);
  t.known("h2");
  if (t.has_angle("h0") || t.has_angle("h1") || t.has("h2") || t.has_angle("h3")) {
    if (t.has_angle("friction_angle")) {
      t.refuse(t.has("friction_angle_deg") ? "friction_angle_deg" : "friction_angle_rad",
               "left out where the hardening h0 to h3 is given");
    }
    f.h0 = t.angle("h0", rule::friction_angle);
    f.h1 = t.angle("h1", rule::non_negative_angle);
    f.h2 = t.number("h2", rule::non_negative, "");
    f.h3 = t.angle("h3", rule::friction_angle);
    const std::string_view h0 = t.has("h0_deg") ? "h0_deg" : "h0_rad";
    if (!(f.h0 > f.h3)) t.refuse(h0, "larger than h3: the friction angle h0 - h3 of fresh sand is positive");
    if (const double largest = largest_friction_angle(f); !rule::friction_angle.allows(largest)) {
      t.refuse(h0,
               fmt::format(
                   "such that the friction angle stays below 90 degrees for all q; it reaches {:.4g} degrees",
                   largest / degree));
    }
    return f;
  }
  f.h0 = t.angle("friction_angle", rule::friction_angle);
  return f;
}

Material read_material(TomlTable& t, std::set<std::string>& taken) {
  Material m;
  m.name = read_name(t, {}, taken);
  m.law = t.choice_or(Law::drucker_prager, "law", names::law);
  m.density = t.number("density", rule::positive, "kg/m3");
  m.youngs_modulus = t.number("youngs_modulus", rule::positive, "Pa");
  m.poisson_ratio = t.number("poisson_ratio", rule::poisson_ratio, "");
  if (m.law == Law::drucker_prager) {
    m.friction = read_friction(t);
    m.volume_correction = t.boolean_or(false, "volume_correction");
  } else {
    for (const char* key : {"friction_angle_deg", "friction_angle_rad", "h0_deg", "h0_rad", "h1_deg",
                            "h1_rad", "h2", "h3_deg", "h3_rad", "volume_correction"}) {
      if (t.has(key)) t.refuse(key, "left out where law = \"elastic\"");
    }
  }
  t.finish();
  return m;
}

Box read_box(TomlTable& t, int dim) {
  const Box box{.min = t.vector("min", dim, "m"), .max = t.vector("max", dim, "m")};
  for (int axis = 0; axis < dim; ++axis) {
    if (!(box.max[axis] > box.min[axis])) t.refuse("max", "larger than min along every axis");
  }
  return box;
}

Sphere read_sphere(TomlTable& t, int dim) {
  return {.centre = t.vector("centre", dim, "m"), .radius = t.number("radius", rule::positive, "m")};
}

Cylinder read_cylinder(TomlTable& t, int dim) {
  const Sphere disk = read_sphere(t, dim);
  Cylinder cylinder{.centre = disk.centre, .axis = Point::UnitZ(), .radius = disk.radius, .half_length = 0.0};
  if (dim == 2) return cylinder;
  cylinder.axis = t.direction("axis", dim);
  cylinder.half_length = 0.5 * t.number("length", rule::positive, "m");
  return cylinder;
}

enum class ShapeName : unsigned char { half_space, room, box, sphere, cylinder };

const Names<ShapeName> bodies{
    {"box", ShapeName::box}, {"sphere", ShapeName::sphere}, {"cylinder", ShapeName::cylinder}};
const Names<ShapeName> solids{{"half_space", ShapeName::half_space},
                              {"room", ShapeName::room},
                              {"box", ShapeName::box},
                              {"sphere", ShapeName::sphere},
                              {"cylinder", ShapeName::cylinder}};

Shape read_body(TomlTable& t, ShapeName shape, int dim) {
  if (shape == ShapeName::box) return read_box(t, dim);
  if (shape == ShapeName::sphere) return read_sphere(t, dim);
  return read_cylinder(t, dim);
}

/// Index of the material of a body.
int read_material_of(TomlTable& t, const Scene& scene) {
  const std::string material = t.string("material", "the name of a [[material]]");
  const auto found = std::find_if(scene.materials.begin(), scene.materials.end(),
                                  [&](const Material& m) { return m.name == material; });
  if (found == scene.materials.end()) {
    std::string known;
    for (const Material& m : scene.materials) known += (known.empty() ? "\"" : ", \"") + m.name + "\"";
    t.refuse("material", "the name of a [[material]]: " + (known.empty() ? "there is none" : known));
  }
  return static_cast<int>(found - scene.materials.begin());
}

/// Start of a body's random sequence.
std::uint64_t read_random_seed(TomlTable& t) {
  return static_cast<std::uint64_t>(
      t.integer("seed", 0, "an integer >= 0, the start of the random sequence"));
}

Seed read_seed(TomlTable& t, const Scene& scene, std::set<std::string>& taken) {
  const int dim = scene.dim();
  Seed s;
  s.name = read_name(t, fmt::format("seed_{}", scene.seeds.size() + 1), taken);
  s.where = t.where();
  s.shape = read_body(t, t.choice("shape", bodies), dim);
  s.material = read_material_of(t, scene);
  s.sampling = t.choice_or(Sampling::poisson_disk, "sampling", names::sampling);
  s.particles_per_cell = t.number_or(dim == 2 ? 4.0 : 8.0, "particles_per_cell", rule::positive, "");
  s.seed = read_random_seed(t);
  s.velocity = t.vector_or(Point::Zero(), "velocity", dim, "m/s");
  s.spin = t.spin("spin", dim);
  t.finish();
  return s;
}

Emitter read_emitter(TomlTable& t, const Scene& scene, std::set<std::string>& taken) {
  const int dim = scene.dim();
  Emitter e;
  e.name = read_name(t, fmt::format("emitter_{}", scene.emitters.size() + 1), taken);
  e.where = t.where();
  e.shape = read_body(t, t.choice("shape", bodies), dim);
  e.material = read_material_of(t, scene);
  e.velocity = t.vector("velocity", dim, "m/s");
  e.rate = t.number("rate", rule::positive, dim == 2 ? "m2/s" : "m3/s");
  e.start = t.number_or(0.0, "start", rule::non_negative, "s");
  e.stop = t.number_or(scene.duration, "stop", rule::positive, "s");
  e.particles_per_cell = t.number_or(dim == 2 ? 4.0 : 8.0, "particles_per_cell", rule::positive, "");
  e.seed = read_random_seed(t);
  t.finish();
  return e;
}

void read_integrator(TomlTable& t, Scene& scene) {
  scene.integrator = t.choice_or(Integrator::explicit_, "integrator", names::integrator);
  scene.motion = t.choice_or(ParticleMotion::before_friction, "particle_motion", names::motion);
  if (scene.integrator == Integrator::implicit_ && scene.motion != ParticleMotion::before_friction)
    t.refuse("particle_motion", "\"before_friction\" or left out where integrator = \"implicit\"");
  t.known("implicit");
  if (!t.has("implicit")) return;
  TomlTable s = t.table("implicit");
  if (scene.integrator != Integrator::implicit_)
    t.refuse("implicit", "left out unless integrator = \"implicit\"");
  ImplicitOptions& o = scene.implicit;
  const auto count = [&s](int& value, std::string_view key, int low) {
    s.known(key);
    const std::string allowed = fmt::format("an integer from {} to 1000000", low);
    if (!s.has(key)) return;
    const std::int64_t read = s.integer(key, low, allowed);
    if (read > 1'000'000) s.refuse(key, allowed);
    value = static_cast<int>(read);
  };
  o.newton_tolerance = s.number_or(o.newton_tolerance, "newton_tolerance", rule::tolerance, "");
  count(o.newton_iterations, "newton_iterations", 1);
  count(o.gmres_restart, "gmres_restart", 1);
  count(o.gmres_iterations, "gmres_iterations", 1);
  o.gmres_tolerance = s.number_or(o.gmres_tolerance, "gmres_tolerance", rule::tolerance, "");
  count(o.step_cuts, "step_cuts", 0);
  s.finish();
}

/// A room's walls as half-spaces, in the order −x +x −y +y −z +z whatever the order in the file.
std::vector<Collider> read_room(TomlTable& t, const Collider& common, int dim) {
  const Box room = read_box(t, dim);
  if (t.has("spin")) t.refuse("spin", "left out: walls of a room do not turn");
  const auto count = 2 * static_cast<std::size_t>(dim);
  const std::vector<std::string> all(names::walls.begin(), names::walls.begin() + 2 * dim);
  const std::string allowed =
      fmt::format("a list of different walls out of \"{}\"", fmt::join(all, "\", \""));
  const std::vector<std::string> chosen = t.strings_or(all, "walls", allowed);
  for (const std::string& wall : chosen) {
    if (std::count(all.begin(), all.end(), wall) == 0 || std::count(chosen.begin(), chosen.end(), wall) > 1) {
      t.refuse("walls", allowed);
    }
  }
  if (chosen.empty()) t.refuse("walls", allowed);
  std::vector<Collider> walls;
  for (std::size_t i = 0; i < count; ++i) {
    if (std::count(chosen.begin(), chosen.end(), all[i]) == 0) continue;
    const bool is_min = i % 2 == 0;
    Collider wall = common;
    wall.name += "." + all[i];
    if (!is_name(wall.name))
      t.refuse("name", "shorter: the name of a wall, \"" + all[i] + "\", is added to it");
    Point into_room = Point::Zero();
    into_room[static_cast<Eigen::Index>(i / 2)] = is_min ? 1.0 : -1.0;
    wall.shape = HalfSpace{.point = is_min ? room.min : room.max, .normal = into_room};
    walls.push_back(wall);
  }
  return walls;
}

/// One collider, or the walls of a room.
std::vector<Collider> read_collider(TomlTable& t, int dim, std::size_t number, std::set<std::string>& taken) {
  Collider c;
  c.name = read_name(t, fmt::format("collider_{}", number), taken);
  c.contact = t.choice_or(Contact::separating, "contact", names::contact);
  c.friction = t.number_or(0.0, "friction", rule::non_negative, "");
  c.friction_from_push_only = t.boolean_or(false, "friction_from_push_only");
  c.velocity = t.vector_or(Point::Zero(), "velocity", dim, "m/s");
  const ShapeName shape = t.choice("shape", solids);
  std::vector<Collider> result;
  if (shape == ShapeName::room) {
    result = read_room(t, c, dim);
  } else {
    c.spin = t.spin("spin", dim);
    if (shape == ShapeName::half_space) {
      c.shape = HalfSpace{.point = t.vector("point", dim, "m"), .normal = t.direction("normal", dim)};
    } else {
      c.hollow = t.boolean_or(false, "hollow");
      c.shape = read_body(t, shape, dim);
    }
    result = {c};
  }
  t.finish();
  return result;
}

Scene read_scene(TomlTable& t) {
  Scene scene;
  scene.title = t.string_or("", "title", "a text in quotes");
  scene.grid = read_grid(t);
  scene.kernel = t.choice_or(Kernel::cubic, "kernel", names::kernel);
  const std::int64_t width = scene.kernel == Kernel::cubic ? 4 : 3;
  for (int axis = 0; axis < scene.dim(); ++axis) {
    if (scene.grid.is_periodic(axis) && scene.grid.nodes(axis) < width)
      t.refuse("domain",
               fmt::format("at least {} cells long along the periodic axis {}: a stencil of the kernel is "
                           "that wide, and would meet itself",
                           width, "xyz"[axis]));
  }
  read_transfer(t, scene);
  scene.gravity = t.vector_or({0.0, -9.81, 0.0}, "gravity", scene.dim(), "m/s2");
  scene.frame_rate = t.number("frame_rate", rule::positive, "1/s");
  scene.duration = t.number("duration", rule::positive, "s");
  scene.step.max_dt = t.number("max_dt", rule::positive, "s");
  scene.step.cfl = t.number_or(1.0, "cfl", rule::scale, "");
  scene.step.elastic_bound =
      t.number_or(scene.kernel == Kernel::cubic ? 0.6 : 0.5, "elastic_bound", rule::scale, "");

  read_integrator(t, scene);

  std::set<std::string> material_names;
  for (TomlTable& m : t.tables("material")) scene.materials.push_back(read_material(m, material_names));
  std::set<std::string> seed_names;
  for (TomlTable& s : t.tables("seed")) scene.seeds.push_back(read_seed(s, scene, seed_names));
  std::set<std::string> emitter_names;
  for (TomlTable& e : t.tables("emitter")) scene.emitters.push_back(read_emitter(e, scene, emitter_names));
  if (scene.seeds.empty() && scene.emitters.empty())
    t.refuse("seed", "at least one [[seed]] or [[emitter]]: a scene without particles has nothing to do");
  std::set<std::string> collider_names;
  std::size_t number = 0;
  for (TomlTable& c : t.tables("collider")) {
    for (Collider& part : read_collider(c, scene.dim(), ++number, collider_names)) {
      scene.colliders.push_back(std::move(part));
    }
  }
  t.known("repose");  // what the program that wrote this scene says about its run
  t.finish();
  if (const auto found = unending(scene)) t.refuse(found->key, found->allowed);
  return scene;
}

}  // namespace

Scene parse_scene(std::string_view text, std::string_view source) {
  require_shallow(text, source);
  toml::table root;
  try {
    root = toml::parse(text, source);
  } catch (const toml::parse_error& error) {
    throw BadInput(fmt::format("{}:{}: not TOML: {}", in_one_line(source, longest_path),
                               error.source().begin.line, error.description()));
  }
  TomlTable table(root, source);
  const Scene scene = read_scene(table);
  validate(scene);
  return scene;
}

Scene load_scene(const std::filesystem::path& file) {
  return parse_scene(read_scene_text(file), file.string());
}

}  // namespace repose
