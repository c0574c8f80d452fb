#include "reference/interface/scene/toml_writer.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <iterator>
#include <optional>

namespace repose {

namespace {

/// Degrees that read back as exactly this angle, the shortest first; none where rounding leaves no such number.
std::optional<double> exact_degrees(double rad) {
  const double about = rad / degree;
  for (const int digits : {6, 9, 12, 15}) {
    // std::stod() would refuse subnormal numbers.
    const double rounded = std::strtod(fmt::format("{:.{}g}", about, digits).c_str(), nullptr);
    if (rounded * degree == rad) return rounded;
  }
  for (const double candidate : {about, std::nextafter(about, 0.0), std::nextafter(about, 1e9)}) {
    if (candidate * degree == rad) return candidate;
  }
  return {};
}

}  // namespace

std::string toml_number(double x) {
  std::string text = fmt::format("{}", x);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string toml_vector(const Point& x, int dim) {
  std::string text = "[";
  text += toml_number(x[0]);
  for (int axis = 1; axis < dim; ++axis) text += ", " + toml_number(x[axis]);
  return text + "]";
}

std::string toml_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      result += c;
    }
  }
  return result + "\"";
}

void TomlWriter::line(std::string_view key, std::string_view value) {
  fmt::format_to(std::back_inserter(keys_), "{} = {}\n", key, value);
}

void TomlWriter::comment(std::string_view text) { fmt::format_to(std::back_inserter(keys_), "# {}\n", text); }

void TomlWriter::text(std::string_view key, std::string_view value) { line(key, toml_text(value)); }

void TomlWriter::number(std::string_view key, double value) { line(key, toml_number(value)); }

void TomlWriter::angle(std::string_view key, double rad) {
  const std::optional<double> deg = exact_degrees(rad);
  number(fmt::format("{}_{}", key, deg ? "deg" : "rad"), deg.value_or(rad));
}

void TomlWriter::vector(std::string_view key, const Point& value, int dim) {
  line(key, toml_vector(value, dim));
}

}  // namespace repose
