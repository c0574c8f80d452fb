#include "reference/interface/methods/all.h"

#include "reference/interface/methods/mpm.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace repose::method {

namespace {

constexpr std::array<const Method*, 1> methods{&mpm};

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

std::vector<Boundary> boundaries_of_all() {
  std::vector<Boundary> result;
  for (const Method* method : methods)
    for (const Boundary at : boundaries(*method))
      if (std::find(result.begin(), result.end(), at) == result.end()) result.push_back(at);
  return result;
}

bool is_boundary(std::string_view name) {
  const std::vector<Boundary> all = boundaries_of_all();
  return std::find(all.begin(), all.end(), name) != all.end();
}

}  // namespace repose::method
