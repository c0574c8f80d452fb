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

}  // namespace

const Keys<Material>& material_keys() {
  static const Keys<Material> keys{
      key("name", &Material::name, Name{}, required, ""),
      key("kind", &Material::kind, Choice(names::material_kind), initial,
          "sand, or an elastic body (StVK–Hencky)"),
      key("density", &Material::density, Number(rule::positive, "kg/m3"), required, "ρ at rest"),
      key("youngs_modulus", &Material::youngs_modulus, kind::NumberOrNone(rule::positive, "Pa"),
          computed("none", [](const Material&, const Setting&) { return 0.0; }),
          "E; asked for by methods that need it"),
      only_if("youngs_modulus is given", is_elastic_at_all,
              key("poisson_ratio", &Material::poisson_ratio, Number(rule::poisson_ratio), required, "ν")),
      only_if("kind = \"sand\"", is_sand, key("friction", &Material::friction, Friction{}, required, "")),
      only_if("kind = \"sand\"", is_sand,
              key("volume_correction", &Material::volume_correction, Flag{}, initial,
                  "give back volume gained while grains were apart, see below")),
  };
  return keys;
}

void check_rules(const Material& material, const ScenePart& part) {
  if (material.kind != MaterialKind::sand) return;
  const FrictionLaw& law = material.friction;
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

}  // namespace repose
