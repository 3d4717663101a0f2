// What a window opens as a trained model, what it saves of it, and what its journal gives back.

#include "app/files/opened_model.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/document/analysis/predictions.h"
#include "app/document/model/model_document.h"
#include "app/document/workspace.h"
#include "app/embedded_session/session_formats.h"
#include "app/files/document_session.h"
#include "app/files/journal/journal.h"
#include "app/tests/files/support.h"
#include "app/tests/model/support.h"
#include "app/tests/temporary_folder.h"

namespace lab {
namespace {

using attention::MatrixId;
using attention::Stage;
using attention::network::LayerId;
using attention::network::Sublayer;
using nlohmann::json;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr LayerId kFirst{Sublayer::kSelf, 0}, kSecond{Sublayer::kSelf, 1};

Opened opened(const std::string& source, const std::optional<std::string>& text = {}) {
  auto model = open_model_source(source, text);
  if (!model) throw std::runtime_error(model.error().message);
  return std::move(*model);
}

std::string open_complaint(const std::string& source, const std::optional<std::string>& text = {}) {
  const auto model = open_model_source(source, text);
  return model ? "" : model.error().message;
}

const ModelDocument& model_of(const Document& document) { return *document.layer.model; }

// What the model expects after its text, and how likely that is.
std::pair<std::string, float> expected_next(const ModelDocument& model) {
  attention::network::NetworkEvaluator evaluator;
  evaluator.evaluate(model.network, tokens_of(model));
  const auto all = predictions({model, evaluator.trace(), evaluator.pool()}, 1);
  if (!all) throw std::runtime_error(all.error().message);
  const Prediction& likeliest = all->back().top.front();
  const std::vector<std::uint32_t> ids{likeliest.id};
  return {*model.source->tokenizer->decode(ids, true), likeliest.probability};
}

// The same edits, text and layer; the model may have been opened anew.
void expect_reopened(const Document& found, const Document& expected) {
  const ModelDocument &a = model_of(found), &b = model_of(expected);
  EXPECT_EQ(found.layer.at, expected.layer.at);
  EXPECT_EQ(found.sentence, expected.sentence);
  EXPECT_EQ(a.source->folder, b.source->folder);
  EXPECT_EQ(a.text, b.text);
  EXPECT_EQ(a.decoder_text, b.decoder_text);
  EXPECT_EQ(a.interventions, b.interventions);
  EXPECT_EQ(a.detached, b.detached);
  Workspace one(found), other(expected);  // their networks are other copies of the same weights
  EXPECT_EQ(one.network_trace()->stack.final, other.network_trace()->stack.final);
}

// A workspace in which a mute in another layer, a weight and two overrides were edited, one of them
// detached by a shorter text.
Document edited_document() {
  Workspace workspace(opened("induction", "abcdabc").document);
  for (const Intent& one :
       std::vector<Intent>{intent::GoToLayer{kSecond},
                           intent::Apply{SetHeadMix{.head = 2, .mute = true}, {}, kFirst},
                           intent::Apply{SetCell{{MatrixId::kWQ, 1}, 2, 1, 0.1f}},
                           intent::Apply{SetOverride{{Stage::kWeights, 1, 6, 2}, 0.75f}},
                           intent::Apply{SetOverride{{Stage::kWeights, 1, 1, 0}, 0.25f}},
                           intent::Apply{SetSentence{"abca"}}}) {
    workspace.queue(one);
    workspace.drain();
    EXPECT_EQ(workspace.message(), "");
  }
  EXPECT_THAT(model_of(workspace.document()).detached.edits.overrides, SizeIs(1));
  return workspace.document();
}

// A newcomer sees first what each built-in model is good at.
TEST(BuiltInModel, OpensOnATextThatItGoesOnWithWell) {
  const Opened words = opened("words"), induction = opened("induction");
  EXPECT_EQ(words.document.sentence, "Once upon a time there was a little");
  const auto [word, share] = expected_next(model_of(words.document));
  EXPECT_EQ(word, " boy") << share;
  const auto [letter, sure] = expected_next(model_of(induction.document));
  EXPECT_EQ(letter, "e") << "after abcd";
  EXPECT_GT(sure, 0.8f);
}

TEST(OpenedModel, IsANameAFolderItsConfigASessionOrAFigure) {
  const TemporaryFolder folder;
  const std::string session = value_of(document_session(edited_document()));
  const std::string saved = folder.write("mine.json", session);
  std::string page = "<!DOCTYPE html>\n<html><body>";
  page += html_session(session);
  const std::string figure = folder.write("figure.html", page + "</body></html>");
  const std::string text = folder.write("text.txt", "a text\n");
  for (const std::string& source :
       {std::string("induction"), std::string("words"), golden_path("gpt2", ""),
        golden_path("gpt2", "config.json"), saved, figure}) {
    EXPECT_TRUE(is_model_source(source)) << source;
    EXPECT_TRUE(opened(source).document.layer.pending) << source;
  }
  for (const std::string& source : {std::string("refer"), std::string("nowhere"), std::string(),
                                    std::string("-"), text, folder.path().string()})
    EXPECT_FALSE(is_model_source(source)) << source;
}

TEST(OpenedModel, AFileComesBeforeAModelOfItsName) {
  const TemporaryFolder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  folder.write("words", "not a model");
  EXPECT_FALSE(is_model_source("words"));
  EXPECT_TRUE(is_model_source("induction"));
  std::filesystem::current_path(before);
}

TEST(OpenedModel, ReadsAnExampleOrTheGivenText) {
  const Document example = opened("induction").document;
  EXPECT_EQ(example.layer.at, kFirst);
  EXPECT_EQ(example.title, "induction");
  EXPECT_FALSE(example.sentence.empty());
  EXPECT_EQ(example.sentence, model_of(example).text.text);
  const Document given = opened("induction", "cab cab").document;
  EXPECT_EQ(given.sentence, "cab cab");
  EXPECT_EQ(std::ssize(given.tokens), std::ssize(model_of(given).text.ids));
  const Opened by_number = opened(golden_path("gpt2", ""));
  EXPECT_FALSE(by_number.document.tokens.empty()) << "tokens by their numbers";
  EXPECT_THAT(by_number.notes, Contains(HasSubstr("no tokenizer.json")));
  EXPECT_THAT(opened("induction").notes, IsEmpty());
}

TEST(OpenedModel, EveryCheckpointCanBeSeen) {
  for (const std::string& name : golden_models()) {
    SCOPED_TRACE(name);
    const Workspace workspace(opened(golden_path(name, "")).document);
    EXPECT_FALSE(workspace.document().layer.pending);
    EXPECT_TRUE(workspace.network_trace());
  }
}

TEST(OpenedModel, SaysWhyItIsNot) {
  const TemporaryFolder folder;
  EXPECT_THAT(open_complaint(folder / "nothing"), HasSubstr("nothing"));
  EXPECT_THAT(open_complaint("no-such-model"), HasSubstr("no-such-model"));
  EXPECT_THAT(open_complaint(golden_path("gpt2", ""), "a text"), HasSubstr("tokenizer.json"));
  EXPECT_NE(open_complaint("induction", ""), "");
  folder.write("config.json", "{}");
  EXPECT_THAT(open_complaint(folder.path().string()), HasSubstr("config.json"));
  json session = json::parse(value_of(document_session(edited_document())));
  session["layer"] = "7";
  EXPECT_THAT(open_complaint(folder.write("bad.json", session.dump())),
              testing::AllOf(HasSubstr("bad.json"), HasSubstr("no layer \"7\"")));
  session["model"]["folder"] = folder / "gone";
  session["model"].erase("name");
  EXPECT_THAT(open_complaint(folder.write("gone.json", session.dump())), HasSubstr("gone"));
}

TEST(SavedModel, KeepsEditsTextAndLayer) {
  const TemporaryFolder folder;
  const Document document = edited_document();
  const std::string path = folder.write("mine.json", value_of(document_session(document)));
  const Opened again = opened(path);
  expect_reopened(again.document, document);
  EXPECT_EQ(again.path, path);
  EXPECT_TRUE(again.is_session);
  EXPECT_TRUE(again.change);
  EXPECT_THAT(again.notes, IsEmpty());
  const auto saved_again = document_session(again.document);
  EXPECT_EQ(value_of(saved_again), value_of(document_session(document)));
}

TEST(SavedModel, IsOpenedOnAnotherTextWithItsEdits) {
  const TemporaryFolder folder;
  const Document document = edited_document();
  const std::string path = folder.write("mine.json", value_of(document_session(document)));
  const Document longer = opened(path, "abcdabc").document;
  EXPECT_EQ(longer.sentence, "abcdabc");
  EXPECT_EQ(model_of(longer).interventions.gains, model_of(document).interventions.gains);
  EXPECT_THAT(model_of(longer).interventions.overrides, SizeIs(2)) << "one returns with its cell";
}

TEST(SavedModel, InAFigureCannotBeSavedOver) {
  const TemporaryFolder folder;
  const Document document = edited_document();
  std::string page = "<!DOCTYPE html>\n<html><body>";
  page += html_session(embedded_document_session(document));
  const Opened again = opened(folder.write("figure.html", page + "</body></html>"));
  expect_reopened(again.document, document);
  EXPECT_FALSE(again.is_session);
}

TEST(ModelJournal, ItsBaseKeepsEditsTextAndLayer) {
  const Document document = edited_document();
  expect_reopened(value_of(read_journal_session(journal_session(document))), document);
}

// Writes the journal that a window would keep of these intents, all of them on the same base.
struct Kept {
  Workspace workspace{opened("induction", "abcdabc").document};
  JournalLines lines;
  std::string journal = lines.begin({"induction", "", 0, {}}, workspace.document());

  explicit Kept(const std::vector<Intent>& intents) {
    workspace.set_follower([this](const RecordLine& line) { journal += lines.edit(line); });
    for (const Intent& one : intents) drain(one);
  }
  void drain(const Intent& expected) {
    workspace.queue(expected);
    workspace.drain();
    EXPECT_EQ(workspace.message(), "");
  }
};

const std::vector<Intent> kJournalled = {
    intent::GoToLayer{kSecond},
    intent::Apply{SetHeadMix{.head = 2, .mute = true}, {}, kFirst},
    intent::Apply{SetHeadMix{.head = 0, .scale = 0.5f}},
    intent::Apply{SetCell{{MatrixId::kWQ, 1}, 2, 1, 0.1f}},
    intent::Apply{SetHeadMix{.head = 3, .mute = true}},
    intent::Undo{},
    intent::ApplyMerged{SetSentence{"abcda"}, "typing"},
    intent::ApplyMerged{SetSentence{"abcdab"}, "typing"},
    intent::Apply{SetOverride{{Stage::kWeights, 1, 5, 2}, 0.75f}},
};

TEST(ModelJournal, GivesBackEveryEditOfEveryLayer) {
  const Kept kept(kJournalled);
  const Journal read = value_of(read_journal(kept.journal));
  EXPECT_EQ(edits_in(read), 5U);
  const Replayed end = value_of(replay(read));
  EXPECT_EQ(end.damage, "");
  Workspace again(opened("words", "a small dog").document);
  again.queue(intent::Resume{std::make_shared<const History>(end.history), "", true, false});
  again.queue(intent::GoToLayer{kSecond});
  again.drain();
  expect_reopened(again.document(), kept.workspace.document());
  for (int i = 0; i < 5; ++i) again.queue(intent::Undo{});
  again.drain();
  EXPECT_FALSE(again.history().can_undo());
  EXPECT_THAT(model_of(again.document()).interventions.gains, IsEmpty());
  EXPECT_EQ(again.document().sentence, "abcdabc");
}

TEST(ModelJournal, GivesBackADragThatWasNotReleased) {
  Kept kept(
      {intent::GoToLayer{kSecond}, intent::Apply{SetHeadMix{.head = 2, .mute = true}, {}, kFirst}});
  const SetCell dragged{{MatrixId::kWQ, 1}, 2, 1, 3.5f};
  kept.drain(intent::Preview{dragged});
  kept.journal += kept.lines.held(kept.workspace.record_line(dragged));
  const Replayed end = value_of(replay(value_of(read_journal(kept.journal))));
  EXPECT_EQ(end.damage, "");
  Workspace again(opened("induction", "abcdabc").document);
  again.queue(intent::Resume{std::make_shared<const History>(end.history), "", true, false});
  again.queue(intent::GoToLayer{kSecond});
  again.drain();
  expect_reopened(again.document(), kept.workspace.document());
}

TEST(OpeningAModel, ReportsItsProgressAndCanBeStopped) {
  const TemporaryFolder folder;
  const auto first = open_model_source("words", "a small");
  ASSERT_TRUE(first);
  const auto saved = document_session(first->document, {});
  ASSERT_TRUE(saved) << saved.error().message;
  for (const std::string& source : {std::string("words"), folder.write("mine.json", *saved)}) {
    attention::WorkWatch watch;
    ASSERT_TRUE(open_anything(source, &watch)) << source;
    EXPECT_GT(watch.progress(), 0.6) << source;
    EXPECT_LE(watch.progress(), 1) << source;
    watch.reset();
    watch.stop();
    EXPECT_THROW((void)open_anything(source, &watch), attention::WorkStopped) << source;
  }
}

}  // namespace
}  // namespace lab
