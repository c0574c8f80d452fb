#pragma once

#include "reference/interface/methods/implicit_options.h"
#include "validation/crosscheck/mpm/implicit_bounds.h"
#include "validation/crosscheck/mpm/plain_balance.h"
#include "validation/crosscheck/mpm/solve_nodes.h"

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace repose::crosscheck {

/// A number and what rounding may add to it.
struct Measured {
  double value = 0.0, error = 0.0;
};

/// The balance where a solve stands, per node.
struct Standing {
  std::vector<double> v;                ///< nothing where they invert a particle
  std::vector<Point> R;                 ///< R(v) [kg m/s]
  std::vector<double> magnitude;        ///< I_i
  std::vector<double> error;            ///< of R between the judge's and a solver's [kg m/s]
  std::vector<double> magnitude_error;  ///< of I_i between them
  std::vector<double> rounding;         ///< what ImplicitOptions grants as rounding, positions apart [kg m/s]
  std::vector<double> rounding_error;   ///< of that between them
};

/// d numbers of a node.
inline Point point_at(const std::vector<double>& v, std::size_t node, std::size_t d) {
  Point result = Point::Zero();
  for (std::size_t a = 0; a < d; ++a) result[static_cast<Eigen::Index>(a)] = v[node * d + a];
  return result;
}

/// What a solve balances, R(v) = 0, as its judge has it. Vectors have d numbers per node; of two phases a node of both counts
/// twice.
class SolveBalance {
 public:
  /// T of a node at some velocities.
  using FreePart = std::function<Point(std::size_t node, const Point& w)>;

  /// R′ dv of the step, and its error per node between two solvers [kg m/s].
  struct Change {
    std::vector<Point> of_R;
    std::vector<double> error;
  };

  virtual ~SolveBalance() = default;

  const Scene& scene() const { return scene_; }
  const Arithmetic& arithmetic() const { return arithmetic_; }  ///< double against double
  const ImplicitOptions& options() const { return options_; }
  bool has_energy() const { return has_energy_; }  ///< of which R is the slope: a semi-implicit step
  double dt() const { return dt_; }                ///< [s]
  std::size_t d() const { return static_cast<std::size_t>(scene_.dim()); }
  const SolveNodes& nodes() const { return nodes_; }
  double mass(std::size_t node) const { return mass_[node]; }              ///< [kg]
  Point velocity_before(std::size_t node) const { return before_[node]; }  ///< vⁿ [m/s]
  std::int64_t id(std::size_t node) const { return ids_[node]; }
  virtual std::string_view phase(std::size_t) const { return ""; }  ///< a word, where there are two

  virtual Standing stand(const std::vector<double>& v) const = 0;
  virtual Change change(const std::vector<double>& v, const std::vector<double>& dv) const = 0;
  /// The energy [J]. @param v inverts no particle
  virtual Measured height(const std::vector<double>& v) const = 0;
  /// v* of the explicit step from vⁿ [m/s]; nothing where vⁿ inverts a particle.
  virtual std::vector<double> explicit_velocities() const = 0;

  /// ‖r‖² in the variables in which mass, and drag where there is, of a node are 1; `error` that of forming it [J].
  /// @param r in what bodies leave free [kg m/s]
  virtual Measured squared(const std::vector<Point>& r, const FreePart& free) const;
  /// ‖dv‖² there [J].
  virtual double squared_length(const std::vector<double>& dv) const;

 protected:
  SolveBalance(const Scene& scene, const Arithmetic& arithmetic, const ImplicitOptions& options,
               bool has_energy, double dt, SolveNodes nodes)
      : scene_(scene),
        arithmetic_(arithmetic),
        options_(options),
        has_energy_(has_energy),
        dt_(dt),
        nodes_(std::move(nodes)) {}

  /// Takes masses, momenta and ids of the nodes of a state of mpm at p2g.
  void add_nodes(const Snapshot& state);
  /// stand() of one phase's nodes. @param v of these
  Standing stand_of(const Scene& scene, const Snapshot& state, const PlainBalance& plain,
                    const std::vector<double>& v) const;

 private:
  const Scene& scene_;
  const Arithmetic& arithmetic_;
  const ImplicitOptions& options_;
  bool has_energy_;
  double dt_;
  SolveNodes nodes_;
  std::vector<double> mass_;
  std::vector<Point> before_;
  std::vector<std::int64_t> ids_;
};

/// Change of Δt f(v) along dv: the readable solver's, itself judged by the judge's balance.
using ImpulseChange =
    std::function<std::vector<double>(const std::vector<double>& v, const std::vector<double>& dv)>;

/// That of a step of one phase.
class OnePhaseBalance final : public SolveBalance {
 public:
  /// @param state at p2g
  OnePhaseBalance(const Scene& scene, const Arithmetic& arithmetic, const Snapshot& state, double dt,
                  const PlainBalance& plain, ImpulseChange change);

  Standing stand(const std::vector<double>& v) const override;
  Change change(const std::vector<double>& v, const std::vector<double>& dv) const override;
  Measured height(const std::vector<double>& v) const override;
  std::vector<double> explicit_velocities() const override;

 private:
  const Snapshot& state_;
  const PlainBalance& plain_;
  ImpulseChange change_;
};

}  // namespace repose::crosscheck
