#include "reference/interface/particles/fresh_particles.h"

#include "reference/interface/methods/all.h"

#include <utility>

namespace repose {

namespace {

/// What seeds and emitters know of a particle, beside its mass and place.
constexpr std::string_view volume_of = "volume";
constexpr std::string_view material_of = "material";
constexpr std::string_view velocity_of = "v";
constexpr std::string_view affine_of = "C";
constexpr std::string_view cohesion_of = "c_C";  ///< that of dry sand

}  // namespace

FreshParticles::FreshParticles(const Scene& scene) : method_(method::of(scene).name), dim_(scene.dim()) {
  for (const Material& material : scene.materials) dry_cohesion_.push_back(material.cohesion);
}

void FreshParticles::add(double m, double V0, int material, const Point& x, const Point& v, const Mat<3>& C) {
  mass_.push_back(m);
  volume_.push_back(V0);
  material_.push_back(static_cast<double>(material));
  cohesion_.push_back(dry_cohesion_.at(static_cast<std::size_t>(material)));
  for (int a = 0; a < dim_; ++a) {
    x_.push_back(x[a]);
    v_.push_back(v[a]);
    for (int b = 0; b < dim_; ++b) C_.push_back(C(a, b));
  }
}

Snapshot FreshParticles::take() {
  Snapshot state;
  state.method = method_;
  state.fields = method::state_at_rest(method::named(method_), dim_, mass_.size());
  const auto give = [&](std::string_view name, std::vector<double>& collected) {
    std::vector<double> values = std::exchange(collected, {});
    if (state.find(name) != nullptr) state.get(name).value = std::move(values);
  };
  give(field::mass, mass_);
  give(field::x, x_);
  give(volume_of, volume_);
  give(material_of, material_);
  give(velocity_of, v_);
  give(affine_of, C_);
  give(cohesion_of, cohesion_);
  return state;
}

}  // namespace repose
