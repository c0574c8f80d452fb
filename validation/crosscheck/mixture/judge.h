#pragma once

#include "validation/crosscheck/judge.h"

namespace repose::crosscheck {

/// What lock-step asks of mixture: stages that are mpm's are judged as those, phase by phase; those that couple the phases here.
const Judge& mixture_judge();

}  // namespace repose::crosscheck
