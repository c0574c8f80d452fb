#pragma once

#include "validation/exact/exact.h"

#include <vector>

namespace repose::exact {

const std::vector<Exact>& mixture_problems();

}  // namespace repose::exact
