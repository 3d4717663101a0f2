#include "app/files/model/model_session.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "app/document/listed_edits.h"
#include "app/document/model/layer_name.h"
#include "app/tests/files/damage.h"
#include "app/tests/model/support.h"
#include "core/network/latent_input.h"
#include "core/network/layer_matrix.h"
#include "core/tests/matrix_compare.h"

// A session of a model reads back bit for bit, says what is wrong with itself, and is not opened
// with a model that is another one.

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::MatrixId;
using attention::Shape;
using attention::SharedMatrix;
using attention::Stage;
using attention::network::Attention;
using attention::network::Interventions;
using attention::network::LayerId;
using attention::network::Network;
using attention::network::ScoreShape;
using attention::network::Sublayer;
using attention::test::all_identical;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr MatrixId kEditable[] = {MatrixId::kWQ,    MatrixId::kWK,    MatrixId::kWV,  MatrixId::kWO,
                                  MatrixId::kBQ,    MatrixId::kBK,    MatrixId::kBV,  MatrixId::kBO,
                                  MatrixId::kNormQ, MatrixId::kNormK, MatrixId::kSink};

// Makes documents that use everything a session holds, with numbers that are hard to write.
class RandomModelDocument {
 public:
  RandomModelDocument(std::shared_ptr<const Model> model, unsigned seed)
      : engine_(seed), places_(all_layer_ids(model->network)) {
    const auto tokens = random_tokens(*model, 3 + below(4), 2 + below(4), seed);
    const bool two = model->network.encoder.has_value();
    document_ = {.source = model,
                 .text = {std::nullopt, two ? tokens.encoder_ids : tokens.ids},
                 .decoder_text = {std::nullopt, two ? tokens.ids : std::vector<std::uint32_t>()},
                 .network = model->network};
    const Index types = model->network.stack.embedding.types.rows();
    if (model->reads_types)
      document_.types.assign(document_.text.ids.size(), static_cast<std::uint32_t>(types - 1));
    if (below(2) == 0) document_.layer = place();
    for (int i = 0; i < 4; ++i) edit_weights();
    add_interventions(document_.interventions);
    add_detached(document_.detached, two);
  }

  const ModelDocument& operator*() const { return document_; }

 private:
  int below(Index limit) { return static_cast<int>(engine_() % static_cast<unsigned>(limit)); }
  LayerId place() { return places_[engine_() % places_.size()]; }
  float number() {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    constexpr float kHard[] = {std::numeric_limits<float>::quiet_NaN(),
                               kInfinity,
                               -kInfinity,
                               -0.0f,
                               1e-42f,
                               3.4028235e38f,
                               0.1f};
    if (below(3) == 0) return kHard[below(std::ssize(kHard))];
    return std::normal_distribution<float>()(engine_);
  }
  Matrix numbers(Index rows, Index cols) {
    return Matrix::NullaryExpr(rows, cols, [&](Index) { return number(); });
  }

  void edit_weights() {
    Attention& attention = *find_attention(document_.network, place());
    std::vector<MatrixId> there(std::begin(kEditable), std::end(kEditable));
    std::erase_if(there, [&](MatrixId id) { return layer_matrix_count(attention, id) == 0; });
    const MatrixId id = there[static_cast<std::size_t>(below(std::ssize(there)))];
    const Index head = below(layer_matrix_count(attention, id));
    const Shape shape = layer_matrix_shape(attention, id);
    const auto stored = layer_matrix(attention, id, head);
    const Matrix before = stored.empty() ? Matrix::Zero(shape.rows, shape.cols) : stored.values();
    Matrix values = before;
    if (below(2) == 0) {
      values = numbers(shape.rows, shape.cols);
    } else {
      values(below(shape.rows), below(shape.cols)) = number();
    }
    keep_fixed(attention, id, before, values);
    set_layer_matrix(attention, id, head, values);
  }

  // Numbers that latent attention fixes stay.
  static void keep_fixed(const Attention& attention, MatrixId id, const Matrix& before,
                         Matrix& values) {
    attention::Problem layer;
    layer.config.d_k = static_cast<int>(attention.head_dim);
    layer.input_parts = input_parts(attention);
    for (Index row = 0; row < values.rows(); ++row)
      for (Index col = 0; col < values.cols(); ++col)
        if (is_fixed(layer, id, row, col)) values(row, col) = before(row, col);
  }

  void add_interventions(Interventions& all) {
    const auto tokens = tokens_of(document_);
    const LayerId at = place();
    const Attention& attention = *find_attention(document_.network, at);
    const ScoreShape scores =
        score_shape(at.sublayer, std::ssize(tokens.ids), std::ssize(tokens.encoder_ids));
    const Index last = attention.n_heads - 1;
    all.gains = {{at, 0, number(), below(2) == 0, below(2) == 0}};
    if (last > 0) all.gains.push_back({at, last, number()});
    all.overrides = {
        {at, {Stage::kScores, last, 0, 1, number()}},
        {at, {attention.key_layer ? Stage::kQ : Stage::kK, 0, scores.keys - 1, 0, number()}},
        {at, {Stage::kOutput, 0, scores.queries - 1, 2, number()}},
        {at, {Stage::kHeadOutput, 0, scores.queries - 1, 0, number()}}};
    all.patches = {
        {at, last, Stage::kWeights, SharedMatrix(numbers(scores.queries, scores.keys))},
        {at, 0, Stage::kHeadOutput, SharedMatrix(numbers(scores.queries, attention.d_v()))}};
    all.stream = {{{Sublayer::kSelf, std::ssize(document_.network.stack.blocks)}, 1, 2, number()}};
  }

  // Of a token that was removed from behind the first one of each text.
  void add_detached(DetachedEdits& detached, bool two) {
    const RemovedToken removed{{.text = "Ġgone", .key = "Ġgone", .shown = "·gone", .word = "gone"},
                               1};
    detached.tokens = {removed};
    if (two) detached.decoder_tokens = {removed};
    const LayerId at = two ? LayerId{Sublayer::kCross, 0} : place();
    detached.edits.overrides = {{at, {Stage::kScores, 0, 1, 1, number()}},
                                {at, {Stage::kScores, 0, 2, 1, number()}}};
    detached.edits.patches = {
        {place(), 0, Stage::kWeights, SharedMatrix(Matrix::Constant(8, 9, number()))}};
    detached.edits.stream = {{{Sublayer::kSelf, 0}, 1, 1, number()}};
    detached.switched_off.overrides = {{at, {Stage::kScores, 0, 1, 0, number()}}};
  }

  std::mt19937 engine_;
  std::vector<LayerId> places_;
  ModelDocument document_;
};

// Patches hold their numbers in memory of their own.
void expect_same_patches(const Interventions& found, const Interventions& expected) {
  ASSERT_EQ(found.patches.size(), expected.patches.size());
  for (std::size_t i = 0; i < expected.patches.size(); ++i) {
    EXPECT_EQ(found.patches[i].at, expected.patches[i].at);
    EXPECT_EQ(found.patches[i].head, expected.patches[i].head);
    EXPECT_EQ(found.patches[i].stage, expected.patches[i].stage);
    EXPECT_TRUE(all_identical(*found.patches[i].values, *expected.patches[i].values));
  }
}

void expect_same_interventions(Interventions found, Interventions expected) {
  expect_same_patches(found, expected);
  found.patches.clear();
  expected.patches.clear();
  EXPECT_EQ(found, expected);
}

void expect_same_weights(const Network& found, const Network& expected) {
  for (const LayerId& at : all_layer_ids(expected)) {
    const Attention &a = *find_attention(found, at), &b = *find_attention(expected, at);
    for (const MatrixId id : kEditable) {
      for (Index head = 0; head < layer_matrix_count(b, id); ++head) {
        const auto x = layer_matrix(a, id, head), y = layer_matrix(b, id, head);
        const Shape shape = layer_matrix_shape(b, id);
        const Matrix zero = Matrix::Zero(shape.rows, shape.cols);
        EXPECT_TRUE(all_identical(x.empty() ? zero : x.values(), y.empty() ? zero : y.values()))
            << layer_name(at) << " " << matrix_name(id) << " " << head;
      }
    }
  }
}

void expect_same_document(const ModelDocument& found, const ModelDocument& expected) {
  EXPECT_EQ(found.text, expected.text);
  EXPECT_EQ(found.decoder_text, expected.decoder_text);
  EXPECT_EQ(found.types, expected.types);
  EXPECT_EQ(found.layer, expected.layer);
  expect_same_interventions(found.interventions, expected.interventions);
  expect_same_interventions(found.detached.edits, expected.detached.edits);
  expect_same_interventions(found.detached.switched_off, expected.detached.switched_off);
  EXPECT_EQ(found.detached.tokens, expected.detached.tokens);
  EXPECT_EQ(found.detached.decoder_tokens, expected.detached.decoder_tokens);
  expect_same_weights(found.network, expected.network);
}

std::string session_of(const ModelDocument& document) {
  const auto& model = static_cast<const Model&>(*document.source);
  const auto hashes = weights_hashes(model.checkpoint);
  if (!hashes) throw std::runtime_error(hashes.error().message);
  return write_model_session(document, *hashes);
}

std::shared_ptr<const Model> shared_golden(const std::string& name) {
  return std::make_shared<const Model>(opened_golden(name));
}

class SavedModel : public ::testing::TestWithParam<std::string> {};

TEST_P(SavedModel, ReadsBackBitForBit) {
  const auto model = shared_golden(GetParam());
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const RandomModelDocument document(model, seed);
    const std::string saved = session_of(*document);
    const auto session = read_model_session(saved, {});
    ASSERT_TRUE(session) << session.error().message;
    EXPECT_EQ(session->notes, model->notes);
    expect_same_document(session->document, *document);
    EXPECT_EQ(session_of(session->document), saved);
  }
}

INSTANTIATE_TEST_SUITE_P(Every, SavedModel, ::testing::ValuesIn(golden_models()), test_name);

ModelDocument plain_document(const std::shared_ptr<const Model>& model) {
  auto document = make_model_document(model, {std::nullopt, {1, 2, 3}});
  if (!document) throw std::runtime_error(document.error().message);
  return *document;
}

TEST(ModelSession, HoldsOnlyWhatDiffersFromTheModel) {
  const auto model = shared_golden("gpt2");
  ModelDocument document = plain_document(model);
  Attention& attention = *find_attention(document.network, {});
  const Matrix own = layer_matrix(attention, MatrixId::kWK, 1).values();
  Matrix edited = own;
  edited(3, 0) = 7;
  set_layer_matrix(attention, MatrixId::kWK, 1, edited);
  const json saved = json::parse(session_of(document));
  EXPECT_EQ(saved["weights"], json::parse(R"([{"layer": "0", "matrix": "W_K", "head": 1,
                                               "cells": [[3, 0, 7]]}])"));
  set_layer_matrix(attention, MatrixId::kWK, 1, own);
  EXPECT_FALSE(json::parse(session_of(document)).contains("weights"));
}

TEST(ModelSession, ListsAWholeMatrixWhereMostOfItDiffers) {
  const auto model = shared_golden("gpt2");
  ModelDocument document = plain_document(model);
  Attention& attention = *find_attention(document.network, {});
  const Shape shape = layer_matrix_shape(attention, MatrixId::kWQ);
  set_layer_matrix(attention, MatrixId::kWQ, 0, Matrix::Zero(shape.rows, shape.cols));
  const json edit = json::parse(session_of(document))["weights"][0];
  EXPECT_EQ(edit["values"].size(), static_cast<std::size_t>(shape.rows));
  EXPECT_FALSE(edit.contains("cells"));
}

TEST(ModelSession, RefusesAnEditOfWhatLatentAttentionFixes) {
  const auto model = shared_golden("deepseek-v3");
  ModelDocument document = plain_document(model);
  Attention& attention = *find_attention(document.network, {});
  Matrix values = layer_matrix_values(attention, MatrixId::kWK, 1);
  values(8, 2) = 5;
  set_layer_matrix(attention, MatrixId::kWK, 1, values);
  json session = json::parse(session_of(document));
  EXPECT_EQ(session["weights"][0]["cells"], json::parse("[[8, 2, 5]]"));
  session["weights"][0]["cells"] = json::parse("[[6, 2, 5]]");
  const auto refused = read_model_session(session.dump(), {});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("W_K[6, 2] is 0 in latent attention"));
}

TEST(ModelSession, NamesTheHashThatSha256sumPrints) {
  const TemporaryFolder folder;
  folder.write("config.json", text_of_file(golden_path("gpt2", "config.json")));
  const std::string weights = text_of_file(golden_path("gpt2", "model.safetensors"));
  const std::string path = folder.write("model.safetensors", weights);
  const Model model = opened_model(folder.path().string());
  const auto hashes = weights_hashes(model.checkpoint);
  ASSERT_TRUE(hashes);
  ASSERT_EQ(hashes->size(), 1U);
  const std::unique_ptr<FILE, int (*)(FILE*)> sum(popen(("sha256sum " + path).c_str(), "r"),
                                                  pclose);
  char printed[65] = {};
  ASSERT_EQ(std::fread(printed, 1, 64, sum.get()), 64U);
  EXPECT_EQ(hashes->front().sha256, printed);
  EXPECT_EQ(hashes->front().file, "model.safetensors");
}

// A copy of a model, and a session of it with one edit.
class MovableModel : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(place_);
    for (const char* name : {"config.json", "model.safetensors"})
      folder_.write(std::string("place/") + name, text_of_file(golden_path("gpt2", name)));
    ModelDocument document =
        plain_document(std::make_shared<const Model>(opened_model(place_.string())));
    document.interventions.gains = {{{}, 1, 0.25f}};
    saved_ = session_of(document);
  }

  const TemporaryFolder folder_;
  const std::filesystem::path place_ = folder_.path() / "place";
  std::string saved_;
};

TEST_F(MovableModel, IsToldWhenItIsGoneAndOpensInItsNewPlace) {
  ASSERT_TRUE(read_model_session(saved_, {}));
  const std::filesystem::path now = folder_.path() / "now";
  std::filesystem::rename(place_, now);
  const auto removed = read_model_session(saved_, {});
  ASSERT_FALSE(removed);
  EXPECT_EQ(removed.error().type, ErrorType::kIo);
  EXPECT_THAT(removed.error().message, HasSubstr("place"));
  EXPECT_EQ(removed.error().remedy, Remedy::kFolder);
  const auto found = read_model_session(saved_, {now.string(), false});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->document.interventions.gains.size(), 1U);
  EXPECT_TRUE(found->notes.empty());
  EXPECT_THAT(session_of(found->document), HasSubstr(now.string()));
}

TEST_F(MovableModel, IsRefusedWhenItsWeightsChangedUnlessThatIsWanted) {
  std::string weights = text_of_file((place_ / "model.safetensors").string());
  weights.back() = static_cast<char>(weights.back() ^ 1);
  std::filesystem::remove(place_ / "model.safetensors");
  folder_.write("place/model.safetensors", weights);
  const auto changed = read_model_session(saved_, {});
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().type, ErrorType::kBadInput);
  EXPECT_THAT(changed.error().message,
              AllOf(HasSubstr("model.safetensors"), HasSubstr("not those")));
  EXPECT_EQ(changed.error().remedy, Remedy::kFolderOrOpen);
  const auto expected = read_model_session(saved_, {"", true});
  ASSERT_TRUE(expected) << expected.error().message;
  ASSERT_EQ(expected->notes.size(), 1U);
  EXPECT_THAT(expected->notes[0], HasSubstr("not those that the session was made with"));
  EXPECT_EQ(expected->document.interventions.gains.size(), 1U);
  EXPECT_TRUE(read_model_session(session_of(expected->document), {})) << "saved again, it is right";
}

TEST_F(MovableModel, IsRefusedAsAnotherModelWhoseLayersAreOthers) {
  json session = json::parse(saved_);
  session["gains"][0]["head"] = "L1H9";
  const auto other = read_model_session(session.dump(), {golden_path("llama", ""), true});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().type, ErrorType::kBadInput);
  EXPECT_THAT(other.error().message, HasSubstr("no head \"L1H9\""));
}

TEST(SwitchedWeights, AreSavedAndSwitchedOnAgain) {
  ModelDocument document = plain_document(std::make_shared<const Model>(opened_model("induction")));
  const auto& own = document.source->network;
  auto& attention = *find_attention(document.network, LayerId{});
  Matrix values = layer_matrix_values(attention, MatrixId::kWK, 1);
  values(2, 3) += 1;
  set_layer_matrix(attention, MatrixId::kWK, 1, values);
  const ListedEdit edit = edits_of(document).at(0);
  const ModelDocument off = with_switched(document, edit, false);
  EXPECT_EQ(off.network, own);
  const auto read = read_model_session(session_of(off), {});
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->document.network, read->document.source->network);
  const auto edits = edits_of(read->document);
  ASSERT_EQ(edits.size(), 1U);
  EXPECT_EQ(edits[0].effect, ListedEdit::Effect::kOff);
  const ModelDocument on = with_switched(read->document, edits[0], true);
  EXPECT_EQ(layer_matrix_values(*find_attention(on.network, LayerId{}), MatrixId::kWK, 1), values);
  EXPECT_FALSE(on.weights_off);
}

// A session that uses every member, of a model with two stacks.
json full_model_session() {
  json session = json::parse(session_of(*RandomModelDocument(shared_golden("t5"), 3)));
  session["text"]["ids"] = {1, 2, 3};
  session["decoder_text"]["ids"] = {4, 5};
  session["layer"] = "encoder.1";
  session["gains"] = json::parse(R"([{"head": "L0H1", "mute": true, "solo": false, "gain": 2}])");
  session["overrides"] = json::parse(
      R"([{"head": "encoder.L1H0", "stage": "weights", "row": 2, "col": 1, "value": 0.5}])");
  session["patches"] = json::parse(
      R"([{"head": "cross.L0H1", "stage": "weights", "values": [[0, 1, 0], [1, 0, "NaN"]]}])");
  session["stream"] =
      json::parse(R"([{"layer": "encoder.2", "row": 0, "col": 1, "value": "-Infinity"}])");
  session["weights"] = json::parse(
      R"([{"layer": "cross.0", "matrix": "W_V", "head": 1, "cells": [[0, 1, 0.5], [2, 0, -0.0]]},
          {"layer": "0", "matrix": "b_O", "cells": [[0, 3, 1]]}])");
  session["set_aside"] = json::parse(
      R"({"overrides": [{"head": "L0H0", "stage": "scores", "row": 9, "col": 1, "value": 1}]})");
  return session;
}

struct BadMember {
  const char* place;
  json value;
  const char* message;
};

const BadMember kBadMembers[] = {
    {"/type", "attention-lab session", "type: \"attention-lab session\""},
    {"/version", 0, "version: 0"},
    {"/version", 2, "version 2, newer than this program"},
    {"/version", "1", "version"},
    {"/comment", "x", "there is no member \"comment\""},
    {"/model", nullptr, "model"},
    {"/model/folder", 7, "model.folder"},
    {"/model/weights/0/sha256", 7, "model.weights[0].sha256"},
    {"/model/weights/0/sha256", "00", "model.weights[0].sha256: \"00\", should be 64 digits"},
    {"/model/weights/0/sha256", std::string(64, '0'), "not those that the session was made with"},
    {"/model/weights", json::array(), "not those that the session was made with"},
    {"/text", "x", "text"},
    {"/text/ids", json::array(), "text.ids: there is no token"},
    {"/text/ids/1", 37, "text.ids[1]: 37, should be below 37"},
    {"/text/ids/1", -1, "text.ids[1]"},
    {"/text/typed", 5, "text.typed"},
    {"/decoder_text", nullptr, "decoder_text"},
    {"/types", {0, 0, 0}, "types"},
    {"/layer", "2", "layer: the model has no layer \"2\""},
    {"/layer", "L0", "layer"},
    {"/gains/0/head", "L0H2", "the model has no head \"L0H2\""},
    {"/gains/0/head", "0", "should be a head such as"},
    {"/gains/0/mute", 1, "gains[0].mute"},
    {"/gains/0/gain", "loud", "gains[0].gain"},
    {"/gains/0/note", "", "there is no member"},
    {"/gains/1", {{"head", "L0H1"}}, "two gains of a head"},
    {"/overrides/0/stage", "residual", "overrides[0].stage: residual cannot be overridden in a"},
    {"/overrides/0",
     {{"layer", "0"}, {"stage", "X_kv"}, {"row", 0}, {"col", 0}, {"value", 1}},
     "overrides[0].stage: X_kv cannot be overridden in a layer of a model: keys and values"},
    {"/overrides/0/stage", "concat", "overrides[0].head: all heads share this stage"},
    {"/overrides/0/layer", "0", "overrides[0].layer: each head has its own weights"},
    {"/overrides/0/stage", "logits", "is no stage"},
    {"/overrides/0/row", 3, "there is no cell 3, 1"},
    {"/overrides/0/col", 3, "there is no cell 2, 3"},
    {"/patches/0/stage", "scores", "patches[0].stage"},
    {"/patches/0/values", {{0, 1}, {1, 0}}, "the patch is 2 × 2, should be 2 × 3"},
    {"/patches/0/values", {{0, 1, 0}, {1, 0}}, "patches[0].values"},
    {"/patches/0/values", {{"fill", "zero"}}, "patches[0].values"},
    {"/stream/0/layer", "cross.0", "stream[0].layer"},
    {"/stream/0/layer", "encoder.3", "stream[0].layer"},
    {"/stream/0/col", 1000, "stream[0].col"},
    {"/stream/0/row", 3, "there is no cell"},
    {"/weights/0/layer", "cross.1", "weights[0].layer"},
    {"/weights/0/matrix", "gamma", "weights[0].matrix"},
    {"/weights/0/matrix", "norm_Q", "weights[0].matrix: \"norm_Q\", should be one of"},
    {"/weights/0/head", 2, "weights[0].head: 2, should be 0 to 1"},
    {"/weights/0/head", nullptr, "weights[0].head"},
    {"/weights/1/head", 0, "all heads share b_O"},
    {"/weights/0/cells/0", {0, 1}, "should be [row, column, number]"},
    {"/weights/0/cells/0", {0, 1000, 1}, "there is no such cell"},
    {"/weights/0/cells/0", {2, 0, 1}, "this cell is there twice"},
    {"/weights/0/values", {{1}}, "should have either cells or values"},
    {"/weights/0", {{"layer", "0"}, {"matrix", "W_O"}, {"values", {{1}}}}, "weights[0].values"},
    {"/weights/0",
     {{"layer", "0"}, {"matrix", "b_O"}, {"cells", json::array()}},
     "this matrix is there twice"},
    {"/set_aside/gains", json::array(), "there is no member \"gains\""},
    {"/set_aside/overrides/0/head", "L3H0", "set_aside.overrides[0].head"},
    {"/set_aside/overrides/0/row", 90'000, "set_aside.overrides[0].row: 90000 is far beyond"},
    {"/set_aside/tokens", {{{"text", "x"}, {"before", 4}}}, "set_aside.tokens[0].before: 4"},
    {"/set_aside/decoder_tokens",
     {{{"text", "x"}, {"before", 1}}},
     "set_aside.overrides[0].row: 9, should be below 3, the number of tokens and removed tokens"},
    {"/set_aside/switched_off", {{"gains", json::array()}}, "there is no member \"gains\""},
};

// Older sessions give positions beyond the text, and do not name their tokens.
TEST(ModelSession, KeepsWhatAnOlderOneDetached) {
  json older = full_model_session();
  older["switched_off"] = json::parse(
      R"({"overrides": [{"head": "encoder.L0H0", "stage": "weights", "row": 7, "col": 1, "value": 2}]})");
  const auto session = read_model_session(older.dump(), {});
  ASSERT_TRUE(session) << session.error().message;
  const ModelDocument& found = session->document;
  ASSERT_EQ(found.detached.edits.overrides.size(), 1U);
  EXPECT_EQ(found.detached.edits.overrides[0].cell.row, 9);
  EXPECT_EQ(found.detached.switched_off.overrides.size(), 1U);
  EXPECT_TRUE(found.switched_off.overrides.empty());
  const auto again = read_model_session(session_of(found), {});
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->document.detached, found.detached);
}

TEST(ModelSession, NamesWhatIsWrongWithIt) {
  const json good = full_model_session();
  const auto session = read_model_session(good.dump(), {});
  ASSERT_TRUE(session) << session.error().message;
  for (const BadMember& bad : kBadMembers) {
    SCOPED_TRACE(std::string(bad.place) + " " + bad.value.dump());
    json changed = good;
    changed[json::json_pointer(bad.place)] = bad.value;
    const auto refused = read_model_session(changed.dump(), {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().type, ErrorType::kBadInput);
    EXPECT_THAT(refused.error().message, HasSubstr(bad.message));
  }
}

// What can be opened can be computed, and saved again.
void open_and_save(std::string_view text) {
  const auto session = read_model_session(text, {});
  if (!session) {
    EXPECT_FALSE(session.error().message.empty());
    return;
  }
  attention::network::NetworkEvaluator evaluator;
  evaluator.evaluate(session->document.network, tokens_of(session->document),
                     session->document.interventions);
  const std::string saved = write_model_session(session->document, session->weights);
  EXPECT_TRUE(read_model_session(saved, {})) << text;
}

TEST(DamagedModelSession, WithACutAnywhereOrAFlippedBitIsRefusedOrOpened) {
  damage(full_model_session().dump(), open_and_save);
}

TEST(DamagedModelSession, WithAnyValueOfAMemberIsRefusedOrOpened) {
  Damage(open_and_save).json(full_model_session().dump());
}

}  // namespace
}  // namespace lab
