#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/document/sensitivity/layer_sensitivity.h"
#include "core/gradient/layer_gradient.h"

namespace lab::view {

/// What moves the number that is asked about, as matrices that maps show. Each is made when it is
/// first shown, and stays the same until there is another gradient.
class SensitivityMaps {
 public:
  /// Computes the gradient of a layer made by hand.
  LayerSensitivity& service() { return service_; }

  /// Shows this gradient from now on; null: there is none.
  void show(std::shared_ptr<const attention::LayerGradient> gradient);
  /// Forgets everything.
  void clear();

  /// True when there is a gradient to show.
  bool any() const { return gradient_ != nullptr; }
  /// The gradient. Precondition: any().
  const attention::LayerGradient& gradient() const { return *gradient_; }
  /// Another number for each gradient.
  std::uint64_t number() const { return number_; }

  /// d(number) / d(each number of a stage of `problem`), zeros where none moves it; `head` as for
  /// stage_matrix(). Precondition: any().
  const attention::SharedMatrix& stage(const attention::Problem& problem, attention::Stage stage,
                                       attention::Index head);
  /// True when some number of that stage can move it.
  bool reaches(const attention::Problem& problem, attention::Stage stage,
               attention::Index head) const;
  /// The same for a matrix, with `head` as for matrix_of(). That of an absent score bias is what
  /// one of zeros would have; empty for other absent ones, and for the mask. Precondition: any().
  const attention::SharedMatrix& matrix(const attention::Problem& problem, attention::MatrixId id,
                                        attention::Index head);
  /// The ten numbers that move it most. Precondition: any().
  const std::vector<attention::Sensitivity>& strongest();

  std::string name;     ///< of what is asked about: "weights[it, animal] of head 1"
  std::string problem;  ///< why nothing moves it; empty: something can
  bool current = true;  ///< the gradient is of the state that is shown

 private:
  const attention::Matrix* found(const attention::Problem& problem, attention::Stage stage,
                                 attention::Index head) const;
  attention::Matrix of_absent_bias(const attention::Problem& problem) const;

  LayerSensitivity service_;
  std::shared_ptr<const attention::LayerGradient> gradient_;
  std::uint64_t number_ = 0;
  std::map<std::pair<attention::Stage, attention::Index>, attention::SharedMatrix> stages_;
  std::map<std::pair<attention::MatrixId, attention::Index>, attention::SharedMatrix> matrices_;
  std::vector<attention::Sensitivity> strongest_;
  bool ranked_ = false;  // strongest_ is known
};

}  // namespace lab::view
