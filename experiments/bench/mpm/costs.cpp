#include "experiments/bench/mpm/costs.h"

#include "reference/interface/methods/mpm_options.h"

namespace repose::experiments {

std::vector<StageCost> stage_costs(int dim, Kernel kernel, Precision precision) {
  const bool three = dim == 3;
  const double K = kernel == Kernel::cubic ? 4.0 : 3.0;
  const double number = precision == Precision::single_ ? 4.0 : 8.0;
  const double d = dim;
  // Blocks of 4³ cells with 8 particles each (2D: 8² with 4); tiles of rows of 8 nodes (12), 4 numbers, of which rows that
  // stencils reach are written and nodes that they reach are read.
  const double record = three ? 26.0 : 16.0;
  const double to_grid = three ? 24.0 : 16.0;    // all but q and v_c, in groups of four
  const double from_grid = three ? 14.0 : 12.0;  // all but v and C, likewise
  const double reach = (three ? 4.0 : 8.0) + K - 1.0;
  const double written = three ? reach * reach * 8.0 * 4.0 / 512.0 : reach * 12.0 * 4.0 / 256.0;
  const double read = three ? reach * reach * reach * 4.0 / 512.0 : reach * reach * 4.0 / 256.0;
  const double nodes = three ? 1.0 / 8.0 : 1.0 / 4.0;  // per particle
  const double place = 5.0;                            // record index and cell [B]

  const double weights =
      d * (kernel == Kernel::cubic ? 28.0 : 18.0);  // w, w Δ, w′ of every node along every axis
  // Momentum and impulse as factors per axis, then per row, then the rows themselves.
  const double axis_factors = d * d * (2.0 + 3.0 * K) + 2.0 * d * K + d;
  const double stress = three ? 15.0 : 9.0;
  const double row_factors = three ? K + 11.0 * K * K : K;
  const double rows = three ? 14.0 * K * K * K : 10.0 * K * K;
  // Σ w v, Σ w v Δ, Σ v w′: one axis after the other.
  const double gather = three ? 18.0 * K * K * K + 30.0 * K * K + 42.0 * K : 12.0 * K * K + 20.0 * K;
  const double strain = three ? 190.0 : 70.0;  // Δt ∇v, b̂, det, move, ‖v‖
  const double log_terms = precision == Precision::single_ ? 8.0 : 17.0;
  const double exp_terms = precision == Precision::single_ ? 5.0 : 10.0;
  const double law = three ? 6.0 * (log_terms + exp_terms) + 2.0 * 97.0 + 125.0
                           : 4.0 * (log_terms + exp_terms) + 2.0 * 20.0 + 95.0;

  return {{.stage = "sort", .bytes = 2.0 * place, .flops = 0.0},
          {.stage = "p2g",
           .bytes = to_grid * number + place + written * number,
           .flops = weights + stress + axis_factors + row_factors + rows},
          {.stage = "grid", .bytes = read * number + 4.0 * nodes * number, .flops = 60.0 * nodes + read},
          {.stage = "g2p",
           .bytes = (from_grid + record) * number + place,
           .flops = weights + gather + strain + law}};
}

}  // namespace repose::experiments
