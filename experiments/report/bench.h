#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace repose::experiments {

/// A section of the report from a result of `repose bench`: machine, speed table, ratios (threads, flow
/// against rest, reference), size scaling, stages beside the roofline, beside Klár 2016's Table 2, and the
/// comparison with an earlier result where there is one. @throws nlohmann::json::exception if the result
/// lacks what every result has
std::string bench_html(const nlohmann::json& result);

}  // namespace repose::experiments
