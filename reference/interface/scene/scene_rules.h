#pragma once

#include <cmath>
#include <string_view>

namespace repose {

/// Which values a number of a scene may take, and how a message says so.
struct Range {
  std::string_view text;   ///< in messages
  std::string_view brief;  ///< in tables
  bool (*allows)(double);
};

/// One place for the rules that scene files and scenes built by programs must keep. None allows nan or inf.
namespace rule {
inline constexpr Range finite{"a finite number", "", [](double x) { return std::isfinite(x); }};
inline constexpr Range positive{"a finite number > 0", "> 0",
                                [](double x) { return std::isfinite(x) && x > 0.0; }};
/// Of a length or a ratio whose cube is still a normal double.
inline constexpr Range scale{"a number from 1e-50 to 1e50", "from 1e-50 to 1e50",
                             [](double x) { return x >= 1e-50 && x <= 1e50; }};
inline constexpr Range non_negative{"a finite number >= 0", "≥ 0",
                                    [](double x) { return std::isfinite(x) && x >= 0.0; }};
inline constexpr Range share{"a number in [0, 1]", "[0, 1]", [](double x) { return x >= 0.0 && x <= 1.0; }};
inline constexpr Range tolerance{"a number in (0, 1)", "(0, 1)", [](double x) { return x > 0.0 && x < 1.0; }};
inline constexpr Range poisson_ratio{"a number in (-1, 0.5)", "(−1, 0.5)",
                                     [](double x) { return x > -1.0 && x < 0.5; }};
inline constexpr Range friction_angle{"an angle in [0, 90) degrees", "[0, 90)",
                                      [](double rad) { return rad >= 0.0 && rad < 1.5707963267948966; }};
/// Of the α of [Narain10]: below √(2/3), that of 90 degrees.
inline constexpr Range friction_alpha{"a number >= 0 and less than sqrt(2/3)", "[0, √(2/3))",
                                      [](double x) { return x >= 0.0 && 1.5 * x * x < 1.0; }};
inline constexpr Range wedge_angle{"an angle in (0, 180) degrees", "(0, 180)",
                                   [](double rad) { return rad > 0.0 && rad < 3.1415926535897931; }};
inline constexpr Range non_negative_angle{"a finite angle >= 0", "≥ 0",
                                          [](double rad) { return std::isfinite(rad) && rad >= 0.0; }};
}  // namespace rule

/// Names of bodies and materials, in bytes. Files of states hold them in a place of limited size.
inline constexpr std::size_t longest_name = 200;
inline bool is_name(std::string_view text) { return !text.empty() && text.size() <= longest_name; }

}  // namespace repose
