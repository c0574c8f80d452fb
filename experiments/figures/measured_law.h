#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace repose::experiments {

/// A law that others measured, as data/measured has it: y(a) by pieces
///     y = prefactor · a^exponent + offset,   a from a_min (0 if not said) up to a_max (no end if not said), a_max not in it
struct MeasuredLaw {
  struct Piece {
    double prefactor = 1.0, exponent = 1.0, offset = 0.0;
    double a_min = 0.0, a_max = 0.0;
  };
  std::string source;    ///< of the entry, in one line
  std::string status;    ///< "read", "secondary" or "derived"
  std::string quantity;  ///< what y is
  std::vector<Piece> pieces;

  /// @throws std::out_of_range where no piece has a
  double at(double a) const;
};

/// @param file  its name in data/measured  @param id  of the entry
/// @throws BadInput if the file is gone or has no such law with all its numbers, or the entry is one from memory, which
///         decides nothing
MeasuredLaw measured_law(std::string_view file, std::string_view id);

/// A single number of an entry, by its key. @throws BadInput as measured_law()
double measured_number(std::string_view file, std::string_view id, std::string_view key);

/// The numbers of one key of an entry's series. @throws BadInput as measured_law()
std::vector<double> measured_series(std::string_view file, std::string_view id, std::string_view key);

}  // namespace repose::experiments
