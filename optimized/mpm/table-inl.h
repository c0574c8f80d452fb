// The table of one instruction set's kernels. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_MPM_TABLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_MPM_TABLE_INL_H_
#undef REPOSE_OPTIMIZED_MPM_TABLE_INL_H_
#else
#define REPOSE_OPTIMIZED_MPM_TABLE_INL_H_
#endif

#include "optimized/mpm/g2p-inl.h"
#include "optimized/mpm/p2g-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

template <class T, int dim>
const Kernels<T, dim>* KernelTable() {
  static const Kernels<T, dim> table = [] {
    Kernels<T, dim> k;
    k.name = hwy::TargetName(HWY_TARGET);
    k.lanes = lanes<T>;
    k.p2g[0] = &BlockToTile<T, dim, 3>;
    k.p2g[1] = &BlockToTile<T, dim, 4>;
    k.g2p[0] = &BlockFromTile<T, dim, 3>;
    k.g2p[1] = &BlockFromTile<T, dim, 4>;
    return k;
  }();
  return &table;
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
