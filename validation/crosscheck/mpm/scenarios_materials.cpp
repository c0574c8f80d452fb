#include "reference/interface/methods/mpm.h"
#include "validation/crosscheck/mpm/case_scenes.h"

#include <cmath>

namespace repose::crosscheck {

namespace {

/// So soft that no stress moves anything: with neither motion nor gravity F_trial is F but for its last digit.
Material softest(double friction_degrees) {
  Material m = sand(friction_degrees);
  m.youngs_modulus = 1e-12;
  return m;
}

/// Groups of particles by turns: all pairs of stretches nearly equal inside, at the tip, on the surface of a cone that has
/// no width, and of an elastic body; two of three nearly equal on the surface; all around the tip of the cone, where
/// the trace is as small as the gaps. One step alone: where it puts them, rounding decides all cases of the next.
void nearly_equal_stretches(Case& c) {
  c.share_of_ties =
      0.25;  // strains at the cone's tip, and any at a friction angle of 0, lie on a border on purpose
  Material elastic = softest(0.0);
  elastic.name = "rubber";
  elastic.kind = MaterialKind::elastic;
  Material flat = softest(0.0);
  flat.name = "flat";
  lay_out(c, {softest(30.0), flat, elastic});
  c.scene.gravity.setZero();
  block(c);
  Random random(7);
  for (std::size_t p = 0; p < c.start.particles(); ++p) {
    const double volume = random.between(0.01, 0.1);
    const double gap = std::pow(10.0, random.between(-17.0, -3.0));
    const double second = random.between(-1.0, 1.0);
    const double third = random.between(-1.0, 1.0);
    const Point apart = gap * Point(1.0, second, third);
    double material = 0.0;
    Point eps = apart - Point::Constant(volume);
    switch (p % 6) {
      case 0:
        break;
      case 1:
        eps = apart + Point::Constant(volume);
        break;
      case 2:
        material = 1.0;
        break;
      case 3:
        material = 2.0;
        break;
      case 4:
        eps += 3.0 * volume * Point(1.0, c.setup.dim > 2 ? -0.5 : -1.0, -0.5);
        break;
      default:
        eps = apart;
    }
    c.start.get(field::material).value[p] = material;
    set_stretch(c, p, eps, random);
  }
  c.steps = 1;
  // A float holds strains of 1 to 10 percent to 10⁻⁹: gaps below are rounding to it.
  for (const char* word : {"inside", "tip", "elastic"}) {
    c.needs.push_back({std::string("equal ") + word, 3});
    for (const char* gap_size : {"1e-9 ", "1e-6 "}) c.needs.push_back({std::string(gap_size) + word, 3});
    if (c.setup.precision == Precision::double_) c.needs.push_back({std::string("1e-12 ") + word, 3});
  }
  for (const char* gap_size : {"1e-9 surface", "1e-6 surface"}) c.needs.push_back({gap_size, 3});
  c.needs.push_back({"apart surface", c.setup.dim > 2 ? 0.0 : 10.0});
}

/// Hydrostatic strains, which stay exactly so: on both sides of a cone's tip, and of sand without friction apart, where the
/// distance to its cone is 0 in all digits.
void hydrostatic_tension(Case& c) {
  Material flat = softest(0.0);
  flat.name = "flat";
  lay_out(c, {softest(30.0), flat});
  c.scene.gravity.setZero();
  fill_block(c, {5, 4, 5}, {6, 5, 6}, 3, 9);
  Random random(4);
  for (std::size_t p = 0; p < c.start.particles(); ++p) {
    const double stretch = std::exp(random.between(0.001, 0.1) * (p % 4 == 0 ? -1.0 : 1.0));
    Field& F = c.start.get(field::F);
    const auto size = static_cast<std::size_t>(F.components);
    for (std::size_t i = 0; i < size; ++i) F.value[p * size + i] *= stretch;
    c.start.get(field::material).value[p] = static_cast<double>(p % 2);
  }
  c.steps = 1;
  c.needs = {{"tip", 6}, {"inside", 3}};
}

}  // namespace

void add_materials(std::vector<Scenario>& all) {
  all.push_back({"mixed_states", "cases I, II and III side by side, with nearly equal stretches among them",
                 [](Case& c) {
                   lay_out(c, {sand(30.0)});
                   block(c);
                   shake(c, Point(0.4, -0.3, c.setup.dim > 2 ? 0.2 : 0.0), 0.5, 5.0, 2);
                   mix_strains(c, 0.05, 3);
                   c.needs = {{"inside", 30}, {"tip", 30}, {"surface", 30}};
                 }});
  all.push_back({"hydrostatic_compression", "equal compression in all directions stays elastic", [](Case& c) {
                   // So soft that no force moves anything: the strain stays exactly hydrostatic.
                   Material soft = sand(30.0);
                   soft.youngs_modulus = 1e-12;
                   lay_out(c, {soft});
                   c.scene.gravity.setZero();
                   block(c);
                   Random random(4);
                   for (std::size_t p = 0; p < c.start.particles(); ++p) {
                     const double stretch = std::exp(random.between(-0.2, -0.01));
                     Field& F = c.start.get(field::F);
                     const auto size = static_cast<std::size_t>(F.components);
                     for (std::size_t i = 0; i < size; ++i) F.value[p * size + i] *= stretch;
                   }
                   c.needs = {{"inside", 200}};
                 }});
  all.push_back(
      {"frictionless_tension", "a material of friction angle 0 releases tension and all shear", [](Case& c) {
         lay_out(c, {sand(0.0)});
         block(c);
         shake(c, Point::Zero(), 0.2, 2.0, 2);
         mix_strains(c, 0.03, 3);
         c.needs = {{"tip", 30}, {"surface", 30}};
       }});
  all.push_back({"hardening", "the friction angle follows the plastic strain", [](Case& c) {
                   lay_out(c, {hardening_sand()});
                   block(c);
                   shake(c, Point::Zero(), 0.3, 3.0, 2);
                   mix_strains(c, 0.05, 3);
                   randomize(c, field::q, 0.0, 3.0, 5);
                   c.needs = {{"tip", 30}, {"surface", 30}};
                 }});
  all.push_back({"volume_correction", "gained volume is kept and consumed, with hardening", [](Case& c) {
                   Material m = hardening_sand();
                   m.volume_correction = true;
                   lay_out(c, {m});
                   block(c);
                   shake(c, Point::Zero(), 0.3, 3.0, 2);
                   mix_strains(c, 0.05, 3);
                   randomize(c, field::v_c, 0.0, 0.03, 6);
                   randomize(c, field::q, 0.0, 1.0, 5);
                   c.needs = {{"inside", 10}, {"tip", 30}, {"surface", 30}, {"volume correction", 100}};
                 }});
  all.push_back({"three_materials", "two sands and an elastic body share nodes", [](Case& c) {
                   Material light = rubber(0.45);
                   light.density = 1100.0;
                   Material corrected = hardening_sand();
                   corrected.volume_correction = true;
                   lay_out(c, {sand(25.0), light, corrected});
                   block(c);
                   shake(c, Point(0.5, 0.0, 0.0), 0.3, 3.0, 2);
                   mix_strains(c, 0.03, 3);
                   for (std::size_t p = 0; p < c.start.particles(); ++p)
                     c.start.get(field::material).value[p] = static_cast<double>(p / 5 % 3);
                   c.needs = {{"inside", 10}, {"tip", 10}, {"surface", 10}, {"elastic", 30}};
                 }});
  all.push_back({"nearly_equal_stretches",
                 "principal strains of the trial state that differ by 10^-17 to 10^-3, in every plastic case",
                 nearly_equal_stretches});
  all.push_back({"large_stretches", "strains of order 1", [](Case& c) {
                   Material soft = sand(35.0);
                   soft.youngs_modulus = 2e3;
                   lay_out(c, {soft});
                   block(c);
                   shake(c, Point::Zero(), 0.3, 3.0, 2);
                   mix_strains(c, 1.0, 3);
                   // Some pressed to a thirtieth of their length along an axis.
                   Random random(7);
                   for (std::size_t p = 0; p < c.start.particles(); p += 9)
                     set_stretch(c, p, Point(-3.5, random.between(-1.0, 0.0), -0.3), random);
                   c.needs = {{"inside", 10}, {"tip", 30}, {"surface", 30}};
                 }});
  all.push_back({"steep_sands",
                 "friction angles from 43 to 80 degrees, and one that starts lower than it ends",
                 [](Case& c) {
                   Material weak = sand(50.0);
                   weak.name = "weak at first";
                   weak.friction.h2 = 0.4;
                   weak.friction.h3 = 40.0 * degree;
                   Material steep = sand(80.0);
                   steep.name = "steep";
                   lay_out(c, {weak, steep});
                   block(c);
                   shake(c, Point(0.2, -0.3, 0.0), 0.4, 4.0, 2);
                   mix_strains(c, 0.05, 3);
                   randomize(c, field::q, 0.0, 4.0, 5);
                   Random random(8);
                   for (std::size_t p = 0; p < c.start.particles(); ++p) {
                     c.start.get(field::material).value[p] = static_cast<double>(p % 3 == 0 ? 1 : 0);
                     const double volume = random.between(0.005, 0.03);
                     const double shear = random.between(0.05, 0.2);
                     if (p % 2 == 0)
                       set_stretch(c, p, shear * Point(1.0, -1.0, 0.2) - Point::Constant(volume), random);
                   }
                   c.needs = {{"material 0 surface", 30},
                              {"material 1 surface", 30},
                              {"surface beyond 43 degrees", 30},
                              {"surface with h1 = 0 < h3", 30}};
                 }});
  all.push_back({"own_laws", "three sands that differ in every number, among each other", [](Case& c) {
                   Material light = sand(20.0);
                   light.name = "light";
                   light.density = 900.0;
                   light.youngs_modulus = 9e4;
                   light.poisson_ratio = 0.1;
                   Material heavy = hardening_sand();
                   heavy.name = "heavy";
                   heavy.density = 3100.0;
                   heavy.poisson_ratio = 0.42;
                   heavy.friction.h2 = 0.7;
                   heavy.volume_correction = true;
                   Material rising = sand(0.0);
                   rising.name = "rising";
                   rising.friction.h1 = 20.0 * degree;
                   rising.friction.h2 = 0.2;
                   lay_out(c, {light, heavy, rising});
                   block(c);
                   shake(c, Point(-0.4, 0.3, 0.0), 0.4, 4.0, 2);
                   mix_strains(c, 0.05, 3);
                   randomize(c, field::q, 0.0, 2.0, 5);
                   for (std::size_t p = 0; p < c.start.particles(); ++p)
                     c.start.get(field::material).value[p] = static_cast<double>(p / 2 % 3);
                   for (const char* k : {"0", "1", "2"})
                     for (const char* word : {" tip", " surface"})
                       c.needs.push_back({std::string("material ") + k + word, 10});
                 }});
}

void add_hydrostatic(std::vector<Scenario>& all) {
  all.push_back({"hydrostatic_tension",
                 "equal stretches in all directions end at the tip, without friction too",
                 hydrostatic_tension});
}

}  // namespace repose::crosscheck
