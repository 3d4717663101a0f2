#pragma once

#include <memory>
#include <vector>

#include "core/network/network.h"
#include "core/numerics/thread_pool.h"
#include "core/training/head_measures.h"
#include "core/training/parameters.h"
#include "core/training/task.h"
#include "core/training/training_state.h"

namespace attention::training {

/// What a step measured, on its batch, before it moved the parameters.
struct StepReport {
  std::uint64_t step = 0;  ///< steps taken after it: 1 for the first
  double loss = 0;         ///< mean of −ln p(target) over all positions that are asked
  double known_loss = 0;   ///< the same over those whose target can be known; NaN without any
  std::vector<float> position_loss;   ///< [length] mean at each position; NaN where none is asked
  double gradient_norm = 0;           ///< Euclidean norm of the gradient by all parameters
  std::vector<float> head_gradients;  ///< [layers · heads] norm of that by W_Q, W_K, W_V and the
                                      ///< rows of W_O of each head, layer by layer
  bool diverged = false;              ///< a number became NaN or infinite: the step was not taken
};

/// Trains a small network on a task: cross-entropy, Adam (Kingma, Ba 2015; β 0.9 and 0.999, ε
/// 1e−8, no weight decay). The numbers depend only on the options and the edits, not on the
/// threads. Uses one thread at a time; different trainers are independent.
class Trainer {
 public:
  /// At step 0. Throws as validate() does.
  explicit Trainer(const TrainingOptions& options);
  ~Trainer();
  /// The trainer that was moved from can only be destroyed or assigned to.
  Trainer(Trainer&&) noexcept;
  Trainer& operator=(Trainer&&) noexcept;

  /// As they were at the start: set_learning_rate() does not change them.
  const TrainingOptions& options() const;
  /// What the network learns; lives as long as the trainer.
  const Task& task() const;
  /// Where each matrix stands in the parameters of state().
  const ParameterLayout& layout() const;

  /// Number of steps taken.
  std::uint64_t steps() const;
  /// Takes one step, unless it diverges: then the state is that before it.
  StepReport step(ThreadPool& pool);

  /// The state now; cheap when it did not change since the last call.
  SharedState state();
  /// Goes on from a state of the same layout. Throws std::invalid_argument when it has another
  /// number of parameters, or a number that is not finite.
  void restore(const TrainingState& state);
  /// The network now, as a view of state().
  network::Network network();

  /// Throws std::invalid_argument unless it is positive and finite.
  void set_learning_rate(float rate);
  /// Takes the parameters of an edited network; Adam's moments stay. Throws as parameters_of()
  /// does, and when a number is not finite.
  void set_network(const network::Network& network);

  /// Examples that are in no batch, always the same: `count` of them.
  std::vector<Example> held_out(Index count) const;
  /// What the heads do on held_out(kMeasuredExamples).
  std::vector<HeadMeasures> measure_heads();

 private:
  struct Shards;
  std::unique_ptr<Shards> shards_;
};

/// Examples that heads are measured on.
inline constexpr Index kMeasuredExamples = 8;

}  // namespace attention::training
