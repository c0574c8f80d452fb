#pragma once

#include "reference/interface/methods/implicit_options.h"
#include "reference/interface/scene/key.h"

namespace repose {

/// The keys of a method's table `implicit`.
const Keys<ImplicitOptions>& implicit_keys();

}  // namespace repose
