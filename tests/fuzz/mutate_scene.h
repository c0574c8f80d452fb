#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace repose::fuzz {

/// One draw per statement gives the same case on every compiler: no distribution of the standard library is used.
class Dice {
 public:
  Dice(std::uint64_t seed, std::uint64_t number);

  std::uint64_t bits() { return engine_(); }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class T>
  const T& of(const std::vector<T>& all) {
    return all[below(all.size())];
  }

 private:
  std::mt19937_64 engine_;
};

/// Scenes to start from: those of data/scenes and small ones that between them use every key.
std::vector<std::string> scenes_to_mutate();

/// A scene with one to four changes: values out of a list of nasty ones, keys, lines, whole tables, bytes.
std::string mutated(const std::vector<std::string>& scenes, Dice& dice);

}  // namespace repose::fuzz
