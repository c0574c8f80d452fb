#include "reference/interface/particles/random.h"
#include "validation/mechanics/strain.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstring>
#include <thread>
#include <vector>

using namespace repose;
using namespace repose::crosscheck;

namespace {

bool same_bits(const Strain& a, const Strain& b) {
  return std::memcmp(a.log.data(), b.log.data(), sizeof(double) * 9) == 0 && a.condition == b.condition &&
         a.smallest == b.smallest && a.stretch == b.stretch;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mechanics_strain)

/// Strains are remembered, more of them here than there are places for: asked for again in another order, they are what a
/// thread finds that has not been asked before.
BOOST_AUTO_TEST_CASE(a_strain_does_not_depend_on_what_was_asked_before) {
  constexpr std::size_t count = 20000;
  Random random(11);
  std::vector<Tensor> F(count);
  for (Tensor& one : F)
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) one(a, b) = (a == b ? 1.0 : 0.0) + random.between(-0.1, 0.1);
  std::vector<Strain> first(count), again(count), apart(count);
  for (std::size_t n = 0; n < count; ++n) first[n] = strain(F[n], 3);
  for (std::size_t n = count; n-- > 0;) again[n] = strain(F[n], 3);
  std::thread([&] {
    for (std::size_t n = 0; n < count; n += 3) apart[n] = strain(F[n], 3);
  }).join();
  for (std::size_t n = 0; n < count; ++n) {
    BOOST_REQUIRE_MESSAGE(same_bits(first[n], again[n]), n);
    if (n % 3 == 0) BOOST_REQUIRE_MESSAGE(same_bits(first[n], apart[n]), n);
    if (n > 0) BOOST_REQUIRE_MESSAGE(!same_bits(first[n], first[n - 1]), n);
  }
}

/// The same numbers are another matrix in space, which a plane one is too flat for.
BOOST_AUTO_TEST_CASE(a_plane_strain_is_not_taken_for_one_in_space) {
  Tensor F = Tensor::Zero();
  F(0, 0) = 1.25;
  F(1, 1) = 0.5;
  for (int turn = 0; turn < 2; ++turn) {
    BOOST_TEST(std::abs(strain(F, 2).log(0, 0) - std::log(1.25)) < 1e-15);
    BOOST_TEST(std::abs(strain(F, 2).log(1, 1) - std::log(0.5)) < 1e-15);
    BOOST_TEST(std::isnan(strain(F, 3).log(0, 0)));
  }
}

BOOST_AUTO_TEST_CASE(every_number_of_a_deformation_counts) {
  const Tensor F = Tensor::Identity() + 0.01 * Tensor::Ones();
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      Tensor other = F;
      other(a, b) += 0.02;
      const Strain one = strain(F, 3);
      BOOST_TEST(!same_bits(one, strain(other, 3)), a << ", " << b);
    }
}

BOOST_AUTO_TEST_SUITE_END()
