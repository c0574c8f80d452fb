#include "reference/interface/methods/all.h"

#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mpm.h"

#include <algorithm>
#include <stdexcept>

namespace repose::method {

namespace {

constexpr const Method* methods[] = {
    &mixture,
    &mpm,
};

}  // namespace

std::span<const Method* const> all() { return methods; }

const Method& named(std::string_view name) {
  std::string there;
  for (const Method* method : methods) {
    if (method->name == name) return *method;
    there += (there.empty() ? "" : ", ") + std::string(method->name);
  }
  throw std::out_of_range("no method '" + std::string(name) + "'; there are " + there);
}

const Method& of(const Scene& scene) { return named(scene.scheme.method()); }

Boundary boundary_named(std::string_view method, std::string_view name) {
  std::string there;
  for (const Boundary at : boundaries(named(method))) {
    if (at == name) return at;
    there += (there.empty() ? "" : ", ") + std::string(at);
  }
  throw std::out_of_range("unknown boundary '" + std::string(name) + "' of the method " +
                          std::string(method) + "; there are " + there);
}

}  // namespace repose::method
