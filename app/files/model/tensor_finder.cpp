#include "app/files/model/tensor_finder.h"

#include <algorithm>
#include <array>

#include "app/base/bad_input.h"
#include "app/files/model/families.h"
#include "app/files/tensors/elements.h"

namespace lab::files {
namespace {

using attention::Index;
using attention::Matrix;
using attention::Shape;
using namespace attention::network;

// True for what older versions of transformers save besides the weights: masks, frequencies,
// numbers of positions, versions, and the buckets of distances of T5's cross-attention.
bool is_buffer(const std::string& name) {
  constexpr std::array kEndings = {".attn.bias",
                                   ".attn.masked_bias",
                                   ".attention.bias",
                                   ".attention.masked_bias",
                                   ".rotary_emb.inv_freq",
                                   ".EncDecAttention.relative_attention_bias.weight",
                                   ".position_ids",
                                   ".token_type_ids",
                                   "coder.version",
                                   ".embed_positions._float_tensor",
                                   ".embed_positions.weights",
                                   ".self_attention.rotary_emb.inv_freq",
                                   "final_logits_bias"};
  return std::ranges::any_of(kEndings, [&](const char* end) { return name.ends_with(end); });
}

// True for the weights of heads for other tasks than the next token or a gap, and of poolers, which
// the network has no place for; `name` is without the prefix of stacks.
bool is_other_head(const std::string& name) {
  constexpr std::array kHeads = {"pooler.",          "cls.seq_relationship.",
                                 "classifier.",      "classification_head.",
                                 "pre_classifier.",  "qa_outputs.",
                                 "score.",           "multiple_choice_head.",
                                 "sop_classifier.",  "discriminator_predictions.",
                                 "mask_predictions."};
  return std::ranges::any_of(kHeads, [&](const char* begin) { return name.starts_with(begin); });
}

// True when two matrices of one shape differ in some of 16 rows that lie evenly over them, because
// matrices that a file holds twice are equal or differ nearly everywhere.
bool rows_differ(const StoredMatrix& a, const StoredMatrix& b) {
  constexpr Index kRows = 16;
  const Index step = std::max<Index>(1, a.rows() / kRows);
  for (Index row = 0; row < a.rows(); row += step) {
    const Matrix difference = a.row_range(row, 1).values() - b.row_range(row, 1).values();
    if (!(difference.array() == 0).all()) return true;
  }
  return false;
}

// The part of a layer's name before its number, after `prefix`.
std::string layers_after(const std::string& prefix, const StackNames& names) {
  const std::string layer = names.layer;
  return prefix + layer.substr(0, layer.find('{'));
}

}  // namespace

std::string prefix_of_stacks(const ModelNames& names, const Checkpoint& checkpoint) {
  for (const char* prefix : names.prefixes) {
    if (prefix == nullptr) continue;
    const std::string start = layers_after(prefix, names.stack);
    const auto at = checkpoint.tensors().lower_bound(start);
    if (at != checkpoint.tensors().end() && at->first.starts_with(start)) return prefix;
  }
  return names.prefixes.front();  // with which a missing tensor is named
}

TensorFinder::TensorFinder(const Description& description, const Checkpoint& checkpoint)
    : d_(description),
      checkpoint_(checkpoint),
      names_(names_of(description)),
      prefix_(prefix_of_stacks(names_, checkpoint)) {
  if (d_.tied) add_ties(d_.shared ? names_.ties : names_.ties_of_unshared);
}

StoredMatrix TensorFinder::matrix(const std::string& name, Index rows, Index cols) {
  const std::string stored = stored_name(name);
  if (stored.empty()) throw BadInput(missing(name));
  StoredMatrix matrix = checkpoint_.matrix(stored);
  used_.insert(stored);
  if (matrix.shape() != Shape{rows, cols})
    throw BadInput("tensor " + in_quotes(stored) + " is " +
                   shape_text({matrix.rows(), matrix.cols()}) + ", but config.json says " +
                   shape_text({rows, cols}));
  return matrix;
}

Matrix TensorFinder::kernels(const std::string& name, Index out, Index in, Index taps) {
  const std::string stored = stored_name(name);
  if (stored.empty()) throw BadInput(missing(name));
  used_.insert(stored);
  const std::vector<std::int64_t>& shape = checkpoint_.tensors().at(stored).shape;
  if (shape != std::vector<std::int64_t>{out, in, taps})
    throw BadInput("tensor " + in_quotes(stored) + " is " + shape_text(shape) +
                   ", but config.json says " + shape_text({out, in, taps}));
  return checkpoint_.matrix(stored, true).values();
}

Linear TensorFinder::linear(const std::string& name, Index in, Index out, bool bias) {
  Linear result;
  result.W = names_.stored_in_out ? matrix(name + ".weight", in, out)
                                  : matrix(name + ".weight", out, in).transposed();
  if (bias) result.b = row(name + ".bias", out);
  return result;
}

Norm TensorFinder::norm(const std::string& name, Index d) {
  if (!d_.norm_weights) return {d_.norm, {}, {}, d_.norm_epsilon, d_.norm_weight_plus_one};
  const bool old = !has(name + ".weight") && has(name + ".gamma");
  Norm result{.type = d_.norm,
              .weight = row(name + (old ? ".gamma" : ".weight"), d),
              .bias = {},
              .epsilon = d_.norm_epsilon,
              .weight_plus_one = d_.norm_weight_plus_one};
  if (d_.biases.norm) result.bias = row(name + (old ? ".beta" : ".bias"), d);
  return result;
}

std::vector<std::string> TensorFinder::notes() const {
  std::vector<std::string> notes = notes_;
  for (const auto& [tensor, source] : ties_)
    if (!d_.may_untie && differ(tensor, source))
      notes.push_back("config.json ties " + in_quotes(tensor) + " to " + in_quotes(source) +
                      ", but both are stored and they differ: each is used as it is stored");
  if (const std::string note = unused_note(); !note.empty()) notes.push_back(note);
  return notes;
}

void TensorFinder::add_ties(const TiedTensors& ties) {
  const auto full = [&](const char* name) {
    return *name == '*' ? with_prefix(name + 1) : std::string(name);
  };
  for (const TiedTensor& tie : ties)
    if (tie.tensor != nullptr) ties_.emplace_back(full(tie.tensor), full(tie.source));
}

// The name under which the numbers of `name` are stored: its own, another one that the file says
// is the same, or the first that is there of those it is tied to, their source before the others,
// as the reference chooses; empty when there is none.
std::string TensorFinder::stored_name(const std::string& name) const {
  if (std::string own = checkpoint_.stored_name(name); !own.empty()) return own;
  const auto of_name = std::ranges::find_if(
      ties_, [&](const auto& tie) { return tie.first == name || tie.second == name; });
  if (of_name == ties_.end()) return "";
  const std::string source = of_name->second;
  if (std::string own = checkpoint_.stored_name(source); !own.empty()) return own;
  for (const auto& [tensor, of] : ties_) {
    if (of != source) continue;
    if (std::string own = checkpoint_.stored_name(tensor); !own.empty()) return own;
  }
  return "";
}

std::string TensorFinder::missing(const std::string& name) const {
  std::string text = "tensor " + in_quotes(name) + " is missing";
  std::string others;
  for (const auto& [tensor, source] : ties_)
    if (source == name || tensor == name)
      others += (others.empty() ? "" : ", ") + in_quotes(source == name ? tensor : source);
  if (!others.empty()) text += ", and so is what it may be tied to: " + others;
  const std::string nearest = checkpoint_.nearest_name(name);
  return nearest.empty() ? text : text + "; the nearest that is there is " + in_quotes(nearest);
}

bool TensorFinder::differ(const std::string& tensor, const std::string& source) const {
  if (!has_own(tensor) || !has_own(source)) return false;
  const auto matrix = [&](const std::string& name) {
    return guarded([&] { return checkpoint_.matrix(name); });
  };
  const auto a = matrix(tensor), b = matrix(source);
  return a && b && (a->shape() != b->shape() || rows_differ(*a, *b));
}

bool TensorFinder::is_tied(const std::string& name) const {
  return std::ranges::any_of(
      ties_, [&](const auto& tie) { return tie.first == name || tie.second == name; });
}

std::string TensorFinder::unused_note() const {
  std::vector<std::string> unused;
  for (const auto& [name, tensor] : checkpoint_.tensors()) {
    const std::string rest = name.starts_with(prefix_) ? name.substr(prefix_.size()) : name;
    if (!used_.contains(name) && !is_tied(name) && !is_buffer("." + name) && !is_other_head(rest) &&
        !is_replaced_bias(name))
      unused.push_back(name);
  }
  if (unused.empty()) return {};
  const std::size_t count = unused.size();
  return "the network that config.json describes has no place for " + std::to_string(count) +
         (count == 1 ? " tensor" : " tensors, the first of them") + ", " +
         in_quotes(unused.front()) + "; " + (count == 1 ? "it is" : "they are") + " not used";
}

// The second name of a read-out's bias where the weights are not tied.
bool TensorFinder::is_replaced_bias(const std::string& name) const {
  return std::ranges::any_of(names_.ties, [&](const TiedTensor& tie) {
    return tie.source != nullptr && name == tie.source && name.ends_with(".bias");
  });
}

}  // namespace lab::files
