// Training in the window: steps that are followed, kept, undone, edited and saved.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "app/document/model/shown_layer.h"
#include "app/document/training/training_document.h"
#include "app/files/document_session.h"
#include "app/files/io/bytes.h"
#include "app/files/opened_model.h"
#include "app/files/training/run_folder.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/screen.h"
#include "app/view/maps/training_lines.h"

namespace lab {
namespace {

using attention::network::LayerId;
using attention::training::TrainingOptions;

TrainingOptions small_options() {
  TrainingOptions options;
  options.heads = 2;
  options.d_model = 8;
  options.d_k = 4;
  options.task.vocabulary = 6;
  options.task.length = 8;
  options.task.shortest_period = 3;
  options.task.longest_period = 4;
  options.batch = 4;
  options.learning_rate = 0.01f;
  return options;
}

Document training(const TrainingOptions& options) {
  auto run = std::make_shared<TrainingRun>(options);
  const std::string text = example_text(*run, 0);
  auto source = files::run_source(std::move(run), "a task");
  auto model = make_model_document(source.value(), ModelText{text, {}});
  return shown_layer(std::make_shared<const ModelDocument>(model.value()), LayerId{});
}

struct TrainingScreen : Screen {
  explicit TrainingScreen(const TrainingOptions& options = small_options(),
                          ImVec2 size = {1600, 1600})
      : Screen(training(options), size) {
    frames(3);
  }

  const TrainingPosition& at() const { return *training_of(*workspace.edited().layer.model); }
  std::uint64_t step() const { return at().state->step; }
  /// Draws frames until `done`.
  template <typename Condition>
  void until(const Condition& done) {
    const auto given_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!done()) {
      ASSERT_LT(std::chrono::steady_clock::now(), given_up);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      frames();
    }
    frames(3);
  }
  void pause() {
    key(Key::kF8);
    until([&] { return !view.state().training.followed; });
  }
  void train_to(std::uint64_t least) {
    key(Key::kF8);
    until([&] { return step() >= least; });
    pause();
  }
  /// Types `text` in place of the sentence, and leaves the box.
  void write(const std::string& text) {
    click("sentence");
    key(Key::kA, true);
    type(text);
    until([&] { return document().sentence == text; });
    key(Key::kEscape);
  }
  void undo() {
    key(Key::kZ, true);
    frames(2);
  }
};

TEST(TrainingWindow, AllStepsUntilThePauseAreOneUndoStep) {
  TrainingScreen screen;
  screen.train_to(4);
  const std::uint64_t reached = screen.step();
  const auto parameters = screen.at().state->parameters;
  EXPECT_FALSE(screen.workspace.history().previewing());
  screen.undo();
  EXPECT_EQ(screen.step(), 0U);
  screen.key(Key::kZ, true, true);
  screen.frames(2);
  EXPECT_EQ(screen.step(), reached);
  EXPECT_EQ(screen.at().state->parameters, parameters);
}

TEST(TrainingWindow, OneStepIsTakenAtATime) {
  TrainingScreen screen;
  for (std::uint64_t step = 1; step <= 3; ++step) {
    screen.click("training/step");
    screen.until([&] { return !screen.view.state().training.followed; });
    EXPECT_EQ(screen.step(), step);
  }
  screen.undo();
  EXPECT_EQ(screen.step(), 2U);
}

TEST(TrainingWindow, GoesOnFromAnEditedNumberInANewBranch) {
  TrainingScreen screen;
  screen.train_to(3);
  const std::uint64_t branched_at = screen.step();
  screen.workspace.queue(intent::Apply{SetCell{kWQ1, 0, 0, 5}});
  screen.frames(3);
  EXPECT_EQ(screen.cell(kWQ1, 0, 0), 5);
  screen.click("training/step");
  screen.until([&] { return !screen.view.state().training.followed; });
  EXPECT_EQ(screen.at().branch, 1);
  EXPECT_EQ(screen.step(), branched_at + 1);
  EXPECT_NEAR(screen.cell(kWQ1, 0, 0), 5, 0.1);  // Adam moves it by about the learning rate
  EXPECT_EQ(screen.at().run->last_step(0), branched_at);
  screen.undo();
  EXPECT_EQ(screen.cell(kWQ1, 0, 0), 5);
  screen.undo();
  EXPECT_LT(screen.cell(kWQ1, 0, 0), 1);
  EXPECT_EQ(screen.at().branch, 0);
}

TEST(TrainingWindow, AnEditWhileItLearnsIsLearnedOn) {
  TrainingScreen screen;
  screen.key(Key::kF8);
  screen.until([&] { return screen.step() >= 2; });
  screen.click("matrix/W_Q/0/0");
  screen.type("5");
  screen.key(Key::kEnter);
  screen.until([&] { return screen.at().branch == 1 && screen.step() > 4; });
  EXPECT_TRUE(screen.view.state().training.requested);
  EXPECT_NEAR(screen.cell(kWQ1, 0, 0), 5, 1);
  screen.pause();
}

// Where there is no room for a button for each.
TEST(TrainingWindow, EveryKindOfCurveCanBeChosenInANarrowWindow) {
  TrainingScreen screen(small_options(), {1024, 900});
  ASSERT_TRUE(screen.shows("curves/kind"));
  screen.click("curves/kind");
  screen.frames(2);
  screen.click("curves/gradient");
  screen.frames(2);
  EXPECT_EQ(screen.view.state().training.curves, CurveType::kGradient);
}

TEST(TrainingWindow, TheHandleGoesBackToAKeptStep) {
  TrainingScreen screen;
  screen.train_to(8);
  const std::uint64_t reached = screen.step();
  const Rect chart = screen.place("curves/scrub");
  screen.move({chart.x + chart.w / 4, chart.y + chart.h / 2});
  screen.press();
  screen.frames(2);
  screen.release();
  screen.frames(3);
  EXPECT_LT(screen.step(), reached / 2 + 1);
  EXPECT_EQ(screen.at().run->last_step(0), reached);  // nothing is forgotten
  screen.undo();
  EXPECT_EQ(screen.step(), reached);
}

TEST(TrainingWindow, ALearningRateThatDivergesIsSaid) {
  TrainingOptions options = small_options();
  options.learning_rate = 1e8f;
  TrainingScreen screen(options);
  screen.key(Key::kF8);
  screen.until([&] { return !screen.view.state().error.empty(); });
  EXPECT_NE(screen.view.state().error.find("diverged"), std::string::npos);
  EXPECT_FALSE(screen.view.state().training.requested);
  EXPECT_TRUE(screen.at().state->parameters.allFinite());
}

TEST(TrainingWindow, TheHeadAtAGlanceHasItsLossesOnceItPauses) {
  TrainingScreen screen;
  screen.train_to(3);
  screen.frames(2);
  EXPECT_TRUE(screen.shows("glance/loss"));
}

TEST(TrainingWindow, AnotherLearningRateCountsFromTheNextStepOn) {
  TrainingScreen screen;
  screen.train_to(3);
  const std::uint64_t changed_at = screen.step();
  screen.click("training/rate");
  screen.frames(2);
  screen.click("training/rate/0.1");
  screen.frames(2);
  screen.click("training/step");
  screen.until([&] { return !screen.view.state().training.followed; });
  EXPECT_EQ(screen.step(), changed_at + 1);
  EXPECT_EQ(screen.at().state->learning_rate, 0.1f);
  EXPECT_EQ(screen.at().branch, 1);
}

TEST(TrainingWindow, LettersThatTheTaskDoesNotHaveAreNamed) {
  TrainingScreen screen;
  EXPECT_FALSE(screen.shows("sentence/unread"));
  screen.write("abzé");
  EXPECT_EQ(screen.document().tokens.size(), 2U);
  EXPECT_TRUE(screen.shows("sentence/unread"));
}

// The number of tokens that Append adds, once it is known what it would add.
long appended(TrainingScreen& screen) {
  screen.write("ab");
  const long before = std::ssize(screen.document().tokens);
  screen.until([&] { return screen.view.model_numbers().analysis().predictions.value != nullptr; });
  screen.click("next/append");
  screen.frames(10);
  return std::ssize(screen.document().tokens) - before;
}

TEST(TrainingWindow, OnlyATaskOfWhatComesNextIsWrittenOn) {
  TrainingOptions options = small_options();
  TrainingScreen repeats(options);
  EXPECT_EQ(appended(repeats), 1);
  options.task.type = attention::training::TaskType::kPrevious;
  TrainingScreen names_the_letter_before(options);
  EXPECT_EQ(appended(names_the_letter_before), 0);
}

TEST(TrainingWindow, CurvesAreExportedAsNumbers) {
  const TemporaryFolder folder;
  TrainingScreen screen;
  screen.train_to(4);
  const std::uint64_t last = screen.step();
  screen.key(Key::kE, true);
  screen.frames(2);
  for (const char* choice : {"dialog/mode/numbers", "dialog/numbers/training", "dialog/path"}) {
    screen.click(choice);
    screen.frames(3);
  }
  screen.key(Key::kA, true);
  screen.type(folder / "curves.csv");
  screen.frames();
  screen.click("dialog/ok");
  screen.frames(3);
  const auto text = files::read_bytes(folder / "curves.csv");
  ASSERT_TRUE(text) << screen.view.state().dialog.problem;
  EXPECT_TRUE(text->starts_with("curve,step,value\nL0H0 induction,0,")) << *text;
  EXPECT_NE(text->find("," + std::to_string(last) + ","), std::string::npos) << *text;
}

TEST(TrainingWindow, ASavedTrainingGoesOnWithTheSameNumbers) {
  const auto folder = std::filesystem::temp_directory_path() / "attention-lab-training-test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  TrainingScreen screen;
  screen.train_to(3);
  const std::uint64_t saved_at = screen.step();
  const std::string path = (folder / "heads.json").string();
  const auto session = files::save_document(screen.workspace.edited(), path);
  ASSERT_TRUE(session) << session.error().message;
  ASSERT_TRUE(files::write_bytes(path, *session));
  const auto opened = files::open_anything(path);
  ASSERT_TRUE(opened) << opened.error().message;
  const auto later = trained_up_to(*opened->document.layer.model, saved_at + 3);
  const auto uninterrupted = trained_up_to(*training(small_options()).layer.model, saved_at + 3);
  EXPECT_EQ(training_of(*later)->state->parameters, training_of(*uninterrupted)->state->parameters);
  std::filesystem::remove_all(folder);
}

class SavedTraining : public ::testing::Test {
 protected:
  SavedTraining() { screen.train_to(3); }

  void save(const std::string& path) {
    const auto session = files::save_document(screen.workspace.edited(), path);
    ASSERT_TRUE(session) << session.error().message;
    ASSERT_TRUE(files::write_bytes(path, *session));
  }

  TemporaryFolder folder;
  TrainingScreen screen;
};

TEST_F(SavedTraining, IsFoundBesideItsSessionWhereverBothWereMoved) {
  save(folder / "heads.json");
  std::filesystem::create_directory(folder / "moved");
  for (const char* name : {"heads.json", "heads.run"})
    std::filesystem::rename(folder / name, std::filesystem::path(folder / "moved") / name);
  const auto opened =
      files::open_anything((std::filesystem::path(folder / "moved") / "heads.json").string());
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(training_of(*opened->document.layer.model)->state->step, screen.step());
}

TEST_F(SavedTraining, IsWhatAFigureRefersTo) {
  save(folder / "heads.json");
  const std::string carried = files::embedded_document_session(screen.workspace.edited());
  EXPECT_NE(carried.find(folder / "heads.run"), carried.npos) << carried;
}

TEST_F(SavedTraining, StepsThatNoFileHasAreUnsavedThoughEveryEditIsUndone) {
  while (screen.workspace.history().can_undo()) screen.undo();
  EXPECT_TRUE(screen.workspace.has_unsaved_steps());
  save(folder / "heads.json");
  EXPECT_FALSE(screen.workspace.has_unsaved_steps());
}

}  // namespace
}  // namespace lab
