#include <gmock/gmock.h>

#include <atomic>
#include <semaphore>
#include <thread>

#include "app/document/workspace.h"
#include "app/tests/document/samples.h"
#include "app/tests/rooms.h"
#include "core/tests/full_computation.h"

namespace lab {
namespace {

using samples::edit_of_W_Q;
using samples::small_document;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

float number(const Document& document) { return (*matrix_of(document, {MatrixId::kWQ, 1}))(0, 0); }

// A workspace without patience: every evaluation runs in the background.
struct Impatient {
  std::counting_semaphore<> notified{0};
  std::vector<std::string> record;
  Workspace workspace{small_document(), "start.json"};

  Impatient() {
    workspace.set_recorder([this](const std::string& line) { record.push_back(line); });
    workspace.set_sync_timeout(std::chrono::milliseconds(0), [this] { notified.release(); });
  }
  ~Impatient() { workspace.stop_background(); }
  void ask(const Intent& expected) {
    workspace.queue(expected);
    workspace.drain();
  }
  // Waits until everything is finished.
  void rest() {
    while (workspace.behind()) {
      notified.acquire();
      EXPECT_TRUE(workspace.settle());
      expect_consistent();
    }
  }
  void expect_consistent() const {
    attention::test::expect_equals_full_computation(workspace.document().problem,
                                                    workspace.trace());
  }
};

TEST(Background, ShowsTheOldStateUntilTheNewOneIsEvaluated) {
  Impatient bench;
  const float before = number(bench.workspace.document());
  bench.ask(intent::Apply{edit_of_W_Q(5)});
  ASSERT_TRUE(bench.workspace.behind());
  EXPECT_EQ(number(bench.workspace.document()), before);
  EXPECT_EQ(number(bench.workspace.edited()), 5.0f);
  bench.expect_consistent();
  bench.rest();
  EXPECT_EQ(number(bench.workspace.document()), 5.0f);
  EXPECT_EQ(bench.workspace.report().recomputed.heads, (std::vector<int>{1}));
}

TEST(Background, TheShapesOfDocumentAndTraceAlwaysAgree) {
  Impatient bench;
  bench.ask(intent::Apply{SetSentence{"one two three four five six"}});
  EXPECT_EQ(bench.workspace.document().problem.seq_len(), bench.workspace.trace().X.shape().rows);
  bench.ask(intent::Apply{SetSize{SizeId::kHeads, 2}});
  EXPECT_EQ(std::ssize(bench.workspace.trace().heads),
            bench.workspace.document().problem.config.n_heads);
  bench.rest();
  EXPECT_EQ(bench.workspace.document().problem.seq_len(), 6);
  EXPECT_EQ(bench.workspace.trace().heads.size(), 2u);
}

TEST(Background, TheNewestEditWins) {
  Impatient bench;
  for (const float value : {1.0f, 2.0f, 3.0f, 4.0f}) bench.ask(intent::Preview{edit_of_W_Q(value)});
  bench.rest();
  EXPECT_EQ(number(bench.workspace.document()), 4.0f);
  bench.ask(intent::Commit{});
  EXPECT_FALSE(bench.workspace.behind());  // nothing new to evaluate
  EXPECT_THAT(bench.record, ElementsAre(to_json_line(edit_of_W_Q(4))));
}

TEST(Background, ReportsCommandsOnceTheyAreShown) {
  Impatient bench;
  bench.ask(intent::Apply{edit_of_W_Q(1)});
  EXPECT_THAT(bench.record, IsEmpty());
  bench.rest();
  EXPECT_THAT(bench.record, ElementsAre(to_json_line(edit_of_W_Q(1))));
}

TEST(Background, AStoppedEditIsUndoneAndCanBeRedone) {
  Impatient bench;
  bench.ask(intent::Apply{edit_of_W_Q(1)});
  bench.rest();
  bench.ask(intent::Apply{edit_of_W_Q(2)});
  bench.ask(intent::StopEvaluation{});
  bench.rest();
  EXPECT_EQ(number(bench.workspace.document()), 1.0f);
  EXPECT_EQ(number(bench.workspace.edited()), 1.0f);
  bench.ask(intent::Redo{});
  bench.rest();
  EXPECT_EQ(number(bench.workspace.document()), 2.0f);
  EXPECT_THAT(bench.record, ElementsAre(to_json_line(edit_of_W_Q(1)), to_json_line(edit_of_W_Q(2)),
                                        R"({"do":"undo"})", R"({"do":"redo"})"));
}

TEST(Background, AStoppedPreviewOrDocumentLeavesNothingBehind) {
  Impatient bench;
  const Document start = bench.workspace.document();
  bench.ask(intent::Preview{edit_of_W_Q(7)});
  bench.ask(intent::StopEvaluation{});
  bench.rest();
  EXPECT_TRUE(same_document(bench.workspace.edited(), start));
  Document other = make_document("quite another sentence", start.problem.config, 5);
  bench.ask(intent::Replace{other, "other.json"});
  EXPECT_EQ(bench.workspace.opened(), 0);
  bench.ask(intent::StopEvaluation{});
  bench.rest();
  EXPECT_TRUE(same_document(bench.workspace.edited(), start));
  EXPECT_EQ(bench.workspace.path(), "start.json");
  EXPECT_EQ(bench.workspace.opened(), 0);
  EXPECT_THAT(bench.record, IsEmpty());
}

TEST(Background, AnotherDocumentIsOpenedOnceItIsShown) {
  Impatient bench;
  const attention::Config config = bench.workspace.document().problem.config;
  bench.ask(intent::Replace{make_document("quite another", config, 5), "other.json"});
  EXPECT_EQ(bench.workspace.opened(), 0);
  bench.rest();
  EXPECT_EQ(bench.workspace.opened(), 1);
  EXPECT_FALSE(bench.workspace.modified());
}

TEST(Background, WhatIsSavedMeanwhileStaysSaved) {
  Impatient bench;
  bench.ask(intent::Apply{edit_of_W_Q(1)});
  bench.ask(intent::MarkSaved{"now.json"});
  bench.rest();
  EXPECT_FALSE(bench.workspace.modified());
  EXPECT_EQ(bench.workspace.path(), "now.json");
}

TEST(Background, SmallProblemsAreNotWorthTheWait) {
  Impatient bench;
  bench.workspace.set_sync_timeout(std::chrono::milliseconds(1), {});
  bench.ask(intent::Apply{edit_of_W_Q(3)});
  EXPECT_FALSE(bench.workspace.behind());
  EXPECT_EQ(number(bench.workspace.document()), 3.0f);
}

TEST(Background, StopsForGood) {
  Impatient bench;
  const float before = number(bench.workspace.document());
  bench.ask(intent::Apply{edit_of_W_Q(6)});
  bench.workspace.stop_background();
  EXPECT_FALSE(bench.workspace.behind());
  EXPECT_EQ(number(bench.workspace.edited()), before);
  bench.ask(intent::Apply{edit_of_W_Q(8)});
  EXPECT_EQ(number(bench.workspace.document()), 8.0f);
}

TEST(Background, CallsNobodyAfterItWasStopped) {
  for (const bool settled : {false, true}) {
    std::atomic<bool> notified = false;
    Workspace workspace(small_document());
    workspace.set_sync_timeout(std::chrono::milliseconds(0), [&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      notified = true;
    });
    workspace.queue(intent::Apply{edit_of_W_Q(6)});
    workspace.drain();
    while (settled && workspace.behind()) workspace.settle();
    workspace.stop_background();
    EXPECT_TRUE(notified) << "it could be notified after the window was closed";
  }
}

TEST(Background, ASupersededFailureRevertsNothing) {
  Impatient bench;
  Document broken = bench.workspace.document();
  broken.problem.parameters.W_O = attention::SharedMatrix(attention::Matrix::Zero(1, 1));
  const attention::Config config = bench.workspace.document().problem.config;
  bench.ask(intent::Replace{broken, "broken.json"});
  bench.ask(intent::Replace{make_document("quite another", config, 5), "other.json"});
  bench.rest();
  EXPECT_EQ(bench.workspace.document().sentence, "quite another");
  EXPECT_EQ(bench.workspace.message(), "");
  bench.ask(intent::Replace{broken, "broken.json"});
  bench.rest();
  EXPECT_EQ(bench.workspace.document().sentence, "quite another");
  EXPECT_EQ(bench.workspace.path(), "other.json");
  EXPECT_NE(bench.workspace.message(), "");
}

}  // namespace
}  // namespace lab
