#include "app/files/problem/problem_file.h"

#include <cstring>
#include <functional>

#include "app/tests/files/support.h"
#include "app/tests/rooms.h"
#include "core/layer/evaluator.h"

namespace lab {
namespace {

using attention::Index;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Tensor& tensor(TensorFile& file, std::string_view name) {
  for (Tensor& candidate : file.tensors)
    if (candidate.name == name) return candidate;
  return file.tensors.emplace_back(Tensor{std::string(name), {}, {}});
}

void reshape(TensorFile& file, std::string_view name, std::vector<std::int64_t> shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  tensor(file, name) = {std::string(name), std::move(shape),
                        std::vector<float>(static_cast<std::size_t>(count), 0.5f)};
}

Document read(const TensorFile& file) { return value_of(document_from_tensors(file, "t")); }

TEST(ProblemFile, SizesComeFromTheTensors) {
  const Document document = read(small_problem());
  const attention::Config& config = document.problem.config;
  EXPECT_EQ(document.title, "t");
  EXPECT_EQ(config.d_model, 4);
  EXPECT_EQ(config.n_heads, 2);
  EXPECT_EQ(config.d_k, 2);
  EXPECT_EQ(config.d_v, 3);
  EXPECT_EQ(config.d_out, 4);
  EXPECT_TRUE(config.scale);
  EXPECT_EQ(config.temperature, 1);
  EXPECT_FALSE(config.mask.any());
  EXPECT_FALSE(is_active(document.problem, attention::Stage::kMaskedScores));
}

TEST(ProblemFile, MetadataSetsScaleTemperatureAndTokens) {
  TensorFile file = small_problem();
  file.metadata = {{"scale", "false"}, {"temperature", "0.25"}, {"tokens", R"(["a","été","a"])"}};
  const Document document = read(file);
  EXPECT_FALSE(document.problem.config.scale);
  EXPECT_EQ(document.problem.config.temperature, 0.25f);
  EXPECT_EQ(document.sentence, "a été a");
  EXPECT_EQ(row_label(document, 1), "été");
}

TEST(ProblemFile, WithoutTokensTheRowsAreNumbered) {
  TensorFile file = small_problem();
  file.metadata.clear();
  EXPECT_EQ(read(file).sentence, "0 1 2");
}

TEST(ProblemFile, XKeepsEveryBit) {
  HardNumbers random(17);
  TensorFile file = small_problem();
  for (float& value : tensor(file, "X").values) value = random.next();
  tensor(file, "X").values[0] = std::nanf("7");
  const Document document = read(file);
  const attention::Matrix X = embed_tokens(document);
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_TRUE(same_bits(document.problem.embedding->data()[i], tensor(file, "X").values[i]));
    EXPECT_TRUE(same_bits(X.data()[i], tensor(file, "X").values[i])) << "from the lexicon";
  }
}

TEST(ProblemFile, EqualTokensShareARowOnlyWhenTheirRowsAreEqual) {
  TensorFile file = small_problem();
  reshape(file, "X", {5, 4});
  float* X = tensor(file, "X").values.data();
  X[4] = 7;                                                // row 1 differs from row 0
  std::memcpy(X + 12, X + 4, 4 * sizeof(float));           // row 3 is row 1 again
  file.metadata["tokens"] = R"(["a","a","a","a","a@1"])";  // and there is a word "a@1"
  const Document document = read(file);
  std::vector<std::string> keys;
  for (const Token& token : document.tokens) keys.push_back(token.key);
  EXPECT_THAT(keys, ElementsAre("a", "a@1@", "a", "a@1@", "a@1"));
  EXPECT_EQ(embed_tokens(document), *document.problem.embedding);
}

TEST(ProblemFile, MinusZeroAndZeroAreDifferentRows) {
  TensorFile file = small_problem();
  reshape(file, "X", {2, 4});
  tensor(file, "X").values = {0, 0, 0, 0, -0.0f, 0, 0, 0};
  file.metadata["tokens"] = R"(["a","a"])";
  EXPECT_TRUE(std::signbit(embed_tokens(read(file))(1, 0)));
}

TEST(ProblemFile, MasksAreRecognised) {
  TensorFile file = small_problem();
  tensor(file, "mask") = {"mask", {3, 3}, {1, 0, 0, 1, 1, 0, 1, 1, 1}};
  EXPECT_TRUE(read(file).problem.config.mask.causal);
  EXPECT_TRUE(read(file).problem.allowed.empty());
  tensor(file, "mask").values.assign(9, 1);
  EXPECT_FALSE(is_active(read(file).problem, attention::Stage::kMaskedScores));
  tensor(file, "mask").values[3] = 0;
  EXPECT_FALSE(read(file).problem.config.mask.any());
  EXPECT_FALSE(read(file).problem.may_attend(1, 0));
  EXPECT_TRUE(read(file).problem.may_attend(0, 1));
}

TEST(ProblemFile, RulesInTheMetadataLeaveTheMaskItsCells) {
  TensorFile file = small_problem();
  file.metadata["causal"] = "false";
  tensor(file, "mask") = {"mask", {3, 3}, {1, 0, 0, 1, 1, 0, 1, 1, 1}};
  const Document painted = read(file);
  EXPECT_FALSE(painted.problem.config.mask.any());
  EXPECT_FALSE(painted.problem.may_attend(0, 1));
  const TensorFile again = problem_tensors(painted);
  EXPECT_EQ(again.find("mask")->values, file.find("mask")->values);
  file.metadata = {{"causal", "true"}, {"key_count", "2"}, {"window", "1"}};
  EXPECT_EQ(read(file).problem.config.mask, (attention::MaskRules{true, 2, 1}));
}

TEST(ProblemFile, NamesThatLookMisspeltAreTold) {
  TensorFile file = small_problem();
  EXPECT_TRUE(misspelt_names(file).empty());
  tensor(file, "gama") = {"gama", {4}, {1, 1, 1, 1}};
  tensor(file, "w_o") = {"w_o", {1}, {1}};
  tensor(file, "Q") = {"Q", {1}, {1}};  // an answer's tensor, no misspelt W_Q
  file.metadata = {{"temprature", "2"}, {"format", "pt"}, {"n_heads", "2"}};
  EXPECT_THAT(
      misspelt_names(file),
      ElementsAre(HasSubstr("tensor \"gama\" is not read; did you mean \"gamma\""),
                  HasSubstr("did you mean \"W_O\""), HasSubstr("did you mean \"temperature\"")));
}

TEST(ProblemFile, GroupedQueriesTakeTheirNumberFromTheKeys) {
  TensorFile file = small_problem();
  reshape(file, "W_K", {1, 4, 2});
  reshape(file, "W_V", {1, 4, 3});
  const Document document = read(file);
  EXPECT_EQ(document.problem.config.n_kv_heads, 1);
  attention::Evaluator evaluator;
  const TensorFile answer = answer_tensors(document, evaluator.evaluate(document.problem));
  EXPECT_EQ(answer.find("K")->shape, (std::vector<std::int64_t>{1, 3, 2}));
  EXPECT_EQ(answer.find("V")->shape, (std::vector<std::int64_t>{1, 3, 3}));
  EXPECT_EQ(answer.find("Q")->shape, (std::vector<std::int64_t>{2, 3, 2}));
}

TEST(ProblemFile, ATriangleOverOtherKeysIsNotTheCausalRule) {
  TensorFile file = small_problem();
  reshape(file, "X_kv", {2, 4});
  tensor(file, "mask") = {"mask", {3, 2}, {1, 0, 1, 1, 1, 1}};
  const Document document = read(file);
  EXPECT_FALSE(document.problem.config.mask.any());
  EXPECT_FALSE(document.problem.allowed.empty());
  EXPECT_EQ(key_label(document, 1), "1");
  file.metadata["kv_tokens"] = R"(["der","Hund"])";
  EXPECT_EQ(key_label(read(file), 1), "Hund");
  EXPECT_EQ(read(file).kv_sentence, "der Hund");
}

TEST(ProblemFile, AnyDocumentReadsBackAsTheSameProblem) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const Document document = random_document(seed);
    const TensorFile file = problem_tensors(document);
    const Document again = read(value_of(read_safetensors(write_safetensors(file))));
    expect_same(problem_tensors(again), file);
  }
}

TEST(ProblemFile, AnswersAreShapedAsDocumented) {
  TensorFile file = small_problem();
  reshape(file, "X_kv", {5, 4});
  reshape(file, "W_O", {6, 7});
  const Document document = read(file);
  attention::Evaluator evaluator;
  const attention::Trace& trace = evaluator.evaluate(document.problem);
  const TensorFile answer = answer_tensors(document, trace);
  std::vector<std::string> names;
  for (const Tensor& stage : answer.tensors) names.push_back(stage.name);
  EXPECT_THAT(names, ElementsAre("X", "X_kv", "Q", "K", "V", "scores", "scaled_scores",
                                 "masked_scores", "weights", "head_output", "concat", "output"));
  EXPECT_THAT(answer.find("Q")->shape, ElementsAre(2, 3, 2));
  EXPECT_THAT(answer.find("K")->shape, ElementsAre(2, 5, 2));
  EXPECT_THAT(answer.find("V")->shape, ElementsAre(2, 5, 3));
  EXPECT_THAT(answer.find("weights")->shape, ElementsAre(2, 3, 5));
  EXPECT_THAT(answer.find("head_output")->shape, ElementsAre(2, 3, 3));
  EXPECT_THAT(answer.find("concat")->shape, ElementsAre(3, 6));
  EXPECT_THAT(answer.find("output")->shape, ElementsAre(3, 7));
  // Element (head 1, row 2, column 4) of weights, in row-major order
  EXPECT_EQ(answer.find("weights")->values[1 * 15 + 2 * 5 + 4], (*trace.heads[1].weights)(2, 4));
}

struct ProblemCase {
  const char* name;
  std::function<void(TensorFile&)> spoil;
  const char* message;
};
void PrintTo(const ProblemCase& c, std::ostream* out) { *out << c.name; }

class BadProblem : public ::testing::TestWithParam<ProblemCase> {};

TEST_P(BadProblem, IsRefusedWithItsReason) {
  TensorFile file = small_problem();
  GetParam().spoil(file);
  const auto result = document_from_tensors(file, "t");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().type, ErrorType::kBadInput);
  EXPECT_THAT(result.error().message, HasSubstr(GetParam().message));
}

std::function<void(TensorFile&)> shaped(std::string name, std::vector<std::int64_t> shape) {
  return [=](TensorFile& file) { reshape(file, name, shape); };
}

std::function<void(TensorFile&)> saying(std::string name, std::string value) {
  return [=](TensorFile& file) { file.metadata[name] = value; };
}

std::function<void(TensorFile&)> masked_by(float value) {
  return [=](TensorFile& file) {
    reshape(file, "mask", {3, 3});
    tensor(file, "mask").values.assign(9, value);
  };
}

INSTANTIATE_TEST_SUITE_P(
    Files, BadProblem,
    ::testing::Values(
        ProblemCase{"Nothing", [](TensorFile& file) { file = {}; },
                    "tensor \"X\" (seq_len × d_model) is missing; a problem needs X, W_Q"},
        ProblemCase{"NoKeys", [](TensorFile& file) { tensor(file, "W_K").name = "w_k"; },
                    "tensor \"W_K\" (n_kv_heads × d_model × d_k) is missing"},
        ProblemCase{"FlatX", shaped("X", {12}),
                    "tensor \"X\" is 12, it should have 2 dimensions (seq_len × d_model)"},
        ProblemCase{"ScalarX", shaped("X", {}), "tensor \"X\" is a scalar"},
        ProblemCase{"NoTokens", shaped("X", {0, 4}),
                    "seq_len (rows of X) is 0, it should be 1 … 2048"},
        ProblemCase{"TooManyTokens", shaped("X", {2049, 4}), "seq_len (rows of X) is 2049"},
        ProblemCase{"NoFeatures", shaped("X", {3, 0}), "d_model is 0"},
        ProblemCase{"TooManyFeatures", shaped("X", {3, 4097}), "d_model is 4097"},
        ProblemCase{"NoHeads", shaped("W_Q", {0, 4, 2}), "n_heads is 0"},
        ProblemCase{"TooManyHeads", shaped("W_Q", {65, 4, 2}), "n_heads is 65"},
        ProblemCase{"TooManyParameters",
                    [](TensorFile& file) {
                      reshape(file, "X", {1, 4096});
                      reshape(file, "W_Q", {33, 4096, 1});
                      reshape(file, "W_K", {33, 1, 1});
                      reshape(file, "W_V", {64, 1, 1024});
                      reshape(file, "W_O", {1, 1});
                    },
                    "must have at most 67108864"},
        ProblemCase{
            "OtherDK", shaped("W_K", {2, 4, 3}),
            "tensor \"W_K\" is 2 × 4 × 3, it should be 2 × 4 × 2 (n_kv_heads × d_model × d_k)"},
        ProblemCase{"OtherDModel", shaped("W_Q", {2, 5, 2}),
                    "tensor \"W_Q\" is 2 × 5 × 2, it should be 2 × 4 × 2"},
        ProblemCase{"GroupedKeysAlone", shaped("W_K", {1, 4, 2}),
                    "tensor \"W_V\" is 2 × 4 × 3, it should be 1 × 4 × 3 (n_kv_heads"},
        ProblemCase{"GroupedValuesAlone", shaped("W_V", {1, 4, 3}),
                    "tensor \"W_V\" is 1 × 4 × 3, it should be 2 × 4 × 3 (n_kv_heads"},
        ProblemCase{"MoreKeysThanQueries", shaped("W_K", {4, 4, 2}),
                    "n_kv_heads is 4, it must be 0 … 2"},
        ProblemCase{"FlatGamma", shaped("gamma", {1, 4}),
                    "\"gamma\" is 1 × 4, it should be 4 (d_out)"},
        ProblemCase{"OtherNorm", shaped("norm_K", {3}), "\"norm_K\" is 3, it should be 2 (d_k)"},
        ProblemCase{"OtherTable", shaped("position_table", {3, 5}),
                    "\"position_table\" is 3 × 5, it should be 3 × 4 (positions × d_model)"},
        ProblemCase{"LearnedWithoutTable", saying("positions", "learned"),
                    "position_table is 0 × 0, it must be at least 3 × 4"},
        ProblemCase{
            "Positions", saying("positions", "rope"),
            "metadata positions is \"rope\", it should be none, sinusoidal, learned, rotary"},
        ProblemCase{"RotaryPairs", saying("rotary_pairs", "both"),
                    "it should be adjacent or halves"},
        ProblemCase{"RotaryBase", saying("rotary_base", "0.5"), "rotary_base is 0.5"},
        ProblemCase{"Causal", saying("causal", "yes"),
                    "metadata causal is \"yes\", it should be true"},
        ProblemCase{"KeyCount", saying("key_count", "2.5"),
                    "key_count is \"2.5\", it should be a whole"},
        ProblemCase{"Window", saying("window", "-1"), "window is -1"},
        ProblemCase{"DropoutRate", saying("dropout_rate", "1"), "dropout_rate is 1"},
        ProblemCase{"DropoutSeed", saying("dropout_seed", "-1"), "metadata dropout_seed is \"-1\""},
        ProblemCase{"Epsilon", saying("layer_norm_epsilon", "0"), "layer_norm_epsilon is 0"},
        ProblemCase{"NormEpsilon", saying("head_norm_epsilon", "-1"), "head_norm_epsilon is -1"},
        ProblemCase{"NegativeCap", saying("score_cap", "-1"), "score_cap is -1"},
        ProblemCase{"InfiniteCap", saying("score_cap", "inf"), "score_cap is"},
        ProblemCase{"HeadMixIsNoJson", saying("head_mix", "[{"), "metadata head_mix is not JSON"},
        ProblemCase{"TooFewMixes", saying("head_mix", "[{}]"), "mixes for 1 heads, n_heads is 2"},
        ProblemCase{"MixIsNoNumber", saying("head_mix", R"([{}, {"scale": "loud"}])"),
                    "metadata head_mix[1].scale: \"loud\", should be a number"},
        ProblemCase{"MixMember", saying("head_mix", R"([{}, {"sale": 2}])"), "no member \"sale\""},
        ProblemCase{"OverrideStage",
                    saying("overrides", R"([{"stage": "score", "row": 0, "col": 0, "value": 1}])"),
                    "metadata overrides[0].stage: \"score\" is no stage"},
        ProblemCase{
            "OverrideHead",
            saying("overrides", R"([{"stage": "Q", "head": 0, "row": 0, "col": 0, "value": 1}])"),
            "overrides[0].head: 0, should be a whole number from 1"},
        ProblemCase{"OverridePlace",
                    saying("overrides", R"([{"stage": "Q", "row": 3, "col": 0, "value": 1}])"),
                    "there is no cell to override: Q of head_1 at (3, 0)"},
        ProblemCase{"OverrideValue", saying("overrides", R"([{"stage": "Q", "row": 0, "col": 0}])"),
                    "overrides[0].value: is missing"},
        ProblemCase{"FlatW_O", shaped("W_O", {24}), "2 dimensions (n_heads·d_v × d_out)"},
        ProblemCase{"OtherW_O", shaped("W_O", {4, 4}),
                    "tensor \"W_O\" is 4 × 4, it should be 6 × 4 (n_heads·d_v × d_out)"},
        ProblemCase{"FlatBias", shaped("b_Q", {2}), "it should be 2 × 2 (n_heads × d_k)"},
        ProblemCase{"OtherOutputBias", shaped("b_O", {3}), "\"b_O\" is 3, it should be 4 (d_out)"},
        ProblemCase{"OtherMask", shaped("mask", {3, 4}), "it should be 3 × 3 (seq_len × kv_len)"},
        ProblemCase{"AddedMask", masked_by(-1e9f), "other than 0 and 1"},
        ProblemCase{"NanMask", masked_by(std::nanf("")), "other than 0 and 1"},
        ProblemCase{"OtherScoreBias", shaped("bias", {2, 3, 3}), "it should be 3 × 3"},
        ProblemCase{"OtherKeys", shaped("X_kv", {2, 5}),
                    "tensor \"X_kv\" is 2 × 5, it should be 2 × 4 (kv_len × d_model)"},
        ProblemCase{"NoKeysAtAll", shaped("X_kv", {0, 4}), "kv_len (rows of X_kv) is 0"},
        ProblemCase{"Scale", saying("scale", "yes"),
                    "scale is \"yes\", it should be true or false"},
        ProblemCase{"Temperature", saying("temperature", "warm"), "it should be a number"},
        ProblemCase{"TemperatureWithUnit", saying("temperature", "1K"), "it should be a number"},
        ProblemCase{"ZeroTemperature", saying("temperature", "0"), "temperature is 0"},
        ProblemCase{"NanTemperature", saying("temperature", "nan"), "temperature"},
        ProblemCase{"TokensAreNoJson", saying("tokens", "a b c"), "metadata tokens is not JSON"},
        ProblemCase{"TokensAreNoList", saying("tokens", "3"), "tokens is 3, it should be a list"},
        ProblemCase{"TooFewTokens", saying("tokens", R"(["a"])"), "1 strings, it should have 3"},
        ProblemCase{"TokenIsNoText", saying("tokens", R"(["a",1,"b"])"), "tokens holds 1"}),
    case_name<ProblemCase>);

}  // namespace
}  // namespace lab
