// A conversation that a model reads in place of a sentence, as its chat template writes it.

#include "app/tests/chat_model.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/document/batch/sentence_list.h"
#include "app/document/model/layer_command.h"
#include "app/document/model/shown_layer.h"
#include "app/document/model/text_tokens.h"
#include "app/document/workspace.h"
#include "app/files/model/model_session.h"
#include "app/files/opened_model.h"
#include "app/tests/model/support.h"

namespace lab {
namespace {

using chat::Turn;
using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const ChatModelFolder& chat_folder() {
  static const ChatModelFolder kFolder;
  return kFolder;
}

std::shared_ptr<const Model> chat_model() {
  static const auto kModel =
      std::make_shared<const Model>(open_model(chat_folder().path()).value());
  return kModel;
}

ModelDocument of_sentence(const std::string& text = "a small dog") {
  return make_model_document(chat_model(), ModelText{text, {}}).value();
}

Expected<ModelDocument> tried(const ModelDocument& document, const Command& command) {
  return apply_to_model(document, command);
}

ModelDocument after_command(const ModelDocument& document, const Command& command) {
  return tried(document, command).value();
}

std::string complaint(const ModelDocument& document, const Command& command) {
  const auto changed = tried(document, command);
  return changed ? "" : changed.error().message;
}

// What the tokens stand for that the template wrote, and the others.
std::string text_of_tokens(const ModelDocument& document, bool of_template) {
  std::string text;
  for (const Token& token : text_tokens(document))
    if (token.from_template == of_template)
      text += document.text.text->substr(token.bytes.first, token.bytes.size());
  return text;
}

TEST(Chat, BeginsWithTheSentenceAndReturnsToIt) {
  const ModelDocument plain = of_sentence();
  const ModelDocument chat = after_command(plain, SetChat{true, {}});
  EXPECT_THAT(chat.text.chat.turns, ElementsAre(Turn{"user", "a small dog"}));
  EXPECT_EQ(chat.text.text, "user: a small dog<|endoftext|>assistant:");
  EXPECT_EQ(chat.text.ids, encode_text(*chat.source, chat.text, false)
                               .map([](const tokenizer::Encoding& encoding) {
                                 std::vector<std::uint32_t> ids;
                                 for (const tokenizer::Token& token : encoding)
                                   ids.push_back(token.id);
                                 return ids;
                               })
                               .value());
  const ModelDocument back = after_command(chat, SetChat{false, {}});
  EXPECT_EQ(back.text.text, plain.text.text);
  EXPECT_EQ(back.text.ids, plain.text.ids);
  EXPECT_THAT(back.text.chat.parts, IsEmpty());
  const ModelDocument again = after_command(back, SetChat{true, {}});
  EXPECT_EQ(again.text, chat.text) << "the turns waited";
}

TEST(Chat, EndsWhereTheAnswerBeginsOnlyAfterTheUser) {
  const ModelDocument chat =
      after_command(of_sentence(), SetChat{true, {{{"user", "a"}, {"assistant", "b"}}}});
  EXPECT_EQ(chat.text.text, "user: a<|endoftext|>assistant: b<|endoftext|>");
}

TEST(Chat, TokensOfTheTemplateAreThoseOfNoTurn) {
  const ModelDocument chat =
      after_command(of_sentence(), SetChat{true, {{{"system", "be  kind "}, {"user", "user: a"}}}});
  EXPECT_EQ(text_of_tokens(chat, false), " be  kind user: a") << "blanks join the words after them";
  EXPECT_EQ(text_of_tokens(chat, true), "system:<|endoftext|>user:<|endoftext|>assistant:");
  EXPECT_EQ(text_of_tokens(of_sentence(), true), "");
  const Document shown = shown_layer(std::make_shared<const ModelDocument>(chat), {});
  EXPECT_TRUE(row_is_of_template(shown, attention::Stage::kWeights, 0));
  EXPECT_TRUE(column_is_of_template(shown, attention::Stage::kWeights, 0));
  EXPECT_FALSE(column_is_of_template(shown, attention::Stage::kQ, 0)) << "no token";
}

TEST(Chat, ATextThatIsWrittenTwiceOrNotAtAllIsKnown) {
  const ChatModelFolder folder;
  folder.write_template(
      "{% for m in messages %}{% if m.role == 'user' %}{{ m.content }} or {{ m.content | upper }}"
      "{% endif %}{% endfor %}");
  const auto model = std::make_shared<const Model>(open_model(folder.path()).value());
  const ModelDocument plain = make_model_document(model, ModelText{"dog", {}}).value();
  const ModelDocument chat =
      after_command(plain, SetChat{true, {{{"user", "dog"}, {"assistant", "cat"}}}});
  EXPECT_EQ(chat.text.text, "dog or DOG");
  EXPECT_EQ(text_of_tokens(chat, true), " or");
  EXPECT_FALSE(takes_system_turn(*model));
  EXPECT_TRUE(takes_system_turn(*chat_model()));
}

TEST(Chat, TheTemplatesRefusalIsSaidAndChangesNothing) {
  const ModelDocument chat = after_command(of_sentence(), SetChat{true, {}});
  EXPECT_THAT(complaint(chat, SetChat{{}, {{{"tool", "x"}}}}), HasSubstr("no tool here"));
  EXPECT_THAT(complaint(chat, SetChat{{}, std::vector<Turn>()}), HasSubstr("at least one turn"));
  EXPECT_THAT(complaint(chat, SetChat{{}, {{{"user", "\xFF"}}}}), HasSubstr("UTF-8"));
  EXPECT_THAT(
      complaint(make_model_document(std::make_shared<const Model>(open_model("words").value()),
                                    ModelText{"a", {}})
                    .value(),
                SetChat{true, {}}),
      HasSubstr("no chat template"));
}

TEST(Chat, ATemplateThatCannotBeReadIsNoObstacleToOpeningItsModel) {
  const ChatModelFolder folder;
  folder.write_template("{% include 'other' %}");
  const auto model = std::make_shared<const Model>(open_model(folder.path()).value());
  EXPECT_TRUE(has_chat(*model));
  const ModelDocument plain = make_model_document(model, ModelText{"a dog", {}}).value();
  EXPECT_THAT(complaint(plain, SetChat{true, {}}), HasSubstr("include"));
}

TEST(Chat, ASentenceTakesItsPlaceAndLetsItWait) {
  const ModelDocument chat = after_command(of_sentence(), SetChat{true, {}});
  const ModelDocument plain = after_command(chat, SetSentence{"the old man"});
  EXPECT_FALSE(plain.text.chat.on);
  EXPECT_EQ(plain.text.text, "the old man");
  EXPECT_EQ(after_command(plain, SetChat{true, {}}).text.text, chat.text.text);
  EXPECT_EQ(after_command(after_command(plain, SetChat{true, {}}), SetChat{false, {}}).text.text,
            "the old man");
}

TEST(Chat, ACopyOfItInABatchIsOneToo) {
  const ModelDocument chat = after_command(of_sentence(), SetChat{true, {}});
  const ModelDocument both = after_command(chat, AddSentence{sentence_text(chat, 0)});
  EXPECT_EQ(both.text, chat.text);
  EXPECT_EQ(both.batch.texts.size(), 2U);
  const ModelDocument other = after_command(both, SetChat{{}, {{{"user", "a cat"}}}});
  EXPECT_EQ(after_command(other, GoToSentence{0}).text, chat.text);
}

TEST(Chat, OverridesFollowTheWordsOfTheTurns) {
  ModelDocument plain = of_sentence("a small dog");
  const auto last = std::ssize(plain.text.ids) - 1;
  plain.interventions.overrides = {{{}, {attention::Stage::kWeights, 0, last, 0, 0.5f}}};
  const ModelDocument chat = after_command(plain, SetChat{true, {}});
  ASSERT_EQ(chat.interventions.overrides.size() + chat.detached.edits.overrides.size(), 1U);
  const ModelDocument back = after_command(chat, SetChat{false, {}});
  EXPECT_EQ(back.interventions.overrides, plain.interventions.overrides);
}

TEST(Chat, IsUndoneAndRedoneInTheWorkspace) {
  Workspace workspace(open_model_source(chat_folder().path(), "a small dog")->document);
  std::vector<std::string> record;
  workspace.set_recorder([&](const std::string& line) { record.push_back(line); });
  const auto run = [&](const Intent& intent) {
    workspace.queue(intent);
    workspace.drain();
    return workspace.document().sentence;
  };
  const std::string rendered = "user: a small dog<|endoftext|>assistant:";
  EXPECT_EQ(run(intent::Apply{SetChat{true, {}}}), rendered);
  EXPECT_EQ(run(intent::Apply{SetChat{{}, {{{"tool", "x"}}}}}), rendered);
  EXPECT_THAT(workspace.message(), HasSubstr("no tool here"));
  EXPECT_EQ(run(intent::Undo{}), "a small dog");
  EXPECT_FALSE(workspace.document().layer.model->text.chat.on);
  EXPECT_EQ(run(intent::Redo{}), rendered);
  ASSERT_FALSE(record.empty());
  EXPECT_EQ(json::parse(record.front()), json({{"do", "set_chat"}, {"on", true}}));
}

std::string saved(const ModelDocument& document) {
  const auto& model = static_cast<const Model&>(*document.source);
  return write_model_session(document, weights_hashes(model.checkpoint).value());
}

TEST(Chat, ASessionKeepsIt) {
  ModelDocument document = after_command(
      of_sentence(), SetChat{true, {{{"system", " kind"}, {"user", "a \"cat\"\n☺"}}}});
  document = after_command(document, AddSentence{"the old man"});
  document = after_command(document, SetChat{{}, {{{"user", "waits"}}}});
  const auto read = read_model_session(saved(document), {});
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(read->notes, IsEmpty());
  EXPECT_EQ(read->document.text, document.text);
  ASSERT_EQ(read->document.batch.texts.size(), 2U);
  EXPECT_EQ(*read->document.batch.texts[0], *document.batch.texts[0]);
  EXPECT_EQ(after_command(read->document, GoToSentence{0}).text,
            after_command(document, GoToSentence{0}).text);
}

TEST(Chat, SessionsWithoutOneStillOpen) {
  const json session = json::parse(saved(of_sentence()));
  EXPECT_FALSE(session["text"].contains("chat"));
  const auto read = read_model_session(session.dump(), {});
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->document.text.chat, ModelChat());
}

TEST(Chat, ADamagedSessionIsRefused) {
  const json good = json::parse(saved(after_command(of_sentence(), SetChat{true, {}})));
  const auto refused = [&](auto change) {
    json session = good;
    change(session["text"]);
    const auto read = read_model_session(session.dump(), {});
    return read ? "" : read.error().message;
  };
  EXPECT_EQ(refused([](json&) {}), "");
  EXPECT_THAT(refused([](json& text) { text["chat"]["turns"] = json::array(); }),
              HasSubstr("no turn"));
  EXPECT_THAT(refused([](json& text) { text.erase("typed"); }), HasSubstr("typed"));
  EXPECT_THAT(refused([](json& text) { text["chat"]["from_turns"][0]["end"] = 999; }),
              HasSubstr("parts of the text"));
  EXPECT_THAT(refused([](json& text) { text["chat"]["from_turns"][0]["turn"] = 2; }),
              HasSubstr("no turn 2 of 1"));
  EXPECT_THAT(refused([](json& text) { text["chat"]["turns"][0]["name"] = "x"; }),
              HasSubstr("name"));
}

TEST(Chat, AnAnswerEndsAtTheTokenThatTheTemplateWritesAfterIt) {
  EXPECT_EQ(ends_of_answer(*chat_model()),
            std::vector{*chat_model()->tokenizer->id_of("<|endoftext|>")});
}

std::vector<Turn> answered(const ModelDocument& document, const std::string& answer) {
  ModelText prompt = answer_prompt(*document.source, document.text).value();
  prompt = with_texts(document, prompt, {}).value().text;
  std::vector<std::uint32_t> added;
  const auto all =
      document.source->tokenizer->encode(*prompt.text + answer, {.add_special = false});
  for (std::size_t i = prompt.ids.size(); i < all->size(); ++i) added.push_back((*all)[i].id);
  return with_answer(*document.source, document.text, prompt, added).value();
}

TEST(Chat, AnAnswerBecomesATurnWithoutTheBlankThatTheTemplateWrites) {
  const ModelDocument chat = after_command(of_sentence(), SetChat{true, {}});
  const std::vector<Turn> turns = answered(chat, " the cat<|endoftext|> sat");
  EXPECT_THAT(turns, ElementsAre(Turn{"user", "a small dog"},
                                 Turn{"assistant", "the cat<|endoftext|> sat"}))
      << "tokens that the template did not write stay";
  EXPECT_EQ(after_command(chat, SetChat{{}, turns}).text.text,
            *chat.text.text + " the cat<|endoftext|> sat<|endoftext|>");
}

TEST(Chat, AnAnswerThatHasBegunGoesOnAtItsEnd) {
  ModelDocument chat =
      after_command(of_sentence(), SetChat{true, {{{"user", "a dog"}, {"assistant", "the cat "}}}});
  const ModelText prompt = answer_prompt(*chat.source, chat.text).value();
  EXPECT_EQ(prompt.text, "user: a dog<|endoftext|>assistant: the cat");
  EXPECT_EQ(answered(chat, " sat").back(), (Turn{"assistant", "the cat sat"}));
  chat = after_command(chat, SetChat{{}, {{{"user", "a dog"}, {"assistant", ""}}}});
  EXPECT_EQ(answer_prompt(*chat.source, chat.text)->text, "user: a dog<|endoftext|>assistant:");
  chat = after_command(chat, SetChat{{}, {{{"system", "a"}}}});
  EXPECT_FALSE(answer_prompt(*chat.source, chat.text));
}

}  // namespace
}  // namespace lab
