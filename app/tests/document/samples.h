#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>

#include "app/document/commands/command.h"
#include "app/document/commands/reducer.h"
#include "app/document/document.h"
#include "app/tests/rooms.h"
#include "core/layer/trace.h"

namespace lab::samples {

/// The matrices with a number for each pair of query and key.
inline constexpr MatrixRef kMask{MatrixId::kMask, 0}, kScoreBias{MatrixId::kScoreBias, 0};

/// "the cat saw the dog .": d_model 6, 3 heads, d_k 4, d_v 2, d_out 6, Xavier weights.
Document small_document();

/// Sets the first number of head 2's W_Q.
SetCell edit_of_W_Q(float value);

/// small_document() with the optional parts: biases in head 2 and b_O, the second sentence "der
/// Hund sah ihn", allowed, bias, names of dimensions, and a different key for the second "the".
Document file_document();

/// Every number and every text of the document, bit for bit: equal strings mean equal documents.
std::string fingerprint(const Document& document);

/// Every number of the trace, bit for bit.
std::string fingerprint(const attention::Trace& trace);

/// The trace of a full computation.
attention::Trace full_trace(const Document& document);

/// The document after a command that must succeed; a test failure and the old document otherwise.
Document after(const Document& document, const Command& command);

/// The message of a command that must fail with kBadInput; a test failure and "" otherwise.
std::string message_after(const Document& document, const Command& command);

/// Commands of every kind, about one in four of them invalid for any document.
class RandomCommands {
 public:
  explicit RandomCommands(std::uint32_t seed) : engine_(seed) {}
  Command next();
  /// A whole number from 0 to `below` − 1.
  int pick(int below);

 private:
  std::string sentence();
  std::vector<chat::Turn> turns();
  MatrixRef matrix();
  float value();
  attention::Matrix block(MatrixId id);
  Command variant();
  Command override_block();
  StageCell cell();
  template <typename Value>
  std::optional<Value> sometimes(Value value) {
    return pick(2) == 0 ? std::nullopt : std::optional(value);
  }

  std::mt19937 engine_;
};

}  // namespace lab::samples
