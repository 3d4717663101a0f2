// A trained model that is evaluated in the background: what is shown always agrees with itself.

#include <gmock/gmock.h>

#include <semaphore>

#include "app/tests/model/model_bench.h"

namespace lab {
namespace {

using ::testing::HasSubstr;

// A workspace without patience: every evaluation runs in the background.
struct Impatient : ModelBench {
  std::counting_semaphore<> notified{0};

  explicit Impatient(Document document) : ModelBench(std::move(document)) {
    workspace.set_sync_timeout(std::chrono::milliseconds(0), [this] { notified.release(); });
  }
  ~Impatient() { workspace.stop_background(); }
  void ask(const Intent& expected) {
    workspace.queue(expected);
    workspace.drain();
    expect_fresh();  // what is shown agrees with itself all the time
  }
  void rest() {
    while (workspace.behind()) {
      notified.acquire();
      EXPECT_TRUE(workspace.settle());
      expect_fresh();
    }
  }
};

TEST(ModelInBackground, TheNewestEditWins) {
  Impatient bench(opened_checkpoint("gpt2"));
  bench.ask(intent::GoToLayer{kSecond});
  for (const float value : {1.0f, 2.0f, 3.0f, 4.0f}) bench.ask(intent::Preview{edit_of_W_Q(value)});
  bench.ask(intent::Commit{});
  bench.rest();
  EXPECT_EQ(bench.at(), kSecond);
  EXPECT_EQ(bench.shown_W_Q(), 4);
  ASSERT_EQ(bench.record.size(), 1U);
  EXPECT_THAT(bench.record[0], HasSubstr(R"("layer":"1")"));
}

TEST(ModelInBackground, AStoppedEditIsUndone) {
  Impatient bench(opened_checkpoint("gpt2"));
  const ModelDocument start = bench.model();
  bench.ask(intent::Apply{SetHeadMix{.head = 0, .mute = true}, {}, kSecond});
  bench.ask(intent::StopEvaluation{});
  bench.rest();
  expect_same_model(bench.model(), start);
  bench.ask(intent::Redo{});
  bench.rest();
  EXPECT_EQ(bench.model().interventions.gains.size(), 1U);
}

}  // namespace
}  // namespace lab
