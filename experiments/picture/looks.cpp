#include "experiments/picture/look.h"
#include "experiments/picture/mixture/look.h"
#include "experiments/picture/mpm/look.h"

namespace repose::experiments {

const std::vector<Look>& looks() {
  static const std::vector<Look> all{
      mixture_look(),
      mpm_look(),
  };
  return all;
}

}  // namespace repose::experiments
