#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/files/model/description.h"
#include "app/files/model/tensor_names.h"
#include "app/files/model/weights/checkpoint.h"
#include "core/network/network.h"

namespace lab::files {

/// The prefix that the names of stacks have in `checkpoint`: the first of those in `names` with
/// which there are layers, or the first.
std::string prefix_of_stacks(const ModelNames& names, const Checkpoint& checkpoint);

/// Finds the tensors of one network by their names, and remembers which were asked for. Refers to
/// the description and the checkpoint, which must outlive it.
class TensorFinder {
 public:
  /// Finds out what prefix the names of stacks have in `checkpoint`.
  TensorFinder(const Description& description, const Checkpoint& checkpoint);

  /// The name of something in a stack, such as "h.0.ln_1.weight", as the file has it.
  std::string with_prefix(const std::string& name) const { return prefix_ + name; }
  /// True when there are numbers for that name: its own, or those of a tensor that it is tied to.
  bool has(const std::string& name) const { return !stored_name(name).empty(); }

  /// The tensor `name`, or what it is tied to. Throws BadInput, naming it, when it is missing or
  /// has another shape than [rows × cols].
  attention::network::StoredMatrix matrix(const std::string& name, attention::Index rows,
                                          attention::Index cols);
  /// The same for a tensor of one dimension.
  attention::network::StoredMatrix row(const std::string& name, attention::Index cols) {
    return matrix(name, 1, cols);
  }
  /// The weights of a convolution that is stored as [out × in × taps]: [out × in · taps]. Throws as
  /// matrix() does.
  attention::Matrix kernels(const std::string& name, attention::Index out, attention::Index in,
                            attention::Index taps);
  /// The linear map from `in` to `out` features whose weight and bias are "NAME.weight", which is
  /// stored either way round, and "NAME.bias".
  attention::network::Linear linear(const std::string& name, attention::Index in,
                                    attention::Index out, bool bias);
  /// The norm of `d` features of that name; older checkpoints call its weight gamma and its bias
  /// beta.
  attention::network::Norm norm(const std::string& name, attention::Index d);

  /// Adds a sentence to notes().
  void add_note(std::string note) { notes_.push_back(std::move(note)); }
  /// What a person should know about the tensors, after all have been asked for: one sentence each.
  std::vector<std::string> notes() const;

  /// What is built.
  const Description& description() const { return d_; }
  /// How its tensors are named.
  const ModelNames& names() const { return names_; }

 private:
  bool has_own(const std::string& name) const { return checkpoint_.contains(name); }
  void add_ties(const TiedTensors& ties);
  std::string stored_name(const std::string& name) const;
  std::string missing(const std::string& name) const;
  bool differ(const std::string& tensor, const std::string& source) const;
  bool is_tied(const std::string& name) const;
  std::string unused_note() const;
  bool is_replaced_bias(const std::string& name) const;

  const Description& d_;
  const Checkpoint& checkpoint_;
  const ModelNames& names_;
  std::string prefix_;
  std::vector<std::pair<std::string, std::string>> ties_;  // tensor and source, with their prefix
  std::set<std::string> used_;
  std::vector<std::string> notes_;
};

}  // namespace lab::files
