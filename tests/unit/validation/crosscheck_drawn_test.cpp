#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/crosscheck/cases.h"
#include "validation/crosscheck/mpm/case_drawn.h"
#include "validation/crosscheck/mpm/setup.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace {

using namespace repose;
using namespace repose::crosscheck;

std::vector<Case> drawn_cases() {
  std::vector<Case> result;
  for (const CaseName& name : case_names())
    if (name.scenario.rfind("drawn_", 0) == 0) result.push_back(make_case(name.scenario, name.setup));
  return result;
}

void note_material(const Material& m, std::map<std::string, int>& seen) {
  if (m.kind == MaterialKind::elastic) {
    ++seen["elastic material"];
    return;
  }
  if (m.kind == MaterialKind::water) {
    ++seen[m.water_tension ? "water" : "water without tension"];
    return;
  }
  const FrictionLaw& f = m.friction;
  const auto zero_or_not = [&](const char* name, double value) {
    ++seen[(value == 0.0 ? "no " : "some ") + std::string(name)];
  };
  zero_or_not("h0", f.h0);
  zero_or_not("h1", f.h1);
  zero_or_not("h2", f.h2);
  zero_or_not("h3", f.h3);
  if (f.h1 == 0.0 && f.h3 > 0.0) ++seen["h1 = 0 < h3"];
  if (largest_friction_angle(f) > 43.0 * degree) ++seen["steep sand"];
  if (m.volume_correction) ++seen["volume correction"];
  ++seen[m.cohesion > 0.0 ? "wet" : "dry"];
  if (m.volume_correction)
    ++seen[m.hardening_apart == HardeningApart::opening ? "hardens opening" : "hardens both ways"];
  if (m.unilateral) {
    ++seen[m.unilateral->s_C ? "given shift" : "shift of the tip"];
    ++seen[m.unilateral->strain_unit == 1.0 ? "plain strain" : "per cent"];
  }
}

void note_body(const Collider& body, std::map<std::string, int>& seen) {
  constexpr const char* shapes[] = {"half-space", "box", "sphere", "cylinder"};
  constexpr const char* contacts[] = {"sticky", "slipping", "separating"};
  const std::string contact = contacts[static_cast<std::size_t>(body.contact)];
  ++seen[contact + " " + shapes[body.shape.index()]];
  if (body.hollow) ++seen["hollow " + contact];
  if (!body.spin.isZero(0.0)) ++seen["spinning " + contact];
  if (!body.velocity.isZero(0.0)) ++seen["moving " + contact];
  if (body.contact == Contact::sticky) return;
  ++seen[body.friction > 0.0 ? "rough" : "smooth"];
  if (body.friction_from_push_only && body.contact == Contact::slipping) ++seen["friction from pushes alone"];
}

/// Tens of degrees between the normals of two planes at the case's start.
void note_angles(const Case& c, std::map<std::string, int>& seen) {
  std::vector<Point> normals;
  for (const Collider& body : c.scene.colliders)
    if (std::holds_alternative<HalfSpace>(body.shape))
      normals.push_back(signed_distance(body, Point::Zero(), c.start.time, c.scene.grid).normal);
  for (std::size_t a = 0; a < normals.size(); ++a)
    for (std::size_t b = a + 1; b < normals.size(); ++b) {
      const double angle = std::acos(std::clamp(normals[a].dot(normals[b]), -1.0, 1.0));
      ++seen[angle < 85.0 * degree ? "acute walls" : angle > 95.0 * degree ? "obtuse walls" : "square walls"];
    }
}

/// Planes along an axis, at rest, that stand on planes of nodes.
void note_walls_on_nodes(const Case& c, std::map<std::string, int>& seen) {
  const Grid& grid = c.scene.grid;
  for (const Collider& body : c.scene.colliders) {
    const auto* plane = std::get_if<HalfSpace>(&body.shape);
    if (plane == nullptr) continue;
    Eigen::Index axis = 0;
    const bool along = plane->normal.cwiseAbs().maxCoeff(&axis) == 1.0;
    const double cells = (plane->point[axis] - grid.domain_min[axis]) / grid.h;
    ++seen[along && std::abs(cells - std::round(cells)) < surface_tolerance ? "wall on nodes"
                                                                            : "wall off nodes"];
  }
}

void note_border(const Case& c, std::map<std::string, int>& seen) {
  const Field& x = c.start.get(field::x);
  const auto d = static_cast<std::size_t>(c.scene.dim());
  for (std::size_t a = 0; a < d; ++a) {
    const auto axis = static_cast<Eigen::Index>(a);
    bool low = false;
    bool high = false;
    for (std::size_t p = 0; p < c.start.particles(); ++p) {
      low = low || x.value[p * d + a] == c.scene.grid.domain_min[axis];
      high = high || x.value[p * d + a] == c.scene.grid.domain_max()[axis];
    }
    if (low) ++seen[std::string("border low ") + "xyz"[a]];
    if (high) ++seen[std::string("border high ") + "xyz"[a]];
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crosscheck_drawn)

BOOST_AUTO_TEST_CASE(drawn_scenes_hold_every_feature) {
  std::map<std::string, int> seen;
  for (const Case& c : drawn_cases()) {
    for (const Material& m : c.scene.materials) note_material(m, seen);
    for (const Collider& body : c.scene.colliders) note_body(body, seen);
    for (const Need& need : c.needs) ++seen["needs " + need.counter];
    note_angles(c, seen);
    note_walls_on_nodes(c, seen);
    note_border(c, seen);
    ++seen[std::to_string(c.scene.materials.size()) + " materials"];
    ++seen[std::to_string(c.scene.colliders.size()) + " bodies"];
    if (c.start.time != 0.0) ++seen["later"];
    ++seen[mpm_options(c.scene).energy == Energy::unilateral ? "unilateral" : "hencky"];
    if (mpm_options(c.scene).motion == ParticleMotion::after_friction) ++seen["moved after friction"];
    for (int a = 0; a < c.scene.dim(); ++a)
      ++seen[std::string(c.scene.gravity[a] > 0.0 ? "gravity up " : "gravity down ") + "xyz"[a]];
    if (transfer_of(c.setup) == Transfer::flip_pic && mpm_options(c.scene).flip_share < 0.9)
      ++seen["other share of FLIP"];
  }
  std::vector<std::string> features{"elastic material",
                                    "water",
                                    "water without tension",
                                    "needs water crushed",
                                    "needs water close to rest",
                                    "needs water that lets go",
                                    "h1 = 0 < h3",
                                    "steep sand",
                                    "volume correction",
                                    "wet",
                                    "dry",
                                    "hardens opening",
                                    "hardens both ways",
                                    "unilateral",
                                    "hencky",
                                    "given shift",
                                    "shift of the tip",
                                    "plain strain",
                                    "per cent",
                                    "rough",
                                    "smooth",
                                    "friction from pushes alone",
                                    "acute walls",
                                    "obtuse walls",
                                    "wall on nodes",
                                    "wall off nodes",
                                    "later",
                                    "moved after friction",
                                    "other share of FLIP"};
  for (const char* h : {"h0", "h1", "h2", "h3"})
    for (const char* some : {"no ", "some "}) features.push_back(std::string(some) + h);
  for (const char* contact : {"sticky", "slipping", "separating"}) {
    for (const char* what : {"hollow ", "spinning ", "moving "})
      features.push_back(std::string(what) + contact);
    for (const char* shape : {" half-space", " box", " sphere", " cylinder"})
      features.push_back(std::string(contact) + shape);
  }
  for (const char axis : {'x', 'y', 'z'})
    for (const char* what : {"border low ", "border high ", "gravity up ", "gravity down "})
      features.push_back(std::string(what) + axis);
  for (int n = 1; n <= 4; ++n) {
    features.push_back(std::to_string(n) + " bodies");
    if (n < 4) features.push_back(std::to_string(n) + " materials");
  }
  for (const std::string& feature : features) BOOST_TEST(seen[feature] > 0, feature);
}

/// What runs of `repose verify` mistrust where it does not happen.
BOOST_AUTO_TEST_CASE(drawn_cases_need_each_body_to_be_met_and_each_material_to_yield) {
  for (const Case& c : drawn_cases()) {
    const auto needs = [&](const std::string& counter) {
      return std::any_of(c.needs.begin(), c.needs.end(),
                         [&](const Need& need) { return need.counter == counter && need.least >= 1.0; });
    };
    for (std::size_t k = 0; k < c.scene.colliders.size(); ++k)
      BOOST_TEST(needs("contacts with body " + std::to_string(k)), c.name);
    for (std::size_t k = 0; k < c.scene.materials.size(); ++k) {
      constexpr const char* words[] = {" surface", " elastic", " compressed"};
      const auto kind = static_cast<std::size_t>(c.scene.materials[k].kind);
      BOOST_TEST(needs("material " + std::to_string(k) + words[kind]), c.name);
    }
  }
}

BOOST_AUTO_TEST_CASE(drawn_scenes_are_such_as_a_scene_file_may_hold) {
  for (const Case& c : drawn_cases()) {
    Scene scene = c.scene;
    for (const Collider& body : scene.colliders) {
      if (const auto* plane = std::get_if<HalfSpace>(&body.shape))
        BOOST_TEST(std::abs(plane->normal.norm() - 1.0) <= 1e-12, c.name);
      if (const auto* cylinder = std::get_if<Cylinder>(&body.shape))
        BOOST_TEST(std::abs(cylinder->axis.norm() - 1.0) <= 1e-12, c.name);
      BOOST_TEST(!(body.hollow && std::holds_alternative<HalfSpace>(body.shape)), c.name);
    }
    // Nothing is sampled from it here; a scene file has one.
    const Point middle = 0.5 * (scene.grid.domain_min + scene.grid.domain_max());
    scene.seeds = {
        {.name = "seed",
         .shape = Sphere{Point(middle[0], middle[1], c.setup.dim > 2 ? middle[2] : 0.0), scene.grid.h}}};
    scene.colliders.clear();
    // Solvers are asked about fresh sand without any friction, which a file must give some.
    for (Material& m : scene.materials)
      if (m.friction.h0 == m.friction.h3) m.friction.h0 += 1e-3;
    BOOST_CHECK_NO_THROW(validate(scene));
  }
}

BOOST_AUTO_TEST_CASE(a_seed_gives_the_same_scene_again_and_another_seed_another) {
  const Setup setup = MpmSetup{.dim = 3, .kernel = Kernel::cubic};
  const auto state = [&](std::uint64_t seed) {
    Case c;
    c.setup = setup;
    draw_scene(c, {.materials = 2, .bodies = 2, .first = 3, .border = -1}, seed);
    return c;
  };
  const Case one = state(5);
  const Case same = state(5);
  const Case other = state(6);
  for (const Field& field : one.start.fields)
    BOOST_TEST((same.start.get(field.name).value == field.value), field.name);
  BOOST_TEST((same.scene.gravity == one.scene.gravity));
  BOOST_TEST((other.scene.gravity != one.scene.gravity));
  BOOST_TEST((other.start.get(field::v).value != one.start.get(field::v).value));
}

BOOST_AUTO_TEST_SUITE_END()
