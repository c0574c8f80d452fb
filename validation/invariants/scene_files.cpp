#include "reference/interface/methods/mpm_options.h"
#include "validation/invariants/invariants.h"
#include "validation/invariants/scene_draw.h"

#include "reference/interface/scene_file/scene_file.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace repose::invariants {

namespace {

/// Every key that has a default is left out but those given.
std::string short_scene(int dim, const std::string& more = "", const std::string& of_body = "") {
  const bool flat = dim == 2;
  return fmt::format(
      "method = 'mpm'\ndimension = {}\nspacing = 0.25\nframe_rate = 8\nduration = 2\nmax_dt = 0.125\n{}\n"
      "domain.min = {}\ndomain.max = {}\n"
      "[[material]]\nname = 'sand'\ndensity = 1500\nyoungs_modulus = 1e4\npoisson_ratio = "
      "0.25\nfriction_angle_deg = 30\n"
      "[[seed]]\nshape = 'box'\nmin = {}\nmax = {}\nmaterial = 'sand'\nseed = 1\n{}",
      dim, more, flat ? "[0, 0]" : "[0, 0, 0]", flat ? "[2, 4]" : "[2, 4, 8]",
      flat ? "[0.5, 0.5]" : "[0.5, 0.5, 0.5]", flat ? "[1, 1]" : "[1, 1, 1]", of_body);
}

/// The defaults of the tables of SCENES.md.
void defaults_of_scenes(int dim, Ledger& ledger) {
  ledger.needs("scenes", 3);
  Scene expected;
  expected.grid = {.dim = dim, .h = 0.25, .cells = {8, 16, dim == 3 ? 32 : 1}};
  expected.scheme = MpmOptions{.kernel = Kernel::cubic,
                               .transfer = Transfer::apic,
                               .flip_share = 1.0,
                               .integrator = Integrator::explicit_,
                               .motion = ParticleMotion::before_friction,
                               .elastic_bound = 0.6,
                               .implicit = {.newton_tolerance = 1e-4,
                                            .newton_iterations = 30,
                                            .unconverged = Unconverged::cut,
                                            .gmres_restart = 15,
                                            .gmres_iterations = 15,
                                            .gmres_tolerance = 1e-3,
                                            .step_cuts = 5}};
  expected.gravity = {0, -9.81, 0};
  expected.frame_rate = 8;
  expected.duration = 2;
  expected.step = {.max_dt = 0.125, .cfl = 1.0};
  Material sand;
  sand.name = "sand";
  sand.kind = MaterialKind::sand;
  sand.density = 1500;
  sand.youngs_modulus = 1e4;
  sand.poisson_ratio = 0.25;
  sand.friction.h0 = 30.0 * std::numbers::pi / 180.0;
  expected.materials = {sand};
  Seed body;
  body.name = "seed_1";
  body.shape = Box{.min = {0.5, 0.5, dim == 3 ? 0.5 : 0.0}, .max = {1, 1, dim == 3 ? 1.0 : 0.0}};
  body.sampling = Sampling::poisson_disk;
  body.particles_per_cell = dim == 2 ? 4.0 : 8.0;
  body.seed = 1;
  expected.seeds = {body};
  const auto judge = [&](const std::string& text, const Scene& wanted) {
    Scene got = parse_scene(text, "scene.toml");
    // A product more or less may round the angle by an ulp.
    ledger.near("30 degrees", got.materials.at(0).friction.h0, wanted.materials[0].friction.h0,
                2.0 * 0x1p-53);
    got.materials[0].friction.h0 = wanted.materials[0].friction.h0;
    judge_equal(got, wanted, ledger);
    ledger.saw("scenes");
  };
  judge(short_scene(dim), expected);

  Scene quadratic = expected;
  mpm_options(quadratic).kernel = Kernel::quadratic;
  mpm_options(quadratic).elastic_bound = 0.5;
  judge(short_scene(dim, "mpm.kernel = 'quadratic'"), quadratic);

  Scene implicit_scene = expected;
  mpm_options(implicit_scene).integrator = Integrator::implicit_;
  judge(short_scene(dim, "mpm.integrator = 'implicit'"), implicit_scene);
  mpm_options(implicit_scene).integrator = Integrator::semi_implicit;
  judge(short_scene(dim, "mpm.integrator = 'semi_implicit'\nmpm.energy = 'hencky'"), implicit_scene);

  for (const auto& [word, transfer] :
       {std::pair{"pic", Transfer::pic}, {"flip", Transfer::flip}, {"apic", Transfer::apic}}) {
    Scene other = expected;
    mpm_options(other).transfer = transfer;
    judge(short_scene(dim, fmt::format("mpm.transfer = '{}'", word)), other);
  }

  Scene more = expected;
  Emitter spout;
  spout.name = "emitter_1";
  spout.shape = Sphere{.centre = {1, 3, dim == 3 ? 2.0 : 0.0}, .radius = 0.25};
  spout.velocity = {0, -1, 0};
  spout.rate = 0.125;
  spout.start = 0.0;
  spout.stop = 2.0;  // the duration
  spout.particles_per_cell = dim == 2 ? 4.0 : 8.0;
  spout.seed = 5;
  more.emitters = {spout};
  Collider ball;
  ball.name = "collider_1";
  ball.shape = Sphere{.centre = {1, 2, dim == 3 ? 2.0 : 0.0}, .radius = 0.25};
  ball.contact = Contact::separating;
  more.colliders = {ball};
  const bool flat = dim == 2;
  judge(
      short_scene(
          dim, "",
          fmt::format(
              "[[emitter]]\nshape = 'sphere'\ncentre = {}\nradius = 0.25\nvelocity = {}\nrate = 0.125\n"
              "material = 'sand'\nseed = 5\n[[collider]]\nshape = 'sphere'\ncentre = {}\nradius = 0.25\n",
              flat ? "[1, 3]" : "[1, 3, 2]", flat ? "[0, -1]" : "[0, -1, 0]", flat ? "[1, 2]" : "[1, 2, 2]")),
      more);
}

/// Degrees are π/180 rad; spins are rad/s as they stand; lengths are halved where half is kept; directions normalized.
void units_of_scenes(int dim, Ledger& ledger) {
  ledger.needs("angles", 50);
  Dice dice(91);
  for (int n = 0; n < 30; ++n) {
    const double h0 = dice.between(30.0, 45.0), h1 = dice.between(1.0, 9.0), h3 = dice.between(1.0, 20.0);
    std::string text = short_scene(dim);
    const std::string plain = "friction_angle_deg = 30";
    text.replace(text.find(plain), plain.size(),
                 fmt::format("h0_deg = {:.17g}\nh1_deg = {:.17g}\nh2 = 0.375\nh3_deg = {:.17g}", h0, h1, h3));
    const double omega = dice.between(-9.0, 9.0), length = dice.between(0.1, 0.5);
    text += fmt::format("spin = {}\n",
                        dim == 2 ? fmt::format("{:.17g}", omega) : fmt::format("[0.5, {:.17g}, -2]", omega));
    text += fmt::format("[[collider]]\nshape = 'half_space'\npoint = {}\nnormal = {}\nspin = {}\n",
                        dim == 2 ? "[0.25, 0]" : "[0.25, 0, 0.5]", dim == 2 ? "[3, 4]" : "[2, 3, 6]",
                        dim == 2 ? fmt::format("{:.17g}", omega) : fmt::format("[1, 2, {:.17g}]", omega));
    if (dim == 3) {
      text += fmt::format(
          "[[collider]]\nshape = 'cylinder'\ncentre = [1, 3, 4]\naxis = [0, 0, 7]\nradius = 0.2\nlength = "
          "{:.17g}\n",
          length);
    }
    const Scene got = parse_scene(text, "scene.toml");
    const FrictionLaw& law = got.materials.at(0).friction;
    constexpr double rad = std::numbers::pi / 180.0;
    ledger.near("h0 over degrees", law.h0 / (h0 * rad), 1.0, 4.0 * 0x1p-53);
    ledger.near("h1 over degrees", law.h1 / (h1 * rad), 1.0, 4.0 * 0x1p-53);
    ledger.near("h3 over degrees", law.h3 / (h3 * rad), 1.0, 4.0 * 0x1p-53);
    ledger.equal("h2", law.h2, 0.375);
    ledger.saw("angles", 3);
    ledger.near("spin of a seed", got.seeds.at(0).spin, dim == 2 ? Point(0, 0, omega) : Point(0.5, omega, -2),
                0.0);
    const auto& slope = std::get<HalfSpace>(got.colliders.at(0).shape);
    ledger.near("spin of a collider", got.colliders[0].spin,
                dim == 2 ? Point(0, 0, omega) : Point(1, 2, omega), 0.0);
    ledger.near("normal", slope.normal, dim == 2 ? Point(0.6, 0.8, 0) : Point(2.0 / 7, 3.0 / 7, 6.0 / 7),
                4.0 * 0x1p-53);
    if (dim == 2) continue;
    const auto& rod = std::get<Cylinder>(got.colliders.at(1).shape);
    ledger.near("half the length", 2.0 * rod.half_length, length, 0.0);
    ledger.near("axis", rod.axis, Point::UnitZ(), 0.0);
  }
  // The slope of a box of [Narain10] and the angle that the paper gives it.
  for (const auto& [alpha, degrees] : {std::pair{0.3, 21.5568}, {0.5, 37.7612}, {0.7, 59.0171}}) {
    std::string text = short_scene(dim);
    const std::string plain = "friction_angle_deg = 30";
    text.replace(text.find(plain), plain.size(), fmt::format("friction_alpha = {}", alpha));
    const Scene got = parse_scene(text, "scene.toml");
    ledger.near("angle of an alpha", got.materials.at(0).friction.h0 * 180.0 / std::numbers::pi, degrees,
                5e-5);
    ledger.holds("alpha is kept", got.materials[0].friction.narain_alpha == alpha);
    judge_equal(parse_scene(scene_to_toml(got), "written.toml"), got, ledger);
    ledger.saw("angles");
  }
}

/// The walls of a room: planes through its faces whose normals point into it, in the order x_min, x_max, y_min, …, however
/// they are listed.
void walls_of_rooms(int dim, Ledger& ledger) {
  ledger.needs("walls", 10);
  const std::array<const char*, 6> names{"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
  for (int n = 0; n < (dim == 2 ? 16 : 64); ++n) {
    std::string listed;
    for (int k = 2 * dim - 1; k >= 0; --k) {
      if ((n >> k) % 2 == 1)
        listed += fmt::format("{}'{}'", listed.empty() ? "" : ", ", names[static_cast<std::size_t>(k)]);
    }
    const std::string walls = n == 0 ? "" : fmt::format("walls = [{}]\n", listed);
    const Scene got = parse_scene(
        short_scene(
            dim, "",
            fmt::format("[[collider]]\nname = 'R'\nshape = 'room'\nmin = {}\nmax = {}\ncontact = 'sticky'\n"
                        "friction = 0.5\nvelocity = {}\n{}",
                        dim == 2 ? "[0.25, 0.125]" : "[0.25, 0.125, 0.375]",
                        dim == 2 ? "[1.5, 2.5]" : "[1.5, 2.5, 3.5]", dim == 2 ? "[1, 2]" : "[1, 2, 3]",
                        walls)),
        "scene.toml");
    std::size_t at = 0;
    for (int k = 0; k < 2 * dim; ++k) {
      if (n != 0 && (n >> k) % 2 == 0) continue;
      if (at >= got.colliders.size()) break;
      const Collider& wall = got.colliders[at++];
      const auto* plane = std::get_if<HalfSpace>(&wall.shape);
      const int axis = k / 2;
      const Point low(0.25, 0.125, 0.375), high(1.5, 2.5, 3.5);
      ledger.holds("a wall is a half-space", plane != nullptr);
      if (plane == nullptr) continue;
      ledger.holds("name of a wall", wall.name == std::string("R.") + names[static_cast<std::size_t>(k)]);
      ledger.near("normal of a wall", plane->normal, (k % 2 == 0 ? 1.0 : -1.0) * Point::Unit(axis), 0.0);
      ledger.equal("place of a wall", plane->point[axis], k % 2 == 0 ? low[axis] : high[axis]);
      ledger.holds("contact of a wall", wall.contact == Contact::sticky && wall.friction == 0.5);
      ledger.near("velocity of a wall", wall.velocity, Point(1, 2, dim == 3 ? 3 : 0), 0.0);
      ledger.saw("walls");
    }
    ledger.equal("number of walls", static_cast<double>(got.colliders.size()), static_cast<double>(at));
  }
}

/// A scene of which every key differs from its default, written by hand, read, written by the program and read again.
void round_trips_of_scenes(int dim, Ledger& ledger) {
  ledger.needs("scenes", 20);
  ledger.needs("scenes of water", 3);
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const Scene drawn = drawn_scene(seed, dim);
    const Scene read = parse_scene(plain_scene_text(drawn), "scene.toml");
    judge_equal(read, drawn, ledger);
    const std::string written = scene_to_toml(read);
    const Scene again = parse_scene(written, "written.toml");
    judge_equal(again, drawn, ledger);
    ledger.holds("the same text again", scene_to_toml(again) == written);
    ledger.saw("scenes");
    if (is_water(drawn)) ledger.saw("scenes of water");
  }
}

}  // namespace

void add_scene_files(std::vector<Invariant>& all) {
  all.push_back({"defaults_of_scenes",
                 "keys that are left out have the documented defaults",
                 "scene files",
                 {2, 3},
                 defaults_of_scenes});
  all.push_back({"units_of_scenes",
                 "degrees, radians, lengths and directions of scene files",
                 "scene files",
                 {2, 3},
                 units_of_scenes});
  all.push_back(
      {"walls_of_rooms", "a room is its walls, in their order", "scene files", {2, 3}, walls_of_rooms});
  all.push_back({"round_trips_of_scenes",
                 "scenes written by hand, read, written and read, to the bit",
                 "scene files",
                 {2, 3},
                 round_trips_of_scenes});
}

}  // namespace repose::invariants
