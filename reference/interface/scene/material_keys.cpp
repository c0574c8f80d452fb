#include "reference/interface/scene/material_keys.h"

#include "reference/interface/scene/key_kinds.h"

namespace repose {

namespace {

using kind::Angle;
using kind::Choice;
using kind::Flag;
using kind::Name;
using kind::Number;

bool is_sand(const Material& material, const Setting&) { return material.kind == MaterialKind::sand; }
bool is_cohesive(const Material& material, const Setting&) {
  return material.kind == MaterialKind::sand && material.cohesion > 0.0;
}
bool keeps_volume(const Material& material, const Setting&) {
  return material.kind == MaterialKind::sand && material.volume_correction;
}
bool is_solid(const Material& material, const Setting&) { return material.kind != MaterialKind::water; }
bool is_of_water(const Material& material, const Setting&) { return material.kind == MaterialKind::water; }
bool is_elastic_at_all(const Material& material, const Setting&) { return material.youngs_modulus != 0.0; }

/// The ways in which scenes give a friction angle.
enum class Form { angle, alpha, hardening };

Form form_of(const FrictionLaw& law) {
  if (law.narain_alpha) return Form::alpha;
  return law.h1 == 0.0 && law.h2 == 0.0 && law.h3 == 0.0 ? Form::angle : Form::hardening;
}

const Keys<FrictionLaw>& keys_of(Form form) {
  static const Keys<FrictionLaw> angle{
      key("friction_angle", &FrictionLaw::h0, Angle{rule::friction_angle}, required,
          "constant friction angle φ of sand; or `friction_alpha`, or the four keys of hardening"),
  };
  static const Keys<FrictionLaw> alpha{
      key("friction_alpha", &FrictionLaw::narain_alpha, kind::OptionalNumber(rule::friction_alpha), required,
          "the same as the α of Narain et al.: sin φ = √(3/2) α"),
  };
  static const Keys<FrictionLaw> hardening{
      key("h0", &FrictionLaw::h0, Angle{rule::friction_angle}, required,
          "hardening: φ(q) = h0 + (h1 q − h3) exp(−h2 q), h0 > h3, below 90° for every q ≥ 0"),
      key("h1", &FrictionLaw::h1, Angle{rule::non_negative_angle}, required, ""),
      key("h2", &FrictionLaw::h2, Number(rule::non_negative), required, ""),
      key("h3", &FrictionLaw::h3, Angle{rule::friction_angle}, required, "φ(0) = h0 − h3"),
  };
  return form == Form::angle ? angle : form == Form::alpha ? alpha : hardening;
}

constexpr Form forms[] = {Form::angle, Form::alpha, Form::hardening};

/// Friction of sand: the keys of one of the forms.
struct Friction {
  using Value = FrictionLaw;

  std::vector<Spelling> spellings(std::string_view) const {
    std::vector<Spelling> all;
    for (const Form form : forms)
      for (const auto& one : keys_of(form)) all.insert(all.end(), one.spellings.begin(), one.spellings.end());
    return all;
  }
  std::vector<KeyRow> rows(const KeyRow&) const {
    std::vector<KeyRow> all;
    for (const Form form : forms)
      for (KeyRow row : rows_of(keys_of(form))) {
        row.is_required = false;
        all.push_back(std::move(row));
      }
    return all;
  }
  FrictionLaw read(TomlTable& table, const std::string&, const Setting& setting) const {
    FrictionLaw law;
    const Form form = form_in(table);
    read_keys(keys_of(form), table, law, setting);
    if (law.narain_alpha) law.h0 = angle_of_narain_alpha(*law.narain_alpha);
    return law;
  }
  void check(const ScenePart& part, const std::string&, const FrictionLaw& law,
             const Setting& setting) const {
    check_keys(keys_of(form_of(law)), part, law, setting);
  }
  void write(TomlWriter& writer, const std::string&, const FrictionLaw& law, const Setting& setting) const {
    write_keys(keys_of(form_of(law)), writer, law, setting);
  }

 private:
  static const Spelling* given(const TomlTable& table, Form form) {
    for (const auto& one : keys_of(form))
      for (const Spelling& spelling : one.spellings)
        if (table.has(spelling.key)) return &spelling;
    return nullptr;
  }
  static Form form_in(const TomlTable& table) {
    const Spelling* const angle = given(table, Form::angle);
    const Spelling* const alpha = given(table, Form::alpha);
    if (given(table, Form::hardening) != nullptr) {
      for (const Spelling* other : {angle, alpha})
        if (other != nullptr) table.refuse(other->key, "left out where the hardening h0 to h3 is given");
      return Form::hardening;
    }
    if (alpha == nullptr) return Form::angle;
    if (angle != nullptr) table.refuse(alpha->key, "left out where " + angle->key + " is given");
    return Form::alpha;
  }
};

void check_cohesion(const Material& material, const ScenePart& part) {
  const FrictionLaw& law = material.friction;
  const bool frictionless = form_of(law) != Form::hardening && law.h0 == 0.0;
  if (material.von_mises && !(frictionless && material.cohesion > 0.0))
    part.refuse_value("von_mises", "true", "false unless the friction angle is 0 and cohesion > 0");
  if (material.cohesion > 0.0 && frictionless && !material.von_mises)
    part.refuse_value("cohesion", fmt::format("{}", material.cohesion),
                      "0 where the friction angle is 0; von_mises = true bounds shear stress by it");
}

void check_multiplier(const Unilateral& of, const ScenePart& part) {
  if (!(of.a < of.b))
    part.refuse_value("unilateral", fmt::format("a = {}, b = {}", of.a, of.b), "such that a < b");
}

}  // namespace

const Keys<Unilateral>& unilateral_keys() {
  static const Keys<Unilateral> keys{
      key("a", &Unilateral::a, Number(rule::finite), required,
          "where on the axis of equal strains, u = Σε/√d, the energy stops being Hencky's own"),
      key("b", &Unilateral::b, Number(rule::finite), initial, "where none is left, larger than `a`"),
      key("c0", &Unilateral::c0, Number(rule::non_negative), required,
          "c₀: with v = ‖ε − u o‖ beside the axis both borders go back by c₀ v⁴/(1 + v³)"),
      key("s_C", &Unilateral::s_C, kind::NumberIfGiven(rule::finite),
          computed("that of the cone's tip",
                   [](const Unilateral&, const Setting&) { return std::optional<double>{}; }),
          "shift of both borders along the axis"),
      key("strain_unit", &Unilateral::strain_unit, Number(rule::scale), initial,
          "of the strains in this table: 1, or 0.01 for per cent"),
  };
  return keys;
}

const Keys<Material>& material_keys() {
  static const Keys<Material> keys{
      key("name", &Material::name, Name{}, required, ""),
      key("kind", &Material::kind, Choice(names::material_kind), initial,
          "sand, an elastic body (StVK–Hencky), or water"),
      key("density", &Material::density, Number(rule::positive, "kg/m3"), required, "ρ at rest"),
      only_if("kind = \"sand\" or \"elastic\"", is_solid,
              key("youngs_modulus", &Material::youngs_modulus, kind::NumberOrNone(rule::positive, "Pa"),
                  computed("none", [](const Material&, const Setting&) { return 0.0; }),
                  "E; asked for by methods that need it")),
      only_if("kind = \"sand\" or \"elastic\"", is_solid,
              only_if("youngs_modulus is given", is_elastic_at_all,
                      key("poisson_ratio", &Material::poisson_ratio, Number(rule::poisson_ratio), required,
                          "ν"))),
      only_if("kind = \"sand\"", is_sand, key("friction", &Material::friction, Friction{}, required, "")),
      only_if("kind = \"sand\"", is_sand,
              key("cohesion", &Material::cohesion, Number(rule::non_negative, "Pa"), initial,
                  "c_C: ‖dev τ‖ + α tr τ ≤ c_C in Kirchhoff stress, see below")),
      remark<Material>([](const Material& material, const Setting& setting) -> std::string {
        if (!is_cohesive(material, setting)) return {};
        const std::optional<ConeTip> tip = tip_before_hardening(material, setting.dim());
        return tip ? fmt::format("tip of the cone before hardening: tr ε = {}, stress {} Pa", tip->trace,
                                 tip->stress)
                   : std::string{};
      }),
      only_if("cohesion > 0", is_cohesive,
              key("von_mises", &Material::von_mises, Flag{}, initial,
                  "with a friction angle of 0: shear stress is bounded, pressure and tension are not")),
      only_if("kind = \"sand\"", is_sand,
              key("volume_correction", &Material::volume_correction, Flag{}, initial,
                  "give back volume gained while grains were apart, see below")),
      only_if("volume_correction = true", keeps_volume,
              key("hardening_apart", &Material::hardening_apart, Choice(names::hardening_apart), initial,
                  "when sand hardens whose grains are apart, see below")),
      only_if("kind = \"sand\"", is_sand,
              optional_table_key("unilateral", &Material::unilateral, unilateral_keys(),
                                 "asked for by methods whose energy is \"unilateral\"")),
      only_if("kind = \"water\"", is_of_water,
              key("water_stiffness", &Material::water_stiffness, Number(rule::positive, "Pa"), required,
                  "k of p = k (J^−γ − 1), J the volume over that at rest; the bulk modulus at rest is γk")),
      only_if("kind = \"water\"", is_of_water,
              key("water_gamma", &Material::water_gamma, Number(rule::positive), required, "γ")),
      only_if("kind = \"water\"", is_of_water,
              key("water_tension", &Material::water_tension, Flag{}, initial,
                  "false: no pressure below 0, so that stretched water bears nothing")),
  };
  return keys;
}

void check_rules(const Material& material, const ScenePart& part) {
  if (material.kind != MaterialKind::sand) return;
  const FrictionLaw& law = material.friction;
  check_cohesion(material, part);
  if (material.unilateral) check_multiplier(*material.unilateral, part);
  if (law.narain_alpha) {
    if (law.h0 != angle_of_narain_alpha(*law.narain_alpha) || law.h1 != 0.0 || law.h2 != 0.0 || law.h3 != 0.0)
      part.refuse_value("friction_alpha", fmt::format("{}", *law.narain_alpha),
                        fmt::format("that of the friction angle, {} rad", law.h0));
    return;
  }
  if (form_of(law) != Form::hardening) return;
  const std::string h0 = fmt::format("{} rad", law.h0);
  if (!(law.h0 > law.h3))
    part.refuse_value("h0", h0, "larger than h3: the friction angle h0 - h3 of fresh sand is positive");
  if (const double largest = largest_friction_angle(law); !rule::friction_angle.allows(largest))
    part.refuse_value("h0", h0,
                      fmt::format("such that the friction angle stays below 90 degrees for all q; it reaches "
                                  "{:.4g} degrees",
                                  largest / degree));
}

void require_elasticity(const Material& material, const ScenePart& part, std::string_view method) {
  if (material.youngs_modulus == 0.0)
    part.refuse_value("youngs_modulus", "",
                      fmt::format("{} [Pa]: method = \"{}\" needs it", rule::positive.text, method));
}

void require_unilateral(const Material& material, const ScenePart& part, std::string_view asked) {
  if (material.kind != MaterialKind::sand) return;
  if (!material.unilateral)
    part.refuse_value("unilateral", "", fmt::format("a table with a and c0: {} needs it", asked));
  if (material.von_mises && !material.unilateral->s_C)
    part.refuse_value("unilateral", "without s_C",
                      "with s_C where von_mises = true: such a cone has no tip to follow");
}

}  // namespace repose
