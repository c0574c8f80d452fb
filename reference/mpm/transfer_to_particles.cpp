#include "reference/mpm/transfer_to_particles.h"

#include "reference/interface/methods/mpm_options.h"
#include "reference/mpm/kernels.h"

namespace repose {

namespace {

/// Sums of grid velocities around one particle.
template <int d>
struct Gathered {
  Vec<d> v_bar = Vec<d>::Zero();    ///< Σ w v̄, or Σ w ṽ
  Mat<d> grad_v = Mat<d>::Zero();   ///< Σ v̄ ∇wᵀ, or Σ ṽ ∇wᵀ
  Vec<d> v_tilde = Vec<d>::Zero();  ///< Σ w ṽ
  Mat<d> B = Mat<d>::Zero();        ///< Σ w ṽ (x_i − x_p)ᵀ
  Vec<d> change = Vec<d>::Zero();   ///< Σ w (ṽ − vⁿ)
};

template <int d>
Gathered<d> gather(const ActiveNodes<d>& nodes, const Stencil<d>& stencil, ParticleMotion motion) {
  Gathered<d> sum;
  for (const StencilNode<d>& i : stencil) {
    const Node<d>* node = nodes.find(i.id);
    if (node == nullptr) continue;  // no mass: no velocity, and w m rounded to zero
    const Vec<d> v_tilde = node->p_tilde / node->m;
    const Vec<d> moves = motion == ParticleMotion::after_friction ? v_tilde : Vec<d>(node->p_bar / node->m);
    sum.v_bar += i.w * moves;                       // [Klar16 Eq.13]
    sum.grad_v += moves * i.grad_w.transpose();     // [Klar16 Eq.15]
    sum.v_tilde += i.w * v_tilde;                   // [Klar16 Eq.11]
    sum.B += i.w * v_tilde * i.offset.transpose();  // [Klar16 Eq.12]
    sum.change += i.w * (v_tilde - node->p / node->m);
  }
  return sum;
}

}  // namespace

double flip_weight(const Scene& scene) {
  if (mpm_options(scene).transfer == Transfer::flip) return 1.0;
  return mpm_options(scene).transfer == Transfer::flip_pic ? mpm_options(scene).flip_share : 0.0;
}

template <int d>
void transfer_to_particles(State<d>& state, const StepContext& step, StepReport&) {
  const Scene& scene = step.scene;
  const double D = affine_inertia(mpm_options(scene).kernel, scene.grid.h);
  const double flip = flip_weight(scene);

  for (std::size_t n = 0; n < state.particles.size(); ++n) {
    Particle<d>& p = state.particles[n];
    const Gathered<d> sum = gather<d>(state.nodes, Stencil<d>(scene.grid, mpm_options(scene).kernel, p.x),
                                      mpm_options(scene).motion);
    p.v_bar = sum.v_bar;
    p.grad_v = sum.grad_v;
    if (mpm_options(scene).transfer == Transfer::apic) {
      p.v = sum.v_tilde;
      p.C = sum.B / D;
    } else {
      p.v = flip * (p.v + sum.change) + (1.0 - flip) * sum.v_tilde;
      p.C.setZero();
    }
    if (!(p.v.allFinite() && p.C.allFinite() && p.v_bar.allFinite() && p.grad_v.allFinite())) {
      throw StageFailure("the velocity of a particle is not finite", n);
    }
  }
  state.nodes.clear();
}

template void transfer_to_particles<2>(State<2>&, const StepContext&, StepReport&);
template void transfer_to_particles<3>(State<3>&, const StepContext&, StepReport&);

}  // namespace repose
