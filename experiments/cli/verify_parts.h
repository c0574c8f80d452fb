#pragma once

#include "validation/crosscheck/run_case.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace repose::cli {

/// What `repose verify` is asked for.
struct VerifyArguments {
  std::string pattern;
  std::string suite = "all";
  std::string candidate;  ///< empty: the usual solver of each case's method
  std::string reference;  ///< empty: the one that it can be judged by
  std::string precision;
  int jobs = 0;
  int threads = 0;
  std::string simd;
  std::string fault;
  std::string state;
  std::string out;  ///< empty: verify_out
  std::string json;
  std::string junit;
  bool with_long = false;
  bool fail_fast = false;
  bool list = false;
  bool quiet = false;
};

/// The solvers of a case, by its method. @throws BadInput, std::out_of_range where there is none
std::string candidate_of(const VerifyArguments& arguments, const crosscheck::Setup& setup);
std::string reference_of(const VerifyArguments& arguments, const crosscheck::Setup& setup);

/// Whether both solvers take part: they take steps of the method, the candidate in the precision.
bool can_be_judged(const VerifyArguments& arguments, const crosscheck::Setup& setup);

/// Makes a solver by its name.
crosscheck::Factory factory(const std::string& name);

/// Cases at a time.
int workers(const VerifyArguments& arguments);

/// Unless only differences are asked for.
void say(const VerifyArguments& arguments, std::string_view text);

/// To the file, if any.
void write_json(const nlohmann::json& document, const std::string& file);

/// Plants the faults asked for, in each precision asked for that the candidate has. One fault: exit 1, as the check failed,
/// which it must. All: 0 if every one is seen where it must be.
int verify_faults(const VerifyArguments& arguments);

}  // namespace repose::cli
