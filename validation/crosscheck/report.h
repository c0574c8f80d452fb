#pragma once

#include "validation/crosscheck/run_case.h"

#include <nlohmann/json_fwd.hpp>

namespace repose::crosscheck {

/// Column titles of the table that row() fills.
std::string table_head();

/// One line per case: name, verdict, largest ratio to the bound and where, time.
std::string row(const CaseReport& report);

/// What a difference looks like, for people: place, both values in decimal and hexadecimal, the bound with its parts,
/// the neighbours, and how to see it again.
/// @param replay the command that shows the same difference
std::string explain(const CaseReport& report, std::string_view replay);

/// {"summary": {…}, "cases": [{…}]}
nlohmann::json to_json(const std::vector<CaseReport>& reports);

/// Exit code of a run: 1 if anything differs, else 3 if anything is mistrusted or refused (or nothing ran), else 0.
int exit_code(const std::vector<CaseReport>& reports);

}  // namespace repose::crosscheck
