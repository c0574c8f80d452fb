#include "experiments/bench/block.h"
#include "experiments/bench/mixture/block.h"
#include "experiments/bench/mpm/block.h"

namespace repose::experiments {

const std::vector<MethodBlock>& method_blocks() {
  static const std::vector<MethodBlock> all{
      mixture_block(),
      mpm_block(),
  };
  return all;
}

}  // namespace repose::experiments
