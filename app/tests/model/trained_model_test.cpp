// Networks that were trained here, opened again as models, and runs that go on.
#include "app/files/training/trained_model.h"

#include <gmock/gmock.h>

#include <fstream>

#include "app/files/tokenizer/tokenizer_file.h"
#include "app/files/training/saved_run.h"
#include "app/tests/model/support.h"
#include "core/training/record.h"

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::training::History;
using attention::training::record_start;
using attention::training::record_step;
using attention::training::TaskType;
using attention::training::TrainedPositions;
using attention::training::Trainer;
using attention::training::TrainingOptions;
using files::OpenedRun;
using files::RunWriter;
using files::SavedRun;
using testing::HasSubstr;

TrainingOptions short_training(TaskType task) {
  TrainingOptions options = attention::training::default_options(task);
  options.task.length = 10;
  options.task.longest_period = 8;
  for (int i = 0; i < 4; ++i) options.task.text += "It's a small, “well-known” tale. ";
  options.heads = 2;
  options.d_model = 16;
  options.d_k = 8;
  options.batch = 8;
  return options;
}

void take_steps(Trainer& trainer, int steps) {
  attention::ThreadPool pool(1);
  for (int i = 0; i < steps; ++i) trainer.step(pool);
}

Matrix logits_of(const attention::network::Network& network,
                 const std::vector<std::uint32_t>& ids) {
  attention::network::NetworkEvaluator evaluator;
  const auto& trace = evaluator.evaluate(network, {ids, {}, {}});
  return logits(network, trace.stack.final, evaluator.pool());
}

void expect_same_logits(const TrainingOptions& options) {
  const TemporaryFolder folder;
  Trainer trainer(options);
  take_steps(trainer, 30);
  ASSERT_TRUE(files::write_trained_model(folder.path(), options, trainer.task(), *trainer.state()));
  const Model model = opened_model(folder.path());
  EXPECT_THAT(model.notes, ::testing::IsEmpty());
  for (const auto& example : trainer.held_out(3)) {
    const Matrix expected = logits_of(trainer.network(), example.ids);
    const Matrix found = logits_of(model.network, example.ids);
    EXPECT_LE((found - expected).cwiseAbs().maxCoeff(), 1e-5);
    EXPECT_GT(expected.cwiseAbs().maxCoeff(), 0.5) << "there is something to compare";
  }
}

TEST(TrainedModel, GivesTheSameLogitsWhenItIsOpened) {
  for (const auto positions : {TrainedPositions::kLearned, TrainedPositions::kRotary}) {
    for (const bool mlp : {false, true}) {
      for (const Index d_k : {8, 6}) {  // the heads of a file are as large as they can be
        SCOPED_TRACE(testing::Message()
                     << mlp << ", d_k " << d_k << ", " << trained_positions_name(positions));
        TrainingOptions options = short_training(TaskType::kRepeat);
        options.positions = positions;
        options.mlp = mlp;
        options.d_k = d_k;
        expect_same_logits(options);
      }
    }
  }
}

TEST(TrainedModel, HasATokenizerForItsTask) {
  const std::pair<TaskType, const char*> texts[] = {
      {TaskType::kRepeat, "h c m f h c"},
      {TaskType::kRepeat, "hcm fhc"},
      {TaskType::kBrackets, "([{}])<?"},
      {TaskType::kSort, "c a b | a b c"},
      {TaskType::kText, "It's a “small”, unknown tale."}};
  for (const auto& [type, text] : texts) {
    SCOPED_TRACE(text);
    const TemporaryFolder folder;
    const TrainingOptions options = short_training(type);
    Trainer trainer(options);
    ASSERT_TRUE(
        files::write_trained_model(folder.path(), options, trainer.task(), *trainer.state()));
    const auto tokenizer = files::open_tokenizer(folder.path());
    ASSERT_TRUE(tokenizer) << tokenizer.error().message;
    std::vector<std::uint32_t> ids;
    const auto tokens = tokenizer->encode(text);
    ASSERT_TRUE(tokens) << tokens.error().message;
    for (const auto& token : *tokens) ids.push_back(token.id);
    EXPECT_EQ(ids, trainer.task().ids_of(text));
    EXPECT_FALSE(ids.empty());
  }
}

// A run of some steps, saved in a folder.
class SavedRuns : public testing::Test {
 protected:
  SavedRuns() {
    record_start(trainer_, run_.history);
    go_on(trainer_, run_, 12);
    run_.edits = {{5, "L1H0 W_Q[3, 2] = 4"}};
    const auto saved = writer_.save(run_);
    EXPECT_TRUE(saved) << saved.error().message;
  }

  static void go_on(Trainer& trainer, SavedRun& run, int steps) {
    attention::ThreadPool pool(1);
    for (int i = 0; i < steps; ++i) record_step(trainer, trainer.step(pool), run.history);
  }
  OpenedRun opened() const {
    auto result = files::open_saved_run(folder_.path());
    EXPECT_TRUE(result) << result.error().message;
    return result ? *std::move(result) : OpenedRun{};
  }
  std::string complaint() const {
    const auto result = files::open_saved_run(folder_.path());
    return result ? "" : result.error().message;
  }
  std::vector<std::string> state_files() const {
    std::vector<std::string> names = folder_.names();
    std::erase(names, "run.json");
    return names;
  }

  const TemporaryFolder folder_;
  Trainer trainer_{short_training(TaskType::kText)};
  SavedRun run_{trainer_.options(), {}, {}};
  RunWriter writer_{folder_.path()};
};

TEST_F(SavedRuns, OpensAsItWas) {
  const OpenedRun found = opened();
  EXPECT_TRUE(found.notes.empty());
  EXPECT_TRUE(found.run.options == run_.options);
  EXPECT_EQ(found.run.edits, run_.edits);
  EXPECT_EQ(found.run.history.curve(), run_.history.curve());
  ASSERT_EQ(found.run.history.measured().size(), run_.history.measured().size());
  EXPECT_EQ(found.run.history.measured()[7].heads, run_.history.measured()[7].heads);
  ASSERT_EQ(found.run.history.states().size(), 13u);
  for (std::size_t i = 0; i < 13; ++i)
    EXPECT_TRUE(*found.run.history.states()[i] == *run_.history.states()[i]) << i;
}

TEST_F(SavedRuns, GoesOnAsIfItHadNotStopped) {
  OpenedRun found = opened();
  Trainer other(found.run.options);
  other.restore(*found.run.history.states().back());
  go_on(other, found.run, 8);
  go_on(trainer_, run_, 8);
  EXPECT_TRUE(*other.state() == *trainer_.state());
  EXPECT_EQ(found.run.history.curve(), run_.history.curve());
}

TEST_F(SavedRuns, WritesOnlyNewStatesAndRemovesThoseOfAnotherBranch) {
  const std::vector<std::string> before = state_files();
  ASSERT_EQ(before.size(), 13u);
  const auto kept = folder_ / before.front();
  std::filesystem::last_write_time(kept, std::filesystem::file_time_type{});
  const auto time = std::filesystem::last_write_time(kept);
  run_.history.truncate(8);
  trainer_.restore(*run_.history.states().back());
  trainer_.set_learning_rate(0.01f);
  go_on(trainer_, run_, 2);
  ASSERT_TRUE(writer_.save(run_));
  EXPECT_EQ(state_files().size(), 11u);
  EXPECT_EQ(std::filesystem::last_write_time(kept), time) << "it was there already";
  EXPECT_TRUE(*opened().run.history.states().back() == *trainer_.state());
}

TEST_F(SavedRuns, LeavesOutStatesThatAreDamagedAndSaysSo) {
  const std::string last = folder_ / state_files().back();
  std::string bytes = text_of_file(last);
  std::ofstream(last, std::ios::binary) << bytes.substr(0, bytes.size() - 9);
  const OpenedRun found = opened();
  EXPECT_EQ(found.run.history.states().size(), 12u);
  ASSERT_EQ(found.notes.size(), 1u);
  EXPECT_THAT(found.notes[0], HasSubstr("is left out"));
  for (const std::string& name : state_files()) std::filesystem::remove(folder_ / name);
  EXPECT_THAT(complaint(), HasSubstr("no state can be read"));
}

TEST_F(SavedRuns, SaysWhatIsWrongWithADamagedFile) {
  const std::string path = folder_ / "run.json", good = text_of_file(path);
  const auto with = [&](std::string_view from, std::string_view to) {
    std::string bad = good;
    bad.replace(bad.find(from), from.size(), to);
    std::ofstream(path, std::ios::binary) << bad;
    return complaint();
  };
  EXPECT_THAT(with("training run", "something"), HasSubstr("no run of training"));
  EXPECT_THAT(with("\"version\": 1", "\"version\": 2"), HasSubstr("newer version"));
  EXPECT_THAT(with("\"heads\": 2", "\"heads\": 3"), HasSubstr("multiple of the 3 heads"));
  EXPECT_THAT(with("\"task\": \"text\"", "\"task\": \"chess\""),
              HasSubstr("options.task: there is no \"chess\""));
  EXPECT_THAT(with("\"states\": [\"", "\"states\": [\"../"), HasSubstr("no name of a state"));
  EXPECT_THAT(with("\"loss\": [", "\"loss\": [1, "), HasSubstr("curve.loss: 13 numbers"));
  std::filesystem::remove(path);
  EXPECT_THAT(complaint(), HasSubstr("there is no run.json"));
}

// No truncation makes it crash, and all but the one of its last line end is refused.
TEST_F(SavedRuns, RefusesEveryTruncation) {
  const std::string path = folder_ / "run.json", good = text_of_file(path);
  for (std::size_t size = 0; size + 2 < good.size(); size += 97) {
    std::ofstream(path, std::ios::binary) << good.substr(0, size);
    EXPECT_NE(complaint(), "") << size;
  }
}

}  // namespace
}  // namespace lab
