#pragma once

#include "validation/crosscheck/run_case.h"

#include <optional>

namespace repose::crosscheck {

/// Claims of equality that no rounding excuses.
struct BitClaim {
  std::string name;
  std::string what;  ///< in words
  std::function<void(const Setup&, const Factory& candidate, const Factory& reference, std::string_view simd,
                     CaseReport&)>
      judge;
  /// The level of the method's second factor for which alone it holds
  std::optional<std::size_t> only_second_level{};
};

/// Of every method, besides its own (MethodCases::exact):
///
/// stepwise_is_fused         run() through all boundaries and advance() give the same bits
/// threads_agree             1, 2 and 3 threads give the same bits
/// twice_the_same            so do two runs
/// append_is_load            particles appended behind others and all loaded at once give the same bits, and Δt is chosen by the
///                           same speed, of the candidate and of the reference
/// time_moves_on             time and number of steps after each of several steps, of the candidate and of the reference
/// checkpoint_is_exact       load(save(native)) at every boundary changes no bit, in a solver that stood elsewhere
const std::vector<BitClaim>& bit_claims();
/// Those and the method's own, which stand in front.
std::vector<BitClaim> bit_claims(std::string_view method);

std::vector<CaseName> bit_names();

CaseReport run_bits(const CaseName& name, const Factory& candidate, const Factory& reference,
                    std::string_view simd);

}  // namespace repose::crosscheck
