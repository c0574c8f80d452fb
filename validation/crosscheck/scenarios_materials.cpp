#include "validation/crosscheck/case_scenes.h"

#include <cmath>

namespace repose::crosscheck {

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
                   Material rubber = sand(0.0);
                   rubber.name = "rubber";
                   rubber.law = Law::elastic;
                   rubber.density = 1100.0;
                   rubber.poisson_ratio = 0.45;
                   Material corrected = hardening_sand();
                   corrected.volume_correction = true;
                   lay_out(c, {sand(25.0), rubber, corrected});
                   block(c);
                   shake(c, Point(0.5, 0.0, 0.0), 0.3, 3.0, 2);
                   mix_strains(c, 0.03, 3);
                   for (std::size_t p = 0; p < c.start.particles(); ++p)
                     c.start.get(field::material).value[p] = static_cast<double>(p / 5 % 3);
                   c.needs = {{"inside", 10}, {"tip", 10}, {"surface", 10}, {"elastic", 30}};
                 }});
  all.push_back({"nearly_equal_stretches", "singular values that differ by 10^-17 to 10^-3", [](Case& c) {
                   lay_out(c, {sand(30.0)});
                   block(c);
                   Random random(7);
                   for (std::size_t p = 0; p < c.start.particles(); ++p) {
                     const double volume = random.between(-0.1, 0.02);
                     const double gap = std::pow(10.0, random.between(-17.0, -3.0));
                     set_stretch(c, p, Point::Constant(volume) + gap * Point(1.0, 0.0, -0.5), random);
                   }
                   c.needs = {{"inside", 30}, {"tip", 10}};
                 }});
  all.push_back({"large_stretches", "strains of order 1", [](Case& c) {
                   Material soft = sand(35.0);
                   soft.youngs_modulus = 2e3;
                   lay_out(c, {soft});
                   block(c);
                   shake(c, Point::Zero(), 0.3, 3.0, 2);
                   mix_strains(c, 1.0, 3);
                   c.needs = {{"inside", 10}, {"tip", 30}, {"surface", 30}};
                 }});
}

}  // namespace repose::crosscheck
