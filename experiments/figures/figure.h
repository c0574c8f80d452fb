#pragma once

#include "reference/interface/solver.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace repose::experiments {

/// How much work a figure does: seconds, minutes on two cores, or the paper's own particle count, grid and
/// Δt.
enum class Preset : unsigned char { smoke, desk, paper };

/// What an expectation rests on. A sanity row holds by how the program is built, or has a bound that no pile of sand
/// reaches: it can fail through a fault alone, and says nothing for a claim when it does not.
enum class Kind : unsigned char { paper_claim, closed_form, measured, regression, sanity };

enum class Verdict : unsigned char { pass, fail, undecided };

/// One judged number of a figure.
struct Number {
  std::string name{};      ///< words and digits joined by '_': height_phi_30
  double value = 0.0;      ///< in `unit`; nan where it could not be formed
  std::string unit{};      ///< "1" for pure numbers
  std::string expected{};  ///< in the same unit, in words or as a range
  Kind kind = Kind::paper_claim;
  std::string source{};  ///< of the expectation
  Verdict verdict = Verdict::undecided;
  std::string note{};  ///< what a reader must know to judge the verdict; may be empty
  /// Whether the paper's claim stands or falls with it, beside the paper claims, which always decide.
  bool of_claim = false;
  /// Why the preset cannot decide it (resolution, particles, duration, number of cases); empty where it can.
  std::string open_because{};

  bool decides_claim() const { return of_claim || kind == Kind::paper_claim; }
};

/// A file that shows something, beside result.json.
struct Picture {
  std::string file;     ///< name within the figure's folder
  std::string caption;  ///< shown below it
  std::string alt;      ///< what can be seen, for those who cannot see it
};

/// What `repose reproduce` asks of a figure.
struct FigureRequest {
  Preset preset = Preset::desk;
  std::filesystem::path folder;  ///< exists; the figure writes all its files here
  std::string_view method;       ///< of the figure
  std::string solver;            ///< of that method
  SolverOptions options;
  /// Runs that are estimated to need more memory are refused [B].
  double memory_limit_bytes = std::numeric_limits<double>::infinity();
  bool progress = false;  ///< progress lines on stderr
  /// Also run the Δt the paper prints where the controller would take a smaller one
  bool printed_dt = false;
};

/// What a figure came to. Everything here goes into result.json.
struct FigureResult {
  std::vector<Number> numbers;
  std::vector<Picture> pictures;
  std::vector<std::string> notes;  ///< findings in plain words, e.g. a plot that was not drawn and why
  nlohmann::json provenance;       ///< of the run or runs
  bool interrupted = false;        ///< stopped by a signal before the end: what is here is not the figure
};

/// A published figure as an experiment.
struct Figure {
  std::string_view id;      ///< "klar2016/fig13_friction_angle": also its folder under experiments/
  std::string_view title;   ///< a few words
  std::string_view method;  ///< whose steps it takes
  bool starred = false;     ///< one of those this project is judged by
  std::string_view claim;   ///< what the paper says, in plain words
  std::string_view smoke;   ///< what the presets take, stated for two cores
  std::string_view desk;
  std::string_view paper;
  FigureResult (*run)(const FigureRequest& request) = nullptr;

  std::string_view cost(Preset preset) const;
};

/// All figures that can be reproduced, in the papers' order.
const std::vector<Figure>& figures();

/// @returns nullptr for an unknown id
const Figure* find_figure(std::string_view id);

/// Ids closest to a misspelt one, best first, at most three; ids that contain it, or differ by few letters.
std::vector<std::string> nearest_figures(std::string_view id);

std::string_view to_string(Preset preset);
std::string_view to_string(Kind kind);  ///< "paper claim", "closed form", …
std::string_view to_string(Verdict verdict);

/// @throws BadInput naming what is allowed
Preset preset_from(std::string_view name);

/// result.json: figure, title, claim, preset, provenance, numbers, pictures, notes. Not-a-numbers become
/// null.
nlohmann::json to_json(const Figure& figure, Preset preset, const FigureResult& result);

/// A table for people: a line per number with its verdict, wrapped for a terminal.
std::string describe(const std::vector<Number>& numbers);

/// A file that comes with a figure, by its path below experiments/: a scene, a plot script. Beside the source
/// the program was built from, or below the folder in the environment variable REPOSE_EXPERIMENTS.
/// @throws BadInput if it is in neither place
std::filesystem::path figure_file(std::string_view path);

/// 1 if any number fails, whatever its kind: a claim that does not hold must not pass in silence. Else 3 if
/// none could be judged, else 0. A sanity row that holds is not a number that was judged.
int exit_code(const std::vector<Number>& numbers);

}  // namespace repose::experiments
