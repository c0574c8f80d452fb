#include "reference/interface/particles/random.h"

#include "validation/invariants/invariants.h"
#include "validation/invariants/plain.h"

#include <array>
#include <cmath>
#include <cstdint>

namespace repose::invariants {

namespace {

/// MT19937-64 written out: 312 words, x_{k+312} = x_{k+156} ^ (upper 33 bits of x_k | lower 31 of x_{k+1}) A.
class Twister {
 public:
  explicit Twister(std::uint64_t seed) {
    word_[0] = seed;
    for (std::uint64_t i = 1; i < 312; ++i)
      word_[i] = 6364136223846793005ULL * (word_[i - 1] ^ (word_[i - 1] >> 62U)) + i;
  }
  std::uint64_t next() {
    const std::uint64_t joined = (word_[k_] & ~0x7fffffffULL) | (word_[(k_ + 1) % 312] & 0x7fffffffULL);
    word_[k_] =
        word_[(k_ + 156) % 312] ^ (joined >> 1U) ^ ((joined & 1U) != 0 ? 0xb5026f5aa96619e9ULL : 0ULL);
    std::uint64_t x = word_[k_];
    k_ = (k_ + 1) % 312;
    x ^= (x >> 29U) & 0x5555555555555555ULL;
    x ^= (x << 17U) & 0x71d67fffeda60000ULL;
    x ^= (x << 37U) & 0xfff7eee000000000ULL;
    return x ^ (x >> 43U);
  }

 private:
  std::array<std::uint64_t, 312> word_{};
  std::size_t k_ = 0;
};

/// The documented numbers: the upper 53 bits of each word of std::mt19937_64, whose 10000th word for the seed 5489 the C++
/// standard prints; and that they are spread evenly, alone and in pairs.
void random_numbers(int, Ledger& ledger) {
  ledger.needs("numbers", 10000);
  Twister standard(5489);
  std::uint64_t word = 0;
  for (int n = 0; n < 10000; ++n) word = standard.next();
  ledger.holds("10000th word of the seed 5489, of the judge", word == 9981545732273789042ULL);

  for (const std::uint64_t seed : {0ULL, 1ULL, 5489ULL, 9223372036854775807ULL}) {
    Twister twister(seed);
    Random units(seed), spans(seed);
    for (int n = 0; n < 1000; ++n) {
      const double expected = std::ldexp(static_cast<double>(twister.next() >> 11U), -53);
      ledger.equal("unit()", units.unit(), expected);
      // One product and one sum, each rounded.
      ledger.near("between(-3, 5)", spans.between(-3.0, 5.0), 8.0 * expected - 3.0, 8.0 * 0x1p-53);
    }
  }

  Random random(7);
  std::vector<double> single(64, 0.0), pairs(256, 0.0);
  double low = 1.0, high = 0.0;
  for (int n = 0; n < 20000; ++n) {
    const double a = random.unit();
    const double b = random.unit();
    low = std::min({low, a, b});
    high = std::max({high, a, b});
    single[static_cast<std::size_t>(64.0 * a)] += 1.0;
    pairs[static_cast<std::size_t>(16.0 * a) * 16 + static_cast<std::size_t>(16.0 * b)] += 1.0;
    ledger.saw("numbers", 2);
  }
  ledger.near("excess of chi squared of 64 cells", chi_squared_excess(single), 0.0, chi_squared_limit);
  ledger.near("excess of chi squared of pairs in 256 cells", chi_squared_excess(pairs), 0.0,
              chi_squared_limit);
  // Of 40000 numbers none within 10⁻³ of an end: a chance of e⁻⁴⁰.
  ledger.within("least number", low, 0.0, 1e-3);
  ledger.within("greatest number", high, 1.0 - 1e-3, 1.0 - 0x1p-53);
}

}  // namespace

void add_random(std::vector<Invariant>& all) {
  all.push_back({"random_numbers",
                 "the standard's generator written out, and evenness",
                 "random numbers",
                 {},
                 random_numbers});
}

}  // namespace repose::invariants
