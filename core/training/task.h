#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/training/options.h"

namespace attention::training {

/// The target of a position that is asked nothing.
inline constexpr std::uint32_t kNoTarget = 0xffffffffu;

/// One sequence of a batch.
struct Example {
  std::vector<std::uint32_t> ids;      ///< [≤ length] what the network reads
  std::vector<std::uint32_t> targets;  ///< what it should say after each of them; kNoTarget: it is
                                       ///< not asked
  std::vector<std::uint8_t> known;     ///< 1 where the target follows from the ids up to there

  bool operator==(const Example&) const = default;
};

/// An exact task: sequences without end, whose answers can be known at stated positions. Immutable;
/// several threads may draw from one.
class Task {
 public:
  virtual ~Task() = default;
  /// Tasks are shared by pointer, never copied.
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  /// The tokens by id, as they are shown: letters, brackets, words.
  const std::vector<std::string>& tokens() const { return tokens_; }
  /// Size of the vocabulary.
  Index vocabulary() const { return static_cast<Index>(tokens_.size()); }
  /// Number of tokens of an example.
  Index length() const { return length_; }
  /// True when a target is the token that comes next, so that the network can write on.
  bool predicts_next() const { return predicts_next_; }

  /// Sequence `row` of the batch of `step`: the same for the same three numbers.
  Example example(std::uint64_t seed, std::uint64_t step, Index row) const;

  /// Those ids as an example. Where targets are the next token, that of the last id is what the
  /// rule gives, if it gives one. Precondition: the ids are below vocabulary().
  Example solved(std::vector<std::uint32_t> ids) const;

  /// What follows from the task's rule after each id, from the ids up to there; kNoTarget where
  /// nothing can be known.
  virtual std::vector<std::uint32_t> answers(const std::vector<std::uint32_t>& ids) const = 0;

  /// The ids of a text that is typed, in which letters and brackets need no blanks between them; a
  /// token that the task does not have is left out, or the one for unknown words.
  virtual std::vector<std::uint32_t> ids_of(std::string_view text) const;

 protected:
  Task(std::vector<std::string> tokens, Index length, bool predicts_next)
      : tokens_(std::move(tokens)), length_(length), predicts_next_(predicts_next) {}
  /// Draws the ids of an example from the random numbers of `seed`: length() of them, and one more
  /// where targets are the next token.
  virtual std::vector<std::uint32_t> draw(std::uint64_t seed) const = 0;

 private:
  Example with_answers(std::vector<std::uint32_t> ids) const;

  std::vector<std::string> tokens_;
  Index length_;
  bool predicts_next_;
};

/// The task of these options. Throws std::invalid_argument saying what is wrong with them, such as
/// a text that is too short.
std::shared_ptr<const Task> make_task(const TaskOptions& options);

/// What is wrong with the options of a task, a sentence each. Reads the whole text.
std::vector<std::string> complaints(const TaskOptions& options);

}  // namespace attention::training
