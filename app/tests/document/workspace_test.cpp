#include "app/document/workspace.h"

#include <gmock/gmock.h>

#include "app/tests/document/samples.h"
#include "app/tests/rooms.h"
#include "core/tests/full_computation.h"

namespace lab {
namespace {

using samples::edit_of_W_Q;
using samples::fingerprint;
using samples::full_trace;
using samples::small_document;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A workspace on small_document() that keeps its record.
struct Bench {
  Workspace workspace{small_document(), "start.json"};
  std::vector<std::string> record;

  Bench() {
    workspace.set_recorder([this](const std::string& line) { record.push_back(line); });
  }
  void drain(const std::vector<Intent>& intents) {
    for (const Intent& expected : intents) workspace.queue(expected);
    EXPECT_EQ(workspace.drain(), !intents.empty());
    attention::test::expect_equals_full_computation(workspace.document().problem,
                                                    workspace.trace());
  }
  float shown() const { return (*matrix_of(workspace.document(), {MatrixId::kWQ, 1}))(0, 0); }
};

TEST(Workspace, StartsEvaluatedAndUnmodified) {
  Bench bench;
  EXPECT_EQ(fingerprint(bench.workspace.trace()), fingerprint(full_trace(small_document())));
  EXPECT_FALSE(bench.workspace.modified());
  EXPECT_EQ(bench.workspace.path(), "start.json");
  EXPECT_FALSE(bench.workspace.drain());
}

TEST(Workspace, ChangesNothingBeforeTheDrain) {
  Bench bench;
  bench.workspace.queue(intent::Apply{edit_of_W_Q(5)});
  EXPECT_NE(bench.shown(), 5.0f);
  bench.workspace.drain();
  EXPECT_EQ(bench.shown(), 5.0f);
}

TEST(Workspace, CommitsTheValueOfTheLastPreview) {
  Bench bench;
  bench.drain({intent::Preview{edit_of_W_Q(1)}, intent::Preview{edit_of_W_Q(2)}});
  EXPECT_TRUE(bench.workspace.modified());
  EXPECT_THAT(bench.record, IsEmpty());
  bench.drain({intent::Preview{edit_of_W_Q(3)}, intent::Commit{}});
  EXPECT_EQ(bench.shown(), 3.0f);
  EXPECT_THAT(bench.record, ElementsAre(to_json_line(edit_of_W_Q(3))));
  EXPECT_THAT(bench.workspace.history().undo_label(), testing::EndsWith(" → 3"));
}

TEST(Workspace, AppliesACommandThatWasTriedOnlyOnce) {
  Bench bench;
  const Attempt tried = bench.workspace.history().attempt(edit_of_W_Q(5)).value();
  bench.drain({intent::Apply{edit_of_W_Q(5), tried}});
  const MatrixRef ref{MatrixId::kWQ, 1};
  EXPECT_TRUE(matrix_of(bench.workspace.document(), ref).same_as(matrix_of(*tried.after, ref)));
  EXPECT_THAT(bench.record, ElementsAre(to_json_line(edit_of_W_Q(5))));
}

TEST(Workspace, CommitWithoutPreviewDoesNothing) {
  Bench bench;
  bench.drain({intent::Commit{}});
  EXPECT_FALSE(bench.workspace.history().can_undo());
  EXPECT_THAT(bench.record, IsEmpty());
  EXPECT_EQ(bench.workspace.message(), "");
}

TEST(Workspace, CancelRestoresTheDocument) {
  Bench bench;
  const Document start = bench.workspace.document();
  bench.drain({intent::Preview{edit_of_W_Q(9)}});
  bench.drain({intent::Cancel{}});
  EXPECT_TRUE(same_document(bench.workspace.document(), start));
  EXPECT_FALSE(bench.workspace.modified());
}

TEST(Workspace, RecomputesOnlyTheHeadThatWasEdited) {
  Bench bench;
  const attention::Trace before = bench.workspace.trace();
  bench.drain({intent::Apply{edit_of_W_Q(5)}});
  EXPECT_THAT(bench.workspace.report().recomputed.heads, ElementsAre(1));
  EXPECT_GT(bench.workspace.report().microseconds, 0.0);
  EXPECT_TRUE(bench.workspace.trace().heads[0].weights.same_as(before.heads[0].weights));
  bench.drain({intent::MarkSaved{"here"}});
  EXPECT_THAT(bench.workspace.report().recomputed.heads, ElementsAre(1));  // still the last one
}

TEST(Workspace, FailureLeavesEverythingAndSaysWhy) {
  Bench bench;
  bench.drain({intent::Apply{edit_of_W_Q(5)}});
  const Document before = bench.workspace.document();
  bench.drain({intent::Apply{SetSentence{"  "}}});
  EXPECT_EQ(bench.workspace.message(), "The sentence is empty: type at least one word.");
  EXPECT_TRUE(same_document(bench.workspace.document(), before));
  EXPECT_EQ(bench.record.size(), 1u);
  bench.drain({intent::Apply{edit_of_W_Q(6)}});
  EXPECT_EQ(bench.workspace.message(), "");
}

TEST(Workspace, ShowsAFailureAmongSuccesses) {
  Bench bench;
  bench.drain({intent::Apply{SetTemperature{-1}}, intent::Apply{edit_of_W_Q(6)}});
  EXPECT_THAT(bench.workspace.message(), HasSubstr("temperature"));
  EXPECT_EQ(bench.shown(), 6.0f);
}

TEST(Workspace, RecordsUndoAndRedo) {
  Bench bench;
  const Document start = bench.workspace.document();
  bench.drain({intent::Undo{}, intent::Redo{}});
  EXPECT_THAT(bench.record, IsEmpty());
  bench.drain({intent::Apply{edit_of_W_Q(5)}, intent::Undo{}});
  EXPECT_TRUE(same_document(bench.workspace.document(), start));
  bench.drain({intent::Redo{}});
  EXPECT_EQ(bench.shown(), 5.0f);
  EXPECT_THAT(bench.record,
              ElementsAre(to_json_line(edit_of_W_Q(5)), R"({"do":"undo"})", R"({"do":"redo"})"));
}

TEST(Workspace, RecordsTheUndoOfTypingOnceForEachCommand) {
  Bench bench;
  for (const char* text : {"a", "a b", "a b c"}) {
    bench.drain({intent::ApplyMerged{SetSentence{text}, "typing"}});
  }
  bench.record.clear();
  bench.drain({intent::Undo{}});
  EXPECT_EQ(bench.workspace.document().sentence, small_document().sentence);
  EXPECT_THAT(bench.record,
              ElementsAre(R"({"do":"undo"})", R"({"do":"undo"})", R"({"do":"undo"})"));
}

TEST(Workspace, RecordsTheUndoOfALongRunOfTypingSoThatReplayingEndsThere) {
  Bench bench;
  bench.drain({intent::Apply{edit_of_W_Q(5)}});
  for (std::size_t i = 0; i < History::kMostSteps + 200; ++i) {
    bench.drain({intent::ApplyMerged{SetSentence{"a b " + std::to_string(i)}, "typing"}});
  }
  bench.drain({intent::Undo{}});
  EXPECT_EQ(bench.workspace.document().sentence, small_document().sentence);
  EXPECT_EQ(bench.shown(), 5.0f);
  Workspace replaying(History::for_replay(small_document()));
  for (const std::string& line : bench.record) {
    if (line == kUndoLine) {
      ASSERT_TRUE(replaying.history().can_undo());
      replaying.queue(intent::Undo{});
    } else {
      replaying.queue(intent::Apply{command_from_json_line(line).value()});
    }
    replaying.drain();
  }
  EXPECT_EQ(fingerprint(replaying.document()), fingerprint(bench.workspace.document()));
}

TEST(Workspace, KnowsWhetherItIsSaved) {
  Bench bench;
  bench.drain({intent::Apply{edit_of_W_Q(5)}});
  EXPECT_TRUE(bench.workspace.modified());
  bench.drain({intent::MarkSaved{"new.json"}});
  EXPECT_FALSE(bench.workspace.modified());
  EXPECT_EQ(bench.workspace.path(), "new.json");
  bench.drain({intent::Undo{}});
  EXPECT_TRUE(bench.workspace.modified());
  bench.drain({intent::Redo{}});
  EXPECT_FALSE(bench.workspace.modified());
}

TEST(Workspace, ReplaceOpensAnotherDocument) {
  Bench bench;
  bench.drain(
      {intent::Apply{edit_of_W_Q(5)}, intent::Replace{samples::file_document(), "other.json"}});
  EXPECT_EQ(fingerprint(bench.workspace.document()), fingerprint(samples::file_document()));
  EXPECT_FALSE(bench.workspace.history().can_undo());
  EXPECT_FALSE(bench.workspace.modified());
  EXPECT_EQ(bench.workspace.path(), "other.json");
}

TEST(Workspace, GoesBackWhenADocumentCannotBeEvaluated) {
  Bench bench;
  bench.drain({intent::Apply{edit_of_W_Q(5)}});
  const Document before = bench.workspace.document();
  bench.record.clear();
  Document broken = small_document();
  broken.problem.parameters.W_O = {};
  bench.drain({intent::Apply{edit_of_W_Q(6)}, intent::Replace{broken, "broken.json"}});
  EXPECT_THAT(bench.workspace.message(), HasSubstr("W_O"));
  EXPECT_TRUE(same_document(bench.workspace.document(), before));
  EXPECT_EQ(bench.workspace.path(), "start.json");
  EXPECT_THAT(bench.record, IsEmpty());
  EXPECT_TRUE(bench.workspace.history().can_undo());
  bench.drain({intent::Apply{edit_of_W_Q(7)}});
  EXPECT_EQ(bench.shown(), 7.0f);
}

TEST(Workspace, TakesTheLongestSentence) {
  Bench bench;
  std::string text;
  for (int i = 0; i < 1000; ++i) text += i % 2 == 0 ? "ab " : "cd.";
  bench.workspace.queue(intent::Apply{SetSentence{text}});
  bench.workspace.drain();
  EXPECT_EQ(bench.workspace.message(), "");
  EXPECT_EQ(bench.workspace.trace().heads[2].weights->rows(),
            bench.workspace.document().problem.seq_len());
}

TEST(Workspace, JumpsBackAndForthAndRecordsTheWay) {
  Workspace workspace(samples::small_document());
  std::vector<std::size_t> states = {workspace.history().state_id()};
  for (const float value : {1.0f, 2.0f, 3.0f}) {
    workspace.queue(intent::Apply{SetCell{{MatrixId::kWO, 0}, 0, 0, value}});
    workspace.drain();
    states.push_back(workspace.history().state_id());
  }
  std::vector<std::string> record;
  workspace.set_recorder([&](const std::string& line) { record.push_back(line); });
  const auto jump = [&](std::size_t state) {
    workspace.queue(intent::JumpTo{state});
    workspace.drain();
    return (*workspace.document().problem.parameters.W_O)(0, 0);
  };
  EXPECT_EQ(jump(states[1]), 1);
  EXPECT_EQ(jump(states[3]), 3);
  EXPECT_EQ(jump(states[2]), 2);
  EXPECT_EQ(jump(9999), 2) << "there is no such state";
  EXPECT_EQ(record.size(), 5u) << "two back, two forward, one back";
  EXPECT_EQ(jump(states[0]), (*samples::small_document().problem.parameters.W_O)(0, 0));
}

TEST(Workspace, RestoresTheWorkThatWasSuspended) {
  Bench bench;
  bench.drain({intent::Apply{edit_of_W_Q(5)}, intent::Apply{edit_of_W_Q(6)}, intent::Undo{}});
  const std::size_t state = bench.workspace.history().state_id();
  const int opened = bench.workspace.opened();
  Document other = small_document();
  other.title = "a lesson";
  bench.drain({intent::SuspendWork{other}});
  EXPECT_TRUE(bench.workspace.work_suspended());
  EXPECT_EQ(bench.workspace.document().title, "a lesson");
  EXPECT_EQ(bench.workspace.path(), "");
  EXPECT_FALSE(bench.workspace.modified());
  EXPECT_FALSE(bench.workspace.history().can_undo());
  EXPECT_GT(bench.workspace.opened(), opened);
  EXPECT_EQ(bench.workspace.own().path, "start.json");
  EXPECT_TRUE(bench.workspace.own().has_unsaved_steps());

  bench.drain({intent::Apply{edit_of_W_Q(9)}, intent::MarkSaved{"lesson.json"}});
  bench.drain({intent::RestoreWork{}});
  EXPECT_FALSE(bench.workspace.work_suspended());
  EXPECT_EQ(bench.shown(), 5.0f);
  EXPECT_EQ(bench.workspace.path(), "start.json");
  EXPECT_TRUE(bench.workspace.has_unsaved_steps());
  EXPECT_EQ(bench.workspace.history().state_id(), state);
  EXPECT_GT(bench.workspace.opened(), opened + 1);
  bench.drain({intent::Redo{}});
  EXPECT_EQ(bench.shown(), 6.0f);
}

TEST(Workspace, RecordsAndFollowsOnlyTheUsersOwnWork) {
  Bench bench;
  std::vector<std::string> followed;
  bench.workspace.set_follower([&](const RecordLine& line) { followed.push_back(line.text); });
  bench.drain({intent::SuspendWork{small_document()}});
  bench.drain(
      {intent::Apply{edit_of_W_Q(9)}, intent::Undo{}, intent::Replace{small_document(), {}}});
  EXPECT_TRUE(bench.workspace.work_suspended());
  bench.drain({intent::RestoreWork{}, intent::RestoreWork{}, intent::Apply{edit_of_W_Q(4)}});
  EXPECT_THAT(bench.record, ElementsAre(to_json_line(edit_of_W_Q(4))));
  EXPECT_THAT(followed, ElementsAre(to_json_line(edit_of_W_Q(4))));
}

TEST(Workspace, SuspendsWithoutThePreview) {
  Bench bench;
  const Document own = bench.workspace.document();
  bench.drain({intent::Preview{edit_of_W_Q(5)}, intent::SuspendWork{small_document()}});
  bench.drain({intent::SuspendWork{small_document()}, intent::RestoreWork{}});
  EXPECT_FALSE(bench.workspace.modified());
  EXPECT_TRUE(same_document(bench.workspace.document(), own));
}

TEST(Workspace, KeepsTheOwnWorkWhenItsReplacementCannotBeEvaluated) {
  Bench bench;
  bench.drain({intent::Apply{edit_of_W_Q(5)}});
  Document broken = small_document();
  broken.problem.parameters.W_O = {};
  bench.workspace.queue(intent::SuspendWork{broken});
  bench.workspace.drain();
  EXPECT_NE(bench.workspace.message(), "");
  EXPECT_FALSE(bench.workspace.work_suspended());
  EXPECT_EQ(bench.shown(), 5.0f);
  EXPECT_TRUE(bench.workspace.history().can_undo());
}

}  // namespace
}  // namespace lab
