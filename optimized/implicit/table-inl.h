// The table of one instruction set's kernels of the implicit balance. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_IMPLICIT_TABLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_IMPLICIT_TABLE_INL_H_
#undef REPOSE_OPTIMIZED_IMPLICIT_TABLE_INL_H_
#else
#define REPOSE_OPTIMIZED_IMPLICIT_TABLE_INL_H_
#endif

#include "optimized/implicit/rounded_change-inl.h"
#include "optimized/implicit/trial_stress-inl.h"
#include "optimized/implicit/vectors-inl.h"
#include "optimized/implicit/water-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

template <int dim>
const ImplicitKernels<dim>* ImplicitTable() {
  static const ImplicitKernels<dim> table{
      .move = {&MoveBlock<dim, 3>, &MoveBlock<dim, 4>},
      .stiffness = {&StiffnessBlock<dim, 3>, &StiffnessBlock<dim, 4>},
      .change = {&ChangeBlock<dim, 3>, &ChangeBlock<dim, 4>},
      .rounded_change = {&RoundedChangeBlock<dim, 3, StressChangeOf>,
                         &RoundedChangeBlock<dim, 4, StressChangeOf>},
      .columns = {&ColumnsBlock<dim, 3>, &ColumnsBlock<dim, 4>},
      .dots = &Dots,
      .add = &AddScaled,
  };
  return &table;
}

template <int dim>
const ImplicitKernels<dim>* WaterTable() {
  static const ImplicitKernels<dim> table{
      .move = {&MoveWaterBlock<dim, 3>, &MoveWaterBlock<dim, 4>},
      .stiffness = {&StiffnessBlock<dim, 3>, &StiffnessBlock<dim, 4>},
      .change = {&WaterChangeBlock<dim, 3>, &WaterChangeBlock<dim, 4>},
      .rounded_change = {&RoundedChangeBlock<dim, 3, PressureChangeOf>,
                         &RoundedChangeBlock<dim, 4, PressureChangeOf>},
      .columns = {&WaterColumnsBlock<dim, 3>, &WaterColumnsBlock<dim, 4>},
      .dots = &Dots,
      .add = &AddScaled,
  };
  return &table;
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
