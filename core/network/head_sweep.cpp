#include "core/network/head_sweep.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

#include "core/network/block_pass.h"
#include "core/network/head_runs.h"

namespace attention::network {
namespace {

// The network with only the logits of an answer.
Network with_logits_of(const Network& network, const Answer& answer) {
  Network result = network;
  result.read_out->tokens = answer_columns(network.read_out->tokens, answer);
  return result;
}

// The answer by the logits of that network.
RowVector answers(const Matrix& logits) {
  if (logits.cols() == 1) return logits.col(0).transpose();
  return (logits.col(0) - logits.col(1)).transpose();
}

// The interventions with one more head muted; which heads are solo remains.
Interventions without_head(Interventions all, const LayerId& at, Index head) {
  for (HeadGain& gain : all.gains) {
    if (gain.at != at || gain.head != head) continue;
    gain.mute = true;
    return all;
  }
  all.gains.push_back({at, head, 0});
  return all;
}

// True when a head may reach several later layers at once: with two stacks, and where layers use
// keys and values of others or have more than the stream.
bool has_links(const Network& network) {
  return network.encoder || network.stack.embedding.layer_inputs ||
         std::ranges::any_of(network.stack.blocks, [](const Block& block) {
           return block.attention.key_layer.has_value();
         });
}

bool is_output_patch(const HeadPatch& patch) { return patch.stage == Stage::kHeadOutput; }

Interventions with_patch(Interventions all, const HeadPatch& patch) {
  std::erase_if(all.patches, [&](const HeadPatch& other) {
    return is_output_patch(other) && other.at == patch.at && other.head == patch.head;
  });
  all.patches.push_back(patch);
  return all;
}

Shape heads_of(const Network& network, Sublayer sublayer) {
  const Shape shape{layer_count(network, sublayer), head_count(network, sublayer)};
  if (shape.cols == 0) throw std::invalid_argument("the network has no such layers");
  return shape;
}

void require_same_length(const StackTrace& target, const StackTrace& source) {
  if (target.n() == source.n()) return;
  throw std::invalid_argument("the texts have " + std::to_string(target.n()) + " and " +
                              std::to_string(source.n()) +
                              " tokens; heads can be patched only from a text with as many");
}

// The interventions but for what is done at `at` to the outputs of heads once they are computed.
Interventions before_gains(Interventions all, const LayerId& at) {
  std::erase_if(all.gains, [&](const HeadGain& gain) { return gain.at == at; });
  std::erase_if(all.overrides, [&](const CellOverride& override) {
    return override.at == at && override.cell.stage == Stage::kConcat;
  });
  return all;
}

// The keys and values of another layer that the sublayer at `at` uses, if it does, in a forward
// pass.
class TracedKeys {
 public:
  TracedKeys(const Stack& stack, const StackTrace& trace, const Interventions& interventions,
             const LayerId& at, ThreadPool& pool) {
    const auto& key_layer = stack.blocks[static_cast<std::size_t>(at.layer)].attention.key_layer;
    if (!key_layer) return;
    const auto layer = static_cast<std::size_t>(*key_layer);
    const Block& block = stack.blocks[layer];
    const Matrix rows = before_sublayer(block.attention_norms, *trace.blocks[layer].input, pool);
    update_projections(block.attention, rows, 0, {&interventions, {at.sublayer, *key_layer}}, pool,
                       projected_);
    source_.emplace(KeySource{block.attention, projected_});
  }
  TracedKeys(const TracedKeys&) = delete;
  TracedKeys& operator=(const TracedKeys&) = delete;

  const KeySource* source() const { return source_ ? &*source_ : nullptr; }

 private:
  Projected projected_;
  std::optional<KeySource> source_;
};

// The rows that cross-attention reads.
Matrix before_cross_attention(const Block& block, const BlockTrace& traced, Index layer,
                              const Interventions& interventions, ThreadPool& pool) {
  const BlockPass pass{block, 0, interventions, {Sublayer::kSelf, layer}, nullptr, pool};
  return before_sublayer(block.cross_norms, after_self_attention(pass, *traced.input), pool);
}

}  // namespace

struct HeadSweep::State {
  AskedPass pass;
  std::optional<PatchSource> source;
  Sublayer sublayer;
  ThreadPool& pool;
  Network network;                     // of `pass`, with only the answer's logits
  Interventions without_patches;       // of heads' outputs
  std::vector<Matrix> source_outputs;  // of each layer, once they are needed; see head_outputs()
  bool alone;                          // has_links(): heads are computed one by one
  std::optional<NetworkEvaluator> evaluator;  // for these
  float baseline = 0;
  std::vector<Index> layers;  // that attend: heads are counted through them
  Matrix changes;
  Index known = 0, work_done = 0;

  State(const AskedPass& asked, std::optional<PatchSource> patches, Sublayer of, ThreadPool& shared)
      : pass(asked),
        source(patches),
        sublayer(of),
        pool(shared),
        network(with_logits_of(asked.network, asked.answer)),
        without_patches(asked.interventions),
        alone(has_links(network)),
        layers(attending_layers(asked.network, of)) {
    std::erase_if(without_patches.patches, is_output_patch);
    const Shape shape = heads_of(network, sublayer);
    changes.setConstant(shape.rows, shape.cols, std::numeric_limits<float>::quiet_NaN());
    source_outputs.resize(static_cast<std::size_t>(shape.rows));
    baseline = answers(logits(network, pass.trace.stack.final.row(pass.answer.row), pool))(0);
  }

  Index count() const { return std::ssize(layers) * changes.cols(); }
  // The layer of the head with this number.
  Index layer_of(Index i) const { return layers[static_cast<std::size_t>(i / changes.cols())]; }

  // The first of the heads that are computed next, which end before those that are known: groups
  // are counted from the first head, so that they do not depend on the order.
  Index next_group() const {
    const Index last = count() - known - 1;
    return alone ? last : last / group_size() * group_size();
  }
  Index group_size() const { return runs_together(pass.trace.stack.n()); }

  // Of `heads`, in rows that are computed.
  Index work_of(const RowRange& heads) const {
    if (alone) return heads.count;
    Index work = 0;
    for (Index i = heads.first; i < heads.first + heads.count; ++i)
      work += changes.rows() - layer_of(i);
    return work;
  }

  const Matrix& source_output(Index layer) {
    Matrix& outputs = source_outputs[static_cast<std::size_t>(layer)];
    if (outputs.size() == 0)
      outputs =
          head_outputs(pass.network, source->trace, source->interventions, {sublayer, layer}, pool);
    return outputs;
  }

  MatrixView source_head(Index layer, Index head) {
    const Index d = find_attention(network, {sublayer, layer})->d_v();
    return source_output(layer).middleCols(head * d, d);
  }

  // Muting a head that is not active changes nothing, not even by rounding.
  bool stays_silent(Index layer, Index head) const {
    return !source && head_gain(pass.interventions, {sublayer, layer}, head) == 0;
  }

  void change_head(Index layer, Index head, Index first_row, MatrixSlot rows) {
    if (!source) {
      rows.setZero();
      return;
    }
    const LayerInterventions here{&without_patches, {sublayer, layer}};
    rows = source_head(layer, head).middleRows(first_row, rows.rows());
    replace(here, Stage::kHeadOutput, head, first_row, rows);
    rows *= gain_of(here, head);
  }

  RowVector computed_together(const RowRange& heads, WorkWatch* watch) {
    const ChangeHead change = [this](Index layer, Index head, Index first_row,
                                     const MatrixSlot& rows) {
      change_head(layer, head, first_row, rows);
    };
    const HeadRunsInput input{network, pass.trace.stack, pass.interventions, pass.answer.row, pool};
    return answers(logits_of_runs(input, heads, change, watch));
  }

  float computed_alone(Index i, WorkWatch* watch) {
    if (!evaluator) evaluator.emplace(pool.threads());
    const LayerId at{sublayer, layer_of(i)};
    const Index head = i % changes.cols();
    const auto changed = [&] {
      if (!source) return without_head(pass.interventions, at, head);
      const SharedMatrix values{Matrix(source_head(at.layer, head))};
      return with_patch(pass.interventions, {at, head, Stage::kHeadOutput, values});
    };
    const NetworkTrace& trace = evaluator->evaluate(network, pass.tokens, changed());
    report_work(watch, 1);
    return answers(logits(network, trace.stack.final.row(pass.answer.row), pool))(0);
  }
};

HeadSweep::HeadSweep(const AskedPass& pass, Sublayer sublayer, ThreadPool& pool) {
  validate(pass.answer, pass.network, pass.trace.stack.n());
  state_ = std::make_unique<State>(pass, std::nullopt, sublayer, pool);
}

HeadSweep::HeadSweep(const AskedPass& pass, const PatchSource& source, Sublayer sublayer,
                     ThreadPool& pool) {
  validate(pass.answer, pass.network, pass.trace.stack.n());
  require_same_length(pass.trace.stack, source.trace.stack);
  if (pass.trace.encoder) require_same_length(*pass.trace.encoder, *source.trace.encoder);
  state_ = std::make_unique<State>(pass, source, sublayer, pool);
}

HeadSweep::~HeadSweep() = default;

bool HeadSweep::done() const { return state_->known == state_->count(); }

Index HeadSweep::work() const { return state_->work_of({0, state_->count()}); }

Index HeadSweep::work_done() const { return state_->work_done; }

const Matrix& HeadSweep::changes() const { return state_->changes; }

void HeadSweep::step(WorkWatch* watch) {
  State& state = *state_;
  const Index first = state.next_group();
  const RowRange heads{first, state.count() - state.known - first};
  RowVector computed(heads.count);
  if (state.alone)
    computed(0) = state.computed_alone(first, watch);
  else
    computed = state.computed_together(heads, watch);
  for (Index i = 0; i < heads.count; ++i) {
    const Index layer = state.layer_of(first + i);
    const Index head = (first + i) % state.changes.cols();
    state.changes(layer, head) = state.stays_silent(layer, head) ? 0 : computed(i) - state.baseline;
  }
  state.known += heads.count;
  state.work_done += state.work_of(heads);
}

Matrix head_outputs(const Network& network, const NetworkTrace& trace,
                    const Interventions& interventions, const LayerId& at, ThreadPool& pool) {
  const Attention* attention = find_attention(network, at);
  if (attention == nullptr) throw std::invalid_argument(missing_attention(network, at));
  const bool of_encoder = at.sublayer == Sublayer::kEncoder;
  const auto layer = static_cast<std::size_t>(at.layer);
  const Stack& stack = of_encoder ? *network.encoder : network.stack;
  const Block& block = stack.blocks[layer];
  const BlockTrace& traced = stack_trace(trace, at.sublayer).blocks[layer];
  const Interventions kept = before_gains(interventions, at);
  const LayerInterventions here{&kept, at};
  Projected projected;
  if (at.sublayer == Sublayer::kCross) {
    const Matrix rows = before_cross_attention(block, traced, at.layer, kept, pool);
    update_cross_projections(*attention, rows, 0, trace.encoder->final, here, pool, projected);
  } else {
    const Matrix rows = before_sublayer(block.attention_norms, *traced.input, pool);
    const TracedKeys keys(stack, stack_trace(trace, at.sublayer), interventions, at, pool);
    update_projections(*attention, rows, 0, here, pool, projected, 0, keys.source());
  }
  Matrix weights;
  return mix_heads(*attention, projected, 0, here, pool, weights);
}

}  // namespace attention::network
