#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/case_scenes.h"

#include <cmath>

namespace repose::crosscheck {

namespace {

/// A cone whose tip lies at a strain of about one per cent.
Material cohesive(Material m, double cohesion) {
  m.cohesion = cohesion;
  return m;
}

/// e_c of a material that has not hardened.
double tip_of(const Case& c, std::size_t material) {
  return tip_before_hardening(c.scene.materials.at(material), c.setup.dim).value_or(ConeTip{}).trace;
}

Point in_case(const Case& c, Point strain) {
  if (c.setup.dim < 3) strain[2] = 0.0;
  return strain;
}

void deal_materials(Case& c, std::size_t every) {
  const std::size_t count = c.scene.materials.size();
  for (std::size_t p = 0; p < c.start.particles(); ++p)
    c.start.get(field::material).value[p] = static_cast<double>(p / every % count);
}

/// Dry, cohesive and hardening, and frictionless sand; besides the usual mixture of strains tension that cohesion bears.
void lay_out_cohesive(Case& c, double size) {
  Material wet = cohesive(hardening_sand(), 900.0);
  wet.name = "wet";
  wet.volume_correction = true;
  Material clay = cohesive(sand(0.0), 2500.0);
  clay.name = "clay";
  clay.von_mises = true;
  lay_out(c, {cohesive(sand(30.0), 1800.0), wet, clay});
  block(c);
  mix_strains(c, size, 3);
  deal_materials(c, 4);
  Random random(11);
  for (std::size_t p = 3; p < c.start.particles(); p += 4) {
    const double tip = tip_of(c, p / 4 % 3);
    const double share = random.between(0.05, 0.95);
    const double shear = random.between(-1.0, 1.0) * (1.0 - share) * 1.5e-3;
    const double mean = (tip > 0.0 ? share * tip : 0.01) / c.setup.dim;
    set_stretch(c, p, in_case(c, Point(mean + shear, mean - shear, mean)), random);
  }
}

void cohesive_states(Case& c) {
  lay_out_cohesive(c, 0.05);
  shake(c, Point(0.2, -0.3, 0.1), 0.3, 3.0, 2);
  randomize(c, field::q, 0.0, 1.0, 5);
  randomize(c, field::v_c, 0.0, 0.008, 6);
  for (std::size_t p = 0; p < c.start.particles(); ++p)
    if (p / 4 % 3 != 1 || p % 4 == 1)
      c.start.get(field::v_c).value[p] = 0.0;  // a gap closes before sand shears
  for (const char* k : {"0", "1", "2"}) c.needs.push_back({std::string("material ") + k + " surface", 10});
  for (const char* k : {"0", "1"}) c.needs.push_back({std::string("material ") + k + " tip", 10});
  for (const char* word : {"cohesive inside", "tension borne"}) c.needs.push_back({word, 30});
}

/// Grains that are apart by v_c close their gap by a part of it, by all of it with or without shear, or open it further.
void volume_given_back(Case& c) {
  Material dry = hardening_sand();
  dry.name = "dry";
  Material wet = cohesive(hardening_sand(), 900.0);
  wet.name = "wet";
  Material both_ways = sand(30.0);
  both_ways.name = "both ways";
  both_ways.hardening_apart = HardeningApart::opening_and_closing;
  for (Material* m : {&dry, &wet, &both_ways}) m->volume_correction = true;
  lay_out(c, {dry, wet, both_ways});
  block(c);
  shake(c, Point::Zero(), 0.2, 2.0, 2);
  randomize(c, field::q, 0.0, 1.0, 5);
  randomize(c, field::v_c, 0.01, 0.03, 6);
  deal_materials(c, 4);
  Random random(12);
  for (std::size_t p = 0; p < c.start.particles(); ++p) {
    const double gap = c.start.get(field::v_c).value[p];
    const double part = random.between(0.2, 0.8);
    const double shear = random.between(0.2, 1.0) * gap;
    const double trace = p % 4 == 0 ? -part * gap : p % 4 == 3 ? part * gap : -(1.0 + part) * gap;
    const double across = p % 4 == 1 ? 0.02 * shear : shear;
    const double mean = tip_of(c, p / 4 % 3) / c.setup.dim + trace / c.setup.dim;
    set_stretch(c, p, in_case(c, Point(mean + across, mean - across, mean)), random);
  }
  c.needs = {{"inside", 10},
             {"surface", 10},
             {"cohesive tip", 10},
             {"volume given back", 50},
             {"volume given back in part", 30},
             {"cohesive volume given back", 30},
             {"cohesive volume given back in part", 15},
             {"gaps that close", 30}};
}

void unilateral_regions(Case& c) {
  lay_out_regions(c);
  c.needs = {{"region A", 30}, {"region B", 60}, {"region C", 30}, {"elastic", 30}};
  for (const char* side : {"below z = 0", "above z = 0", "below z = 1", "above z = 1"})
    c.needs.push_back({side, 5});
}

void implicit_cohesion(Case& c) {
  lay_out_cohesive(c, 0.02);
  shake(c, Point(0.4, -0.3, 0.2), 0.2, 2.0, 2);
  randomize(c, field::v_c, 0.0, 0.01, 6);
  for (std::size_t p = 0; p < c.start.particles(); ++p)
    if (p / 4 % 3 != 1) c.start.get(field::v_c).value[p] = 0.0;
  step_implicitly(c);
  for (const char* word :
       {"cohesive inside", "cohesive surface", "cohesive tip", "tension borne", "probe tip"})
    c.needs.push_back({word, 10});
}

}  // namespace

/// Strains before, in and behind the fall of the multiplier, also close to its ends, with a shift that follows the tip of
/// each particle's own cone, with a given one, and with none.
void lay_out_regions(Case& c) {
  Material plain = sand(30.0);
  plain.unilateral = Unilateral{.a = -0.02, .b = 0.0, .c0 = 0.8};
  Material wet = cohesive(hardening_sand(), 900.0);
  wet.name = "wet";
  wet.unilateral = Unilateral{.a = -2.5, .b = 0.0, .c0 = 0.3, .s_C = {}, .strain_unit = 0.01};
  Material given = sand(25.0);
  given.name = "given";
  given.volume_correction = true;
  given.unilateral = Unilateral{.a = -0.03, .b = 0.004, .c0 = 1.1, .s_C = 0.006};
  Material elastic = rubber(0.3);
  lay_out(c, {plain, wet, given, elastic});
  mpm_options(c.scene).energy = Energy::unilateral;
  block(c);
  shake(c, Point(0.2, -0.3, 0.1), 0.3, 3.0, 2);
  mix_strains(c, 0.025, 3);
  randomize(c, field::q, 0.0, 1.0, 5);
  deal_materials(c, 8);
  Random random(13);
  for (std::size_t p = 0; p < c.start.particles(); ++p) {
    const std::size_t k = p / 8 % 4;
    if (k == 3 || p % 8 < 4) continue;
    // On the axis of equal strains, where z is known by itself: beside either end, and in between.
    const Unilateral& of = *c.scene.materials[k].unilateral;
    if (k == 1) c.start.get(field::q).value[p] = 0.0;
    const double root = std::sqrt(static_cast<double>(c.setup.dim));
    const double s_C = of.s_C.value_or(tip_of(c, k) / root / of.strain_unit);
    const double off = random.between(1e-3, 8e-3);
    const double inner = random.between(0.1, 0.9);
    const double z = p % 8 == 4   ? -off
                     : p % 8 == 5 ? off
                     : p % 8 == 6 ? 1.0 - off
                                  : (p / 64 % 2 ? 1.0 + off : inner);
    const double u = of.a + s_C + z * (of.b - of.a);
    set_stretch(c, p, in_case(c, Point::Constant(u * of.strain_unit / root)), random);
  }
}

void add_cohesion(std::vector<Scenario>& all) {
  all.push_back({"cohesive_states", "cones with a tip in tension, hardening ones, and one without a tip",
                 cohesive_states});
  all.push_back({"volume_given_back",
                 "gaps between grains close in part and wholly, with and without cohesion",
                 volume_given_back});
  all.push_back({"unilateral_regions",
                 "strains in all regions of the unilateral energy and close to their borders",
                 unilateral_regions});
  all.push_back({"implicit_cohesion", "the cohesive cones in an implicit solve", implicit_cohesion});
}

}  // namespace repose::crosscheck
