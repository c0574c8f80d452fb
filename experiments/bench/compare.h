#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace repose::experiments {

/// Two results of `repose bench`, row by row: only rows of the same name are compared, and only as ratios.
///     ratio   = new median / old median
///     at least = new first quartile / old third quartile
/// "At least" is what is left of a slowdown if both spreads favour the new result. A row is slower if even that
/// exceeds the factor; faster if the reverse holds; disturbed, and neither, if either timing was.
/// @returns {"rows": [{"name", "ratio", "at_least", "at_most", "verdict"}], "factor", "slower", "faster",
///          "disturbed", "unmatched", "machine_ratio": {"triad", "fma_float"}}
/// @throws nlohmann::json::exception if either is not a result of `repose bench`
nlohmann::json compare_bench(const nlohmann::json& old_result, const nlohmann::json& new_result,
                             double factor);

/// 1 if a row is slower, 3 if no row could be compared (none of the same name, or all disturbed), else 0.
int exit_code_of_comparison(const nlohmann::json& comparison);

/// A table for people.
std::string describe_comparison(const nlohmann::json& comparison);
/// ", disturbed 34 %" for a row of a result that was, else nothing.
std::string timing_note(const nlohmann::json& row);
/// A table of all rows of a result, and its ratios.
std::string describe_bench(const nlohmann::json& result);
/// All rows, one line each, with stages and counters as columns.
std::string bench_csv(const nlohmann::json& result);

}  // namespace repose::experiments
