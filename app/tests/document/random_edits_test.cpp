#include <gtest/gtest.h>

#include <map>

#include "app/base/unicode_text.h"
#include "app/document/workspace.h"
#include "app/tests/document/samples.h"
#include "app/tests/rooms.h"
#include "core/tests/full_computation.h"

// Long lists of random edits, valid and invalid, and properties that must hold after any of them.

namespace lab {
namespace {

using samples::fingerprint;
using samples::RandomCommands;

class RandomEdits : public ::testing::TestWithParam<std::uint32_t> {
 protected:
  Document start() const {
    return GetParam() % 2 == 0 ? samples::small_document() : samples::file_document();
  }
};

TEST_P(RandomEdits, UndoAllReturnsToTheStartAndRedoAllToTheEnd) {
  RandomCommands commands(GetParam());
  const Document first = start();
  History history(first);
  std::vector<Document> states = {first};
  for (int i = 0; i < 500; ++i) {
    const std::string before = fingerprint(history.document());
    if (history.preview(commands.next())) {
      if (history.commit()) states.push_back(history.document());
    } else {
      ASSERT_EQ(fingerprint(history.document()), before);
    }
  }
  ASSERT_GT(states.size(), 200u);
  const std::string end = fingerprint(history.document());
  for (size_t i = states.size() - 1; i-- > 0;) {
    ASSERT_TRUE(history.undo());
    ASSERT_TRUE(same_document(history.document(), states[i]));
  }
  EXPECT_FALSE(history.can_undo());
  EXPECT_EQ(fingerprint(history.document()), fingerprint(start()));
  while (history.redo()) {
  }
  EXPECT_EQ(fingerprint(history.document()), end);
}

TEST_P(RandomEdits, LeaveAValidDocument) {
  RandomCommands commands(GetParam() + 100);
  Document document = start();
  int failures = 0;
  for (int i = 0; i < 1000; ++i) {
    const Command command = commands.next();
    const auto changed = lab::apply(document, command);
    if (!changed) {
      ++failures;
      ASSERT_FALSE(changed.error().message.empty());
      ASSERT_TRUE(is_utf8(changed.error().message));
      continue;
    }
    document = *changed;
    ASSERT_NO_THROW(attention::validate(document.problem)) << to_json_line(command);
    ASSERT_EQ(*document.problem.embedding, embed_tokens(document)) << to_json_line(command);
    ASSERT_EQ(document.tokens.size(), static_cast<size_t>(document.problem.seq_len()));
    // Applying the command again changes nothing, which the identity of the document shows.
    ASSERT_TRUE(same_document(document, samples::after(document, command)))
        << to_json_line(command);
    ASSERT_EQ(document.problem.cross(), !document.kv_tokens.empty());
    if (!document.problem.cross()) continue;
    ASSERT_EQ(*document.problem.embedding_kv, embed_kv_tokens(document)) << to_json_line(command);
  }
  EXPECT_GT(failures, 50);
}

// Any intent except Replace that a user of the window could cause.
Intent random_intent(RandomCommands& commands) {
  switch (commands.pick(10)) {
    case 0:
    case 1:
    case 2:
      return intent::Apply{commands.next()};
    case 3:
    case 4:
      return intent::ApplyMerged{commands.next(), commands.pick(2) == 0 ? "a" : "b"};
    case 5:
    case 6:
      return intent::Preview{commands.next()};
    case 7:
      return intent::Commit{};
    case 8:
      return commands.pick(2) == 0 ? Intent(intent::Undo{}) : Intent(intent::Redo{});
    default:
      if (commands.pick(3) == 0) return intent::JumpTo{std::size_t(commands.pick(200))};
      return commands.pick(3) == 0 ? Intent(intent::Cancel{}) : Intent(intent::Undo{});
  }
}

TEST_P(RandomEdits, KeepTheTraceEqualToAFullComputation) {
  RandomCommands commands(GetParam() + 200);
  Workspace workspace(start());
  for (int frame = 0; frame < 300; ++frame) {
    for (int i = commands.pick(4); i >= 0; --i) workspace.queue(random_intent(commands));
    workspace.drain();
    attention::test::expect_equals_full_computation(workspace.document().problem,
                                                    workspace.trace());
    ASSERT_FALSE(HasFailure());
  }
}

// Replays a record: one step for each command.
Document replayed(const Document& document, const std::vector<std::string>& record) {
  Workspace workspace(document);
  for (const std::string& line : record) {
    if (line == R"({"do":"undo"})") {
      EXPECT_TRUE(workspace.history().can_undo());
      workspace.queue(intent::Undo{});
    } else if (line == R"({"do":"redo"})") {
      EXPECT_TRUE(workspace.history().can_redo());
      workspace.queue(intent::Redo{});
    } else {
      workspace.queue(intent::Apply{command_from_json_line(line).value()});
    }
    workspace.drain();
    EXPECT_EQ(workspace.message(), "") << line;
  }
  return workspace.document();
}

TEST_P(RandomEdits, AreReproducedByTheirRecord) {
  RandomCommands commands(GetParam() + 300);
  Workspace workspace(start());
  std::vector<std::string> record;
  workspace.set_recorder([&](const std::string& line) { record.push_back(line); });
  for (int i = 0; i < 600; ++i) {
    workspace.queue(random_intent(commands));
    workspace.drain();
  }
  workspace.queue(intent::Cancel{});
  workspace.drain();
  ASSERT_GT(record.size(), 150u);
  EXPECT_EQ(fingerprint(replayed(start(), record)), fingerprint(workspace.document()));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomEdits, ::testing::Range(0u, 6u));

}  // namespace
}  // namespace lab
