#pragma once

#include "experiments/figures/figure.h"
#include "experiments/klar2016/fig13_friction_angle/judge.h"

#include <filesystem>

namespace repose::experiments::klar2016 {

/// metrics.csv (a row per run), profiles.csv (surface against radius) and history.csv (a row per run and
/// frame).
void write_tables(const Series& series, const std::filesystem::path& folder);

/// run.toml: the scene of the middle angle with every key written out, which `repose run` takes, then what
/// was replaced for the others and where all came from. @returns provenance for result.json
nlohmann::json write_record(const Series& series, const FigureRequest& request);

/// The picture of all piles and the plots. What cannot be drawn here becomes a note.
void draw_pictures(const Series& series, const FigureRequest& request, FigureResult& result);

}  // namespace repose::experiments::klar2016
