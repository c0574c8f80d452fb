#pragma once

#include "experiments/run/provenance.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/states/state_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <random>
#include <string>

namespace repose::test {

/// A folder that is gone at the end of the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "repose_XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

/// Two materials, hardening, a collider; 16 particles in 2D, 64 in 3D.
inline Scene small_scene(int dim) {
  const auto vector = [&](double x, double y, double z) {
    return dim == 2 ? fmt::format("[{}, {}]", x, y) : fmt::format("[{}, {}, {}]", x, y, z);
  };
  return parse_scene(
      fmt::format(R"(
title = "Two \"small\" blocks"
method = "mpm"
dimension = {0}
spacing = 0.1
frame_rate = 50
duration = 0.08
max_dt = 1e-3
domain.min = {1}
domain.max = {2}
[[material]]
name = "sand"
density = 1600
youngs_modulus = 1e5
poisson_ratio = 0.3
h0_deg = 35
h1_deg = 9
h2 = 0.2
h3_deg = 10
[[material]]
name = "rubber"
kind = "elastic"
density = 1100
youngs_modulus = 1e5
poisson_ratio = 0.4
[[seed]]
shape = "box"
material = "sand"
min = {3}
max = {4}
sampling = "regular"
seed = 1
[[seed]]
shape = "box"
material = "rubber"
min = {5}
max = {6}
sampling = "regular"
seed = 2
velocity = {7}
[[collider]]
shape = "half_space"
point = {3}
normal = {8}
friction = 0.5
)",
                  dim, vector(0, 0, 0), vector(1, 1, 1), vector(0.2, 0.2, 0.2), vector(0.3, 0.4, 0.4),
                  vector(0.5, 0.2, 0.2), vector(0.6, 0.4, 0.4), vector(-1, 0, 0), vector(0, 1, 0)),
      "small_scene");
}

/// All fields of a boundary with node fields, native fields and a global one; values that decimal text would lose.
inline Snapshot awkward_snapshot(int dim, std::size_t particles = 5) {
  std::mt19937_64 bits(7);
  const auto d = dim;
  const std::size_t nodes = 3;
  Snapshot s;
  s.method = "mpm";
  s.at = boundary::friction;
  s.time = 0.1 + 0.2;
  s.dt = 1e-3 / 3.0;
  s.step = (std::int64_t{1} << 40) + 1;
  s.ids(Place::node) = {-4, 17, std::int64_t{1} << 41};
  s.ids(Place::cell) = {3};
  s.ids(Place::face_z) = {0, 2};
  s.ids(Place::body) = {1};
  if (particles > 0) s.ids(Place::particle) = {0, 2, 3, 9, std::int64_t{1} << 40};
  s.next_id = (std::int64_t{1} << 40) + 5;
  const auto add = [&](std::string_view name, std::string_view unit, Place place, int components,
                       std::size_t n) {
    Field f{.name = std::string(name),
            .unit = std::string(unit),
            .place = place,
            .components = components,
            .value = {}};
    for (std::size_t i = 0; i < n * static_cast<std::size_t>(components); ++i) {
      f.value.push_back(static_cast<double>(static_cast<std::int64_t>(bits())) * 0x1p-60);
    }
    s.fields.push_back(std::move(f));
  };
  add(field::mass, "kg", Place::particle, 1, particles);
  add(field::volume, "m3", Place::particle, 1, particles);
  add(field::material, "", Place::particle, 1, particles);
  add(field::F, "", Place::particle, d * d, particles);
  add(field::x, "m", Place::particle, d, particles);
  add(field::v, "m/s", Place::particle, d, particles);
  add("five", "", Place::particle, 5, particles);
  add(field::m_i, "kg", Place::node, 1, nodes);
  add(field::p_tilde, "kg m/s", Place::node, d, nodes);
  add("native.blocks", "", Place::scene, 1, 11);
  add("native.x", "", Place::particle, 4, particles);
  add("energy", "J", Place::scene, 2, 1);
  add("fill", "-", Place::cell, 1, 1);
  add("flux", "m/s", Place::face_z, 1, 2);
  add("pose", "m", Place::body, d, 1);
  if (particles > 0) {
    auto& v = s.get(field::v).value;
    v[0] = -0.0;
    v[1] = std::numeric_limits<double>::denorm_min();
    v[2] = std::numeric_limits<double>::infinity();
    v[3] = std::nan("0x123");
  }
  return s;
}

inline StateOrigin some_origin() {
  return {.frame = 3, .solver = "fake", .precision = "double", .build = experiments::build()};
}

}  // namespace repose::test
