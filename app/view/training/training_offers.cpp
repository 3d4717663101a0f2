#include "app/view/training/training_offers.h"

#include <algorithm>
#include <array>

#include "app/base/machine_numbers.h"
#include "app/base/typed_number.h"
#include "app/base/wording.h"
#include "app/document/training/task_title.h"
#include "app/translation/words.h"

namespace lab::view {
namespace {

using attention::Index;
using attention::training::TaskType;
using attention::training::TrainedPositions;
using attention::training::TrainingOptions;

using Offers = std::vector<OfferedOptions>;

// Adds `changed` unless a trainer would refuse it.
void offer(Offers& offers, std::string id, std::string text, const TrainingOptions& now,
           const TrainingOptions& changed) {
  if (complaints(changed).empty())
    offers.push_back({std::move(id), std::move(text), changed == now, changed});
}

// The numbers that a menu offers and the present one, in order.
std::vector<Index> numbers_with(std::vector<Index> numbers, Index now) {
  if (std::ranges::find(numbers, now) == numbers.end()) numbers.push_back(now);
  std::ranges::sort(numbers);
  return numbers;
}

// The options with that width and so many heads, which share it evenly.
TrainingOptions with_shape(TrainingOptions options, Index d_model, Index heads) {
  options.d_model = d_model;
  options.heads = heads;
  options.d_k = std::max<Index>(2, d_model / heads);
  return options;
}

// In a word; task_title() says it in full.
std::string name_of_task(TaskType type) {
  switch (type) {
    case TaskType::kRepeat:
      return tr("repeat##task");
    case TaskType::kPrevious:
      return tr("previous##task");
    case TaskType::kBrackets:
      return tr("brackets##task");
    case TaskType::kCopy:
      return tr("copy##task");
    case TaskType::kSort:
      return tr("sort##task");
    case TaskType::kText:
      return tr("text##task");
  }
  return {};
}

OfferGroups tasks(const TrainingOptions& now) {
  Offers offers;
  for (const TaskType type : attention::training::kAllTasks) {
    if (type == TaskType::kText && now.task.type != type) continue;  // it needs a text
    TrainingOptions changed = now;
    if (type != now.task.type) changed.task = attention::training::default_options(type).task;
    offer(offers, std::string(task_name(type)), task_title(type), now, changed);
  }
  return {offers};
}

OfferGroups shapes(const TrainingOptions& now) {
  Offers layers, heads;
  for (const Index count : {1, 2, 3, 4}) {
    TrainingOptions changed = now;
    changed.layers = count;
    offer(layers, "layers" + std::to_string(count),
          tr_count("{} layer", "{} layers", static_cast<long>(count)), now, changed);
  }
  for (const Index count : {1, 2, 4, 8})
    offer(heads, "heads" + std::to_string(count),
          tr_count("{} head in each", "{} heads in each", static_cast<long>(count)), now,
          count == now.heads ? now : with_shape(now, now.d_model, count));
  return {layers, heads};
}

OfferGroups widths(const TrainingOptions& now) {
  Offers offers;
  for (const Index width : numbers_with({16, 32, 64, 128}, now.d_model)) {
    const TrainingOptions changed = width == now.d_model ? now : with_shape(now, width, now.heads);
    offer(offers, "d" + std::to_string(width),
          std::to_string(width) + " · " + std::to_string(changed.d_k), now, changed);
  }
  return {offers};
}

std::string vocabulary_text(TaskType type, Index count) {
  if (type == TaskType::kBrackets)
    return tr_count("{} kind of brackets", "{} kinds of brackets", static_cast<long>(count));
  return type == TaskType::kText ? tr("{} words", {std::to_string(count)})
                                 : tr("{} letters", {std::to_string(count)});
}

std::vector<Index> default_vocabularies(TaskType type) {
  if (type == TaskType::kBrackets) return {1, 2, 3, 4};
  if (type == TaskType::kText) return {50, 100, 200, 500};
  return {8, 16, 26, 52};
}

OfferGroups texts(const TrainingOptions& now) {
  Offers vocabularies, lengths;
  for (const Index count : numbers_with(default_vocabularies(now.task.type), now.task.vocabulary)) {
    TrainingOptions changed = now;
    changed.task.vocabulary = count;
    offer(vocabularies, "vocabulary" + std::to_string(count), vocabulary_text(now.task.type, count),
          now, changed);
  }
  for (const Index length : numbers_with({12, 16, 24, 32, 48}, now.task.length)) {
    TrainingOptions changed = now;
    changed.task.length = length;
    offer(lengths, "length" + std::to_string(length),
          tr("{} tokens long", {std::to_string(length)}), now, changed);
  }
  return {vocabularies, lengths};
}

OfferGroups blocks(const TrainingOptions& now) {
  Offers mlps, positions;
  for (const bool mlp : {false, true}) {
    TrainingOptions changed = now;
    changed.mlp = mlp;
    offer(mlps, mlp ? "mlp" : "attention", mlp ? tr("attention and MLP") : tr("attention only"),
          now, changed);
  }
  for (const auto type : {TrainedPositions::kLearned, TrainedPositions::kRotary}) {
    TrainingOptions changed = now;
    changed.positions = type;
    offer(positions, std::string(trained_positions_name(type)),
          type == TrainedPositions::kLearned ? tr("learned positions") : tr("rotary positions"),
          now, changed);
  }
  return {mlps, positions};
}

std::string blocks_text(const TrainingOptions& now) {
  const bool learned = now.positions == TrainedPositions::kLearned;
  return (now.mlp ? tr("MLP") : tr("attention##blocks")) + " · " +
         (learned ? tr("learned") : tr("rotary"));
}

// Without an exponent: "0.0003".
std::string learning_rate_text(float rate) {
  constexpr int kMostDecimals = 9;
  const std::string digits = rounded_digits(rate, kMostDecimals);
  return digits == "0" ? shortest(rate) : with_decimal_mark(digits);
}

OfferGroups rates(const TrainingOptions& now) {
  Offers offers;
  for (const float rate : {0.0003f, 0.001f, 0.003f, 0.01f, 0.03f, 0.1f}) {
    TrainingOptions changed = now;
    changed.learning_rate = rate;
    offer(offers, shortest(rate), learning_rate_text(rate), now, changed);
  }
  return {offers};
}

OfferGroups batches(const TrainingOptions& now) {
  Offers offers;
  for (const Index count : numbers_with({8, 16, 32, 64, 128}, now.batch)) {
    TrainingOptions changed = now;
    changed.batch = count;
    offer(offers, std::to_string(count), grouped(count), now, changed);
  }
  return {offers};
}

OfferGroups seeds(const TrainingOptions& now) {
  Offers offers;
  for (std::uint64_t seed = 1; seed <= 9; ++seed) {
    TrainingOptions changed = now;
    changed.seed = seed;
    offer(offers, std::to_string(seed), std::to_string(seed), now, changed);
  }
  return {offers};
}

constexpr std::array kOptionRows{
    OptionRow{"task", tr_later("Task"),
              [](const TrainingOptions& now) { return name_of_task(now.task.type); }, tasks},
    OptionRow{"shape", tr_later("Layers × heads"),
              [](const TrainingOptions& now) {
                return std::to_string(now.layers) + " × " + std::to_string(now.heads);
              },
              shapes},
    OptionRow{"width", "d_model · d_k",
              [](const TrainingOptions& now) {
                return std::to_string(now.d_model) + " · " + std::to_string(now.d_k);
              },
              widths},
    OptionRow{"text", tr_later("Vocabulary · length"),
              [](const TrainingOptions& now) {
                return std::to_string(now.task.vocabulary) + " · " +
                       std::to_string(now.task.length);
              },
              texts},
    OptionRow{"kind", tr_later("Blocks"), blocks_text, blocks},
    OptionRow{"rate", tr_later("Learning rate"),
              [](const TrainingOptions& now) { return learning_rate_text(now.learning_rate); },
              rates},
    OptionRow{"batch", tr_later("Batch"),
              [](const TrainingOptions& now) { return std::to_string(now.batch); }, batches},
    OptionRow{"seed", tr_later("Seed"),
              [](const TrainingOptions& now) { return std::to_string(now.seed); }, seeds}};

}  // namespace

std::span<const OptionRow> option_rows() { return kOptionRows; }

}  // namespace lab::view
