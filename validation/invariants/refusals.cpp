#include "validation/invariants/invariants.h"
#include "validation/invariants/scene_draw.h"

#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/particles/scene_warnings.h"
#include "reference/interface/scene_file/scene_file.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace repose::invariants {

namespace {

bool scene_refused(const Scene& scene) {
  try {
    validate(scene);
  } catch (const BadInput&) {
    return true;
  }
  return false;
}

/// A change of a legal scene.
using Change = std::function<void(Scene&)>;

/// Only a blend has a share.
void blend(Scene& scene, double share) {
  mpm_options(scene).transfer = Transfer::flip_pic;
  mpm_options(scene).flip_share = share;
}

/// Numbers that must be > 0, by name.
std::vector<std::pair<const char*, std::function<double&(Scene&)>>> positive_numbers() {
  return {{"spacing", [](Scene& s) -> double& { return s.grid.h; }},
          {"frame_rate", [](Scene& s) -> double& { return s.frame_rate; }},
          {"duration", [](Scene& s) -> double& { return s.duration; }},
          {"max_dt", [](Scene& s) -> double& { return s.step.max_dt; }},
          {"cfl", [](Scene& s) -> double& { return s.step.cfl; }},
          {"elastic_bound", [](Scene& s) -> double& { return mpm_options(s).elastic_bound; }},
          {"density", [](Scene& s) -> double& { return s.materials[2].density; }},
          {"youngs_modulus", [](Scene& s) -> double& { return s.materials[2].youngs_modulus; }},
          {"particles_per_cell of a seed", [](Scene& s) -> double& { return s.seeds[2].particles_per_cell; }},
          {"particles_per_cell of an emitter",
           [](Scene& s) -> double& { return s.emitters[2].particles_per_cell; }},
          {"rate", [](Scene& s) -> double& { return s.emitters[2].rate; }},
          {"radius of a seed", [](Scene& s) -> double& { return std::get<Sphere>(s.seeds[1].shape).radius; }},
          {"radius of a collider",
           [](Scene& s) -> double& { return std::get<Sphere>(s.colliders[1].shape).radius; }}};
}

/// Numbers and what they must not be; the last that is allowed and the first that is not, where there are such.
std::vector<std::pair<std::string, Change>> wrong_values() {
  return {
      {"flip_share above 1", [](Scene& s) { blend(s, 1.0000001); }},
      {"flip_share below 0", [](Scene& s) { blend(s, -1e-9); }},
      {"poisson_ratio 0.5", [](Scene& s) { s.materials[1].poisson_ratio = 0.5; }},
      {"poisson_ratio -1", [](Scene& s) { s.materials[1].poisson_ratio = -1.0; }},
      {"h0 of 90 degrees", [](Scene& s) { s.materials[0].friction.h0 = 90.0 * degree; }},
      {"h0 negative", [](Scene& s) { s.materials[0].friction.h0 = -1e-9; }},
      {"h3 above h0", [](Scene& s) { s.materials[1].friction.h3 = s.materials[1].friction.h0 + 1e-9; }},
      {"h1 negative", [](Scene& s) { s.materials[1].friction.h1 = -1e-9; }},
      {"h2 negative", [](Scene& s) { s.materials[1].friction.h2 = -1e-9; }},
      {"an angle that grows past 90 degrees", [](Scene& s) { s.materials[1].friction.h1 = 20.0; }},
      {"friction negative", [](Scene& s) { s.colliders[2].friction = -1e-9; }},
      {"start negative", [](Scene& s) { s.emitters[1].start = -1e-9; }},
      {"stop before start", [](Scene& s) { s.emitters[1].stop = s.emitters[1].start; }},
      {"a material that is none", [](Scene& s) { s.seeds[1].material = 3; }},
      {"a material below the first", [](Scene& s) { s.seeds[1].material = -1; }},
      {"an emitter's material that is none", [](Scene& s) { s.emitters[1].material = 3; }},
      {"two materials of one name", [](Scene& s) { s.materials[1].name = s.materials[2].name; }},
      {"two seeds of one name", [](Scene& s) { s.seeds[1].name = s.seeds[2].name; }},
      {"two emitters of one name", [](Scene& s) { s.emitters[1].name = s.emitters[2].name; }},
      {"two colliders of one name", [](Scene& s) { s.colliders[1].name = s.colliders[2].name; }},
      {"no name", [](Scene& s) { s.colliders[1].name.clear(); }},
      {"a name of 201 bytes", [](Scene& s) { s.colliders[1].name = std::string(201, 'a'); }},
      {"no particles at all", [](Scene& s) { s.seeds.clear(), s.emitters.clear(); }},
      {"a box turned inside out",
       [](Scene& s) {
         std::swap(std::get<Box>(s.colliders[0].shape).min, std::get<Box>(s.colliders[0].shape).max);
       }},
      {"a normal that is no unit vector",
       [](Scene& s) { std::get<HalfSpace>(s.colliders[3].shape).normal *= 1.001; }},
      {"a hollow half-space", [](Scene& s) { s.colliders[3].hollow = true; }},
      {"a half-space of sand", [](Scene& s) { s.seeds[0].shape = s.colliders[3].shape; }},
      {"a seed beyond the domain", [](Scene& s) { std::get<Sphere>(s.seeds[1].shape).centre.x() = 40.0; }},
      {"a seed in a solid",
       [](Scene& s) {
         std::get<Sphere>(s.colliders[1].shape).centre = std::get<Sphere>(s.seeds[1].shape).centre;
       }},
      {"an opening beyond the domain",
       [](Scene& s) { std::get<Sphere>(s.emitters[1].shape).centre.x() = 40.0; }},
      {"an opening in a solid",
       [](Scene& s) {
         std::get<Sphere>(s.colliders[1].shape).centre = std::get<Sphere>(s.emitters[1].shape).centre;
       }},
      {"a seed number of 2^63", [](Scene& s) { s.seeds[1].seed = std::uint64_t{1} << 63U; }},
      {"no cells", [](Scene& s) { s.grid.cells[0] = 0; }},
      {"more than a million cells", [](Scene& s) { s.grid.cells[0] = 1'000'001; }},
      {"gravity that is no number",
       [](Scene& s) { s.gravity.y() = std::numeric_limits<double>::quiet_NaN(); }},
      {"a velocity that is infinite",
       [](Scene& s) { s.seeds[1].velocity.x() = std::numeric_limits<double>::infinity(); }},
      {"a dimension of 4", [](Scene& s) { s.grid.dim = 4; }}};
}

/// A legal scene is taken; the same with one value that SCENES.md does not allow is refused.
void scenes_that_are_refused(int dim, Ledger& ledger) {
  ledger.needs("wrong scenes", 80);
  const auto refused = [&](const Scene& legal, const std::string& what, const Change& change) {
    Scene wrong = legal;
    change(wrong);
    ledger.holds("refused: " + what, scene_refused(wrong));
    ledger.saw("wrong scenes");
  };
  for (const std::uint64_t seed : {3U, 4U}) {
    const Scene legal = drawn_scene(seed, dim);
    ledger.holds("taken: a legal scene", !scene_refused(legal));
    for (const auto& positive : positive_numbers()) {
      for (const double value :
           {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        refused(legal, fmt::format("{} {}", positive.first, value),
                [&](Scene& s) { positive.second(s) = value; });
      }
    }
    for (const auto& [name, change] : wrong_values()) refused(legal, name, change);
    for (int axis = 0; axis < dim; ++axis) {
      for (const bool upper : {false, true}) {
        // A ball and a disk alone, so that nothing else refuses them, up to a side of the domain and beyond it.
        const double side =
            legal.grid.domain_min[axis] +
            (upper ? legal.grid.h * static_cast<double>(legal.grid.cells[static_cast<std::size_t>(axis)])
                   : 0.0);
        const auto ball_at = [&](double share) {
          Scene s = legal;
          s.colliders.clear();
          s.emitters.clear();
          auto& ball = std::get<Sphere>(s.seeds[1].shape);
          ball.centre[axis] = side - (upper ? 1.0 : -1.0) * share * ball.radius;
          return s;
        };
        ledger.holds("taken: a seed within the domain", !scene_refused(ball_at(1.01)));
        ledger.holds("refused: a seed a little beyond the domain", scene_refused(ball_at(0.99)));
        const auto disk_at = [&](double share) {
          Scene s = legal;
          s.colliders.clear();
          s.seeds.clear();
          auto& disk = std::get<Sphere>(s.emitters[1].shape);
          // Across the flow the opening is as wide as the ball.
          s.emitters[1].velocity = (axis == 0 ? 1.0 : -1.0) * Point::Unit((axis + 1) % dim);
          s.emitters[1].rate = 1e-6;
          disk.centre[axis] = side - (upper ? 1.0 : -1.0) * share * disk.radius;
          return s;
        };
        ledger.holds("taken: an opening within the domain", !scene_refused(disk_at(1.01)));
        ledger.holds("refused: an opening a little beyond the domain", scene_refused(disk_at(0.99)));
        ledger.saw("wrong scenes", 2);
      }
    }
    if (dim == 2) {
      refused(legal, "gravity out of the plane", [](Scene& s) { s.gravity.z() = 1e-9; });
      refused(legal, "a spin about x in 2D", [](Scene& s) { s.seeds[1].spin.x() = 1e-9; });
      refused(legal, "cells along z in 2D", [](Scene& s) { s.grid.cells[2] = 2; });
    }
    if (solves(mpm_options(legal).integrator)) {
      refused(legal, "newton_tolerance 1", [](Scene& s) { mpm_options(s).implicit.newton_tolerance = 1.0; });
      refused(legal, "gmres_tolerance 0", [](Scene& s) { mpm_options(s).implicit.gmres_tolerance = 0.0; });
      refused(legal, "no newton_iterations", [](Scene& s) { mpm_options(s).implicit.newton_iterations = 0; });
      refused(legal, "no gmres_restart", [](Scene& s) { mpm_options(s).implicit.gmres_restart = 0; });
      refused(legal, "no gmres_iterations", [](Scene& s) { mpm_options(s).implicit.gmres_iterations = 0; });
      refused(legal, "negative step_cuts", [](Scene& s) { mpm_options(s).implicit.step_cuts = -1; });
      refused(legal, "after_friction in implicit steps",
              [](Scene& s) { mpm_options(s).motion = ParticleMotion::after_friction; });
    }
  }
}

/// Water has a grid to itself and explicit steps, and its two numbers are positive.
void waters_that_are_refused(int dim, Ledger& ledger) {
  ledger.needs("wrong waters", 10);
  const Scene legal = drawn_scene(6, dim);
  ledger.holds("taken: a scene of water", is_water(legal) && !scene_refused(legal));
  const auto refused = [&](const std::string& what, const Change& change) {
    Scene wrong = legal;
    change(wrong);
    ledger.holds("refused: " + what, scene_refused(wrong));
    ledger.saw("wrong waters");
  };
  for (const double value :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    refused(fmt::format("water_stiffness {}", value),
            [&](Scene& s) { s.materials[1].water_stiffness = value; });
    refused(fmt::format("water_gamma {}", value), [&](Scene& s) { s.materials[1].water_gamma = value; });
  }
  for (const int k : {0, 2})
    refused("sand beside water", [&](Scene& s) {
      s.materials[static_cast<std::size_t>(k)] = drawn_scene(4, dim).materials[static_cast<std::size_t>(k)];
    });
  for (const Integrator integrator : {Integrator::semi_implicit, Integrator::implicit_}) {
    Scene solved = legal;
    mpm_options(solved).motion = ParticleMotion::before_friction;
    mpm_options(solved).integrator = integrator;
    ledger.holds("taken: water in steps that are solved", !scene_refused(solved));
  }
}

/// Solids thinner than 2 h along their shortest extent are warned of, thicker and hollow ones and half-spaces are not.
void thin_solids(int dim, Ledger& ledger) {
  ledger.needs("solids", 50);
  Dice dice(121);
  for (int n = 0; n < 60; ++n) {
    Scene scene;
    scene.grid = {.dim = dim, .h = dice.between(0.05, 0.2), .cells = {10, 10, dim == 3 ? 10 : 1}};
    Collider solid;
    solid.name = "solid";
    solid.shape = random_shape(static_cast<Kind>(n % 4), dice, dim);
    solid.hollow = n % 5 == 0 && n % 4 != 0;
    scene.colliders = {solid};
    double thickness = std::numeric_limits<double>::infinity();
    // The shortest extent of a convex symmetric body is twice the distance of its surface from its centre.
    if (n % 4 != 0 && !solid.hollow) {
      const Surface surface = surface_of(solid.shape, dim);
      thickness = 2.0 * searched_distance(surface, surface.centre, dim);
    }
    if (std::abs(thickness - 2.0 * scene.grid.h) < 1e-6) continue;
    ledger.equal("warnings", static_cast<double>(warnings(scene).size()),
                 thickness < 2.0 * scene.grid.h ? 1.0 : 0.0);
    ledger.saw("solids");
  }
}

}  // namespace

void add_refusals(std::vector<Invariant>& all) {
  all.push_back({"scenes_that_are_refused",
                 "what the tables of SCENES.md do not allow, one value at a time",
                 "scenes",
                 {2, 3},
                 scenes_that_are_refused});
  all.push_back({"waters_that_are_refused",
                 "water beside sand, in steps that are solved, or without a stiffness",
                 "scenes",
                 {2, 3},
                 waters_that_are_refused});
  all.push_back(
      {"thin_solids", "solids thinner than two cells are warned of", "scenes", {2, 3}, thin_solids});
}

}  // namespace repose::invariants
