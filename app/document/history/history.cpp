#include "app/document/history/history.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <utility>

#include "app/document/words/detached_text.h"

namespace lab {

using attention::SharedMatrix;

namespace {

std::size_t bytes_of(const Detached& detached) {
  return (detached.mask.size() + detached.bias.size()) * sizeof(PairCell) +
         (detached.overrides.size() + detached.switched_off.size()) * sizeof(attention::Override);
}

// The bytes of the numbers that `after` holds and does not share with `before`.
std::size_t bytes_beyond(const Document& before, const Document& after) {
  std::set<std::uint64_t> shared;
  for (const SharedMatrix* matrix : matrices_of(before.problem)) shared.insert(matrix->version());
  attention::Index numbers = 0;
  for (const SharedMatrix* matrix : matrices_of(after.problem)) {
    if (!shared.contains(matrix->version())) numbers += (*matrix)->size();
  }
  const auto words_of = [](const std::shared_ptr<const Lexicon>& is, const auto& was) {
    return is == was ? 0 : static_cast<attention::Index>(is->size());
  };
  numbers +=
      (words_of(after.lexicon, before.lexicon) + words_of(after.kv_lexicon, before.kv_lexicon)) *
      after.problem.config.d_model;
  const std::size_t detached = after.detached == before.detached ? 0 : bytes_of(*after.detached);
  return static_cast<std::size_t>(numbers) * sizeof(float) + detached;
}

std::size_t bytes_of(const Command& command) {
  attention::Index numbers = 0;
  if (const auto* block = std::get_if<SetBlock>(&command)) numbers = block->values.size();
  if (const auto* blocks = std::get_if<SetBlocks>(&command))
    for (const SetBlock& block : blocks->blocks) numbers += block.values.size();
  return static_cast<std::size_t>(numbers) * sizeof(float);
}

}  // namespace

History::History(Document document, std::size_t most_bytes, std::size_t most_steps)
    : most_bytes_(most_bytes), most_steps_(most_steps) {
  Step first;
  first.document = std::move(document);
  steps_.push_back(std::make_shared<const Step>(std::move(first)));
}

History History::for_replay(Document document) {
  return History(std::move(document), kMostBytes, std::numeric_limits<std::size_t>::max());
}

Expected<Attempt> History::attempt(const Command& command) const {
  const std::shared_ptr<const Step>& now = steps_[now_];
  auto changed = lab::apply(now->document, command);
  if (!changed) return tl::make_unexpected(std::move(changed.error()));
  return Attempt{{now, &now->document}, std::make_shared<const Document>(std::move(*changed))};
}

Expected<Attempt> History::attempt(
    std::shared_ptr<const Document> at_layer,
    const std::function<Expected<Document>(const Document&)>& edit) const {
  const std::shared_ptr<const Step>& now = steps_[now_];
  auto changed = edit(*at_layer);
  if (!changed) return tl::make_unexpected(std::move(changed.error()));
  return Attempt{{now, &now->document},
                 std::make_shared<const Document>(std::move(*changed)),
                 std::move(at_layer)};
}

Expected<void> History::preview(const Command& command, const Attempt& dry_run) {
  if (dry_run.before.get() != &committed()) {
    const auto now = attempt(command);
    return now ? preview(command, *now) : tl::make_unexpected(now.error());
  }
  previewed_ = command;
  scratch_ = dry_run.after;
  at_layer_ = dry_run.at_layer;
  return {};
}

std::optional<Command> History::commit(StepLabel label) {
  return commit_step({{}, std::move(label), {}, 0, 1, 0}, false);
}

std::optional<Command> History::commit_merged(std::string merge_key, StepLabel label) {
  const Step& newest = *steps_[now_];
  const bool grows =
      can_undo() && !can_redo() && newest.merge_key == merge_key && newest.id != kept_;
  const std::size_t commands = grows ? newest.commands + 1 : 1;
  return commit_step({{}, std::move(label), std::move(merge_key), 0, commands, 0}, grows);
}

// A step that grows replaces the newest one.
std::optional<Command> History::commit_step(Step step, bool grows) {
  if (!scratch_) return std::nullopt;
  if (same_document(*scratch_, at_layer_ ? *at_layer_ : steps_[now_]->document)) {
    cancel();
    return std::nullopt;
  }
  step.document = *scratch_;
  step.id = next_id_;
  step.command = *previewed_;
  step.at_layer = grows ? steps_[now_]->at_layer : at_layer_;
  step.bytes = bytes_beyond(steps_[grows ? now_ - 1 : now_]->document, step.document) +
               bytes_of(step.command);
  auto finished = std::make_shared<const Step>(std::move(step));
  steps_.reserve(steps_.size() + 1);
  // From here on nothing throws.
  if (!grows) ++now_;
  steps_.resize(now_);
  steps_.push_back(std::move(finished));
  ++next_id_;
  discard_oldest();
  scratch_.reset();
  at_layer_.reset();
  return std::exchange(previewed_, std::nullopt);
}

void History::rebase(const std::function<Document(const Document&)>& change) {
  std::vector<std::shared_ptr<const Step>> changed;
  for (const auto& step : steps_) {
    Step other = *step;
    other.document = change(step->document);
    changed.push_back(std::make_shared<const Step>(std::move(other)));
  }
  auto scratch = scratch_ ? std::make_shared<const Document>(change(*scratch_)) : nullptr;
  steps_ = std::move(changed);
  scratch_ = std::move(scratch);
}

void History::discard_oldest() {
  std::size_t bytes = 0, first = now_;
  while (first > 0) {
    bytes += steps_[first]->bytes;
    const bool fits = now_ - first < most_steps_ && bytes <= most_bytes_;
    if (!fits && first < now_) break;
    --first;
  }
  discarded_ = discarded_ || first > 0;
  steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(first));
  now_ -= first;
}

bool History::undo() {
  cancel();
  if (!can_undo()) return false;
  --now_;
  return true;
}

bool History::redo() {
  cancel();
  if (!can_redo()) return false;
  ++now_;
  return true;
}

bool History::has_past(std::size_t state_id) const {
  const auto past = std::span(steps_).first(now_ + 1);
  return std::ranges::any_of(past, [&](const auto& step) { return step->id == state_id; });
}

std::string History::name_of(const Step& before, const Step& step) {
  if (step.label) return step.label();
  return step_label(step.command, step.at_layer ? *step.at_layer : before.document, step.document);
}

std::vector<HistoryEntry> History::entries() const {
  std::vector<HistoryEntry> entries{{{}, steps_.front()->id}};
  for (std::size_t i = 1; i < steps_.size(); ++i) {
    auto label = [before = steps_[i - 1], step = steps_[i]] { return name_of(*before, *step); };
    entries.push_back({std::move(label), steps_[i]->id});
  }
  return entries;
}

std::string History::entry_note(std::size_t entry) const {
  if (entry == 0 || entry >= steps_.size()) return {};
  return detached_note(detached_report(steps_[entry - 1]->document, steps_[entry]->document));
}

std::string History::undo_label() const {
  return can_undo() ? name_of(*steps_[now_ - 1], *steps_[now_]) : "";
}

std::string History::redo_label() const {
  return can_redo() ? name_of(*steps_[now_], *steps_[now_ + 1]) : "";
}

}  // namespace lab
