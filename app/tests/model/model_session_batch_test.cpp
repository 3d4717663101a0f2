// A session of a model keeps all its texts, and says what is wrong with them.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/document/batch/sentence_list.h"
#include "app/document/model/layer_command.h"
#include "app/files/model/model_session.h"
#include "app/tests/files/damage.h"
#include "app/tests/model/support.h"

namespace lab {
namespace {

using attention::Matrix;
using attention::SharedMatrix;
using attention::Stage;
using attention::network::LayerId;
using attention::network::Sublayer;
using nlohmann::json;
using ::testing::HasSubstr;

constexpr LayerId kCrossLayer{Sublayer::kCross, 0}, kEncoderLayer{Sublayer::kEncoder, 0};

ModelText given_ids(std::vector<std::uint32_t> ids) { return {std::nullopt, std::move(ids)}; }

std::string saved_batch(const ModelDocument& document) {
  const auto& model = static_cast<const Model&>(*document.source);
  return write_model_session(document, weights_hashes(model.checkpoint).value());
}

// What is done to numbers of three tokens of the encoder and two of the decoder: all that waits
// with a text, also of a token that was removed from each.
void edit_numbers(ModelDocument& document) {
  document.interventions.overrides = {{kEncoderLayer, {Stage::kWeights, 1, 2, 0, 0.1f}}};
  document.interventions.patches = {
      {kCrossLayer, 0, Stage::kWeights, SharedMatrix(Matrix::Constant(2, 3, -0.0f))}};
  document.interventions.stream = {{{Sublayer::kSelf, 0}, 1, 3, 1e-42f}};
  document.switched_off.overrides = {{kCrossLayer, {Stage::kScores, 0, 1, 2, 3}}};
  const RemovedToken removed{{.text = "Ġgone", .key = "Ġgone"}, 1};
  document.detached.tokens = document.detached.decoder_tokens = {removed};
  document.detached.edits.overrides = {{kCrossLayer, {Stage::kScores, 0, 1, 1, 2}}};
  document.detached.switched_off.stream = {{{Sublayer::kSelf, 1}, 1, 0, 5}};
}

// Three texts of a model with two stacks, the second of which is shown; the first and the last have
// edits of their numbers.
ModelDocument document_with_batch() {
  static const auto kModel = std::make_shared<const Model>(opened_golden("bart"));
  ModelDocument document =
      make_model_document(kModel, given_ids({5, 6, 7}), given_ids({2, 4})).value();
  document.interventions.gains = {{kCrossLayer, 1, 0.5f}};
  edit_numbers(document);
  auto first = std::make_shared<const WaitingText>(waiting_text(document));
  ModelDocument last = make_model_document(kModel, given_ids({8, 8, 8}), given_ids({2, 9})).value();
  edit_numbers(last);
  document = with_waiting_text(
      document, waiting_text(make_model_document(kModel, given_ids({1}), given_ids({2})).value()));
  document.batch = {{first, nullptr, std::make_shared<const WaitingText>(waiting_text(last))}, 1};
  return document;
}

Expected<ModelSession> read_batch_session(const json& session) {
  return read_model_session(session.dump(), {});
}

// Patches hold their numbers in memory of their own.
void expect_same_text(WaitingText found, WaitingText expected) {
  ASSERT_EQ(found.edits.patches.size(), 1U);
  EXPECT_EQ(*found.edits.patches[0].values, *expected.edits.patches[0].values);
  found.edits.patches.clear(), expected.edits.patches.clear();
  EXPECT_EQ(found, expected);
}

TEST(ModelSessionBatch, ReadsBackBitForBit) {
  const ModelDocument document = document_with_batch();
  const std::string text = saved_batch(document);
  const auto session = read_model_session(text, {});
  ASSERT_TRUE(session) << session.error().message;
  EXPECT_TRUE(session->notes.empty());
  const ModelDocument& found = session->document;
  ASSERT_EQ(sentence_count(found), 3U);
  EXPECT_EQ(current_sentence(found), 1U);
  EXPECT_EQ(waiting_text(found), waiting_text(document));
  EXPECT_EQ(found.interventions.gains, document.interventions.gains);
  for (const std::size_t i : {0, 2}) {
    SCOPED_TRACE(i);
    expect_same_text(*found.batch.texts[i], *document.batch.texts[i]);
  }
  EXPECT_EQ(saved_batch(found), text);
}

TEST(ModelSessionBatch, OfATypedTextIsTokenisedAsItWas) {
  ModelDocument document =
      make_model_document(std::make_shared<const Model>(opened_model("induction")), {"abc", {}})
          .value();
  EXPECT_FALSE(json::parse(saved_batch(document)).contains("batch"));
  document = apply_to_model(document, AddSentence{"xyz"}).value();
  json session = json::parse(saved_batch(document));
  EXPECT_EQ(session["batch"], json::parse(R"({"current": 2, "sentences":
      [{"text": {"typed": "abc", "ids": [0, 1, 2]}}, {}]})"));
  session["batch"]["sentences"][0]["text"]["ids"] = {0, 1};
  const auto other = read_batch_session(session);
  ASSERT_TRUE(other) << other.error().message;
  ASSERT_EQ(other->notes.size(), 1U);
  EXPECT_THAT(other->notes[0], HasSubstr("other tokens for \"abc\""));
}

TEST(ModelSessionBatch, OfOneSentenceIsNone) {
  json session = json::parse(saved_batch(document_with_batch()));
  session["batch"] = json::parse(R"({"current": 1, "sentences": [{}]})");
  const auto alone = read_batch_session(session);
  ASSERT_TRUE(alone) << alone.error().message;
  EXPECT_EQ(alone->document.batch, ModelBatch());
}

struct BadBatch {
  const char* place;
  json value;
  const char* message;
};

const BadBatch kBadBatches[] = {
    {"", 7, "batch: 7, should be an object"},
    {"/padded", true, "batch: there is no member \"padded\""},
    {"/current", nullptr, "batch.current"},
    {"/current", 0, "batch.current: 0, should be 1 … 3"},
    {"/current", 4, "batch.current: 4, should be 1 … 3"},
    {"/sentences", json::object(), "batch.sentences"},
    {"/sentences", json(65, json::object()), "batch.sentences: 65 sentences; at most 64"},
    {"/sentences/1", {{"text", "x"}}, "batch.sentences[1]: there is no member \"text\""},
    {"/sentences/2", "x", "batch.sentences[2]: \"x\", should be an object"},
    {"/sentences/2", json::object(), "batch.sentences[2].text: is missing"},
    {"/sentences/2/gains", json::array(), "batch.sentences[2]: there is no member \"gains\""},
    {"/sentences/2/text/ids", json::array(), "batch.sentences[2].text.ids: there is no token"},
    {"/sentences/2/text/ids/1", 37, "batch.sentences[2].text.ids[1]: 37, should be below 37"},
    {"/sentences/2/decoder_text/typed", 5, "batch.sentences[2].decoder_text.typed"},
    {"/sentences/2/types", {0, 0, 0}, "batch.sentences[2].types"},
    {"/sentences/0/overrides/0/row", 3,
     "batch.sentences[0]: L0H1 of the encoder: there is no cell 3, 0"},
    {"/sentences/0/overrides/0/head", "L9H0", "batch.sentences[0].overrides[0].head"},
    {"/sentences/0/patches/0/values",
     {{1, 0}},
     "batch.sentences[0]: L0H0 of the cross-attention: the patch is 1 × 2"},
    {"/sentences/0/switched_off/gains", json::array(), "there is no member \"gains\""},
    {"/sentences/0/switched_off/overrides/0/row", 2,
     "batch.sentences[0].switched_off.overrides[0].row: 2, should be below 2"},
    {"/sentences/0/set_aside/tokens/0/before", 9,
     "batch.sentences[0].set_aside.tokens[0].before: 9"},
    {"/sentences/0/set_aside/overrides/0/row", 9,
     "batch.sentences[0].set_aside.overrides[0].row: 9, should be below 3"},
    {"/sentences/0/set_aside/note", 1, "batch.sentences[0].set_aside: there is no member"},
};

TEST(ModelSessionBatch, NamesWhatIsWrongWithIt) {
  const json good = json::parse(saved_batch(document_with_batch()));
  for (const BadBatch& bad : kBadBatches) {
    SCOPED_TRACE(std::string(bad.place) + " " + bad.value.dump());
    json changed = good;
    changed["batch"][json::json_pointer(bad.place)] = bad.value;
    const auto refused = read_batch_session(changed);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().type, ErrorType::kBadInput);
    EXPECT_THAT(refused.error().message, HasSubstr(bad.message));
  }
}

// Every text of what can be opened can be computed.
void show_all_texts(std::string_view text) {
  const auto session = read_model_session(text, {});
  if (!session) {
    EXPECT_FALSE(session.error().message.empty());
    return;
  }
  attention::network::NetworkEvaluator evaluator;
  for (std::size_t i = 0; i < sentence_count(session->document); ++i) {
    const auto shown = apply_to_model(session->document, GoToSentence{static_cast<int>(i)});
    ASSERT_TRUE(shown) << text;
    evaluator.evaluate(shown->network, tokens_of(*shown), shown->interventions);
    EXPECT_TRUE(read_model_session(saved_batch(*shown), {})) << text;
  }
}

TEST(DamagedModelSessionBatch, WithAnyValueOfAMemberIsRefusedOrShown) {
  Damage(show_all_texts).json(saved_batch(document_with_batch()));
}

}  // namespace
}  // namespace lab
