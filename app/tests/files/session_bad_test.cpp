#include <nlohmann/json.hpp>

#include "app/files/session/session.h"
#include "app/tests/files/support.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

// A bad session: small_session() with `value` put at the JSON pointer `place`, or, when that is
// empty, the text `value`.
struct SessionCase {
  const char* name;
  const char* place;
  json value;
  const char* message;

  std::string text() const {
    if (std::string_view(place).empty()) return value.get<std::string>();
    json root = json::parse(small_session());
    root[json::json_pointer(place)] = value;
    return root.dump();
  }
};
void PrintTo(const SessionCase& c, std::ostream* out) { *out << c.name; }

class BadSession : public ::testing::TestWithParam<SessionCase> {};

TEST_P(BadSession, IsRefusedWithItsReason) {
  const auto result = read_session(GetParam().text());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().type, ErrorType::kBadInput);
  EXPECT_THAT(result.error().message, HasSubstr(GetParam().message));
}

// Long values are made in their own test: each of the others would start by making them, too.
TEST(LongSession, IsRefusedWithItsReason) {
  const auto message = [](const SessionCase& c) { return read_session(c.text()).error().message; };
  EXPECT_THAT(message({"", "/sentence", std::string(2'000'000, 'a'), ""}),
              HasSubstr("2000000 bytes; at most"));
  EXPECT_THAT(message({"", "/X_kv", json(2049, {1, 2}), ""}), HasSubstr("X_kv: 2049 keys"));
}

INSTANTIATE_TEST_SUITE_P(
    Text, BadSession,
    ::testing::Values(
        SessionCase{"Empty", "", "", "line 1, column 1"},
        SessionCase{"NoJson", "", "{x", "column 2"},
        SessionCase{"List", "", "[]", "a list, should be a session"},
        SessionCase{"CutOff", "", small_session().substr(0, 300), "line 6, column 16"},
        SessionCase{"TwoSessions", "", small_session() + small_session(), "follows after the end"},
        SessionCase{"Nul", "", small_session() + std::string(1, '\0'), "a NUL byte"},
        SessionCase{"NoUtf8", "", "{\"a\": \"\xFF\"}", "UTF-8"},
        SessionCase{"Comment", "", "{} // done", "column 4: something follows"},
        SessionCase{"MemberTwice", "", R"({"title": "a", "title": "b"})",
                    "\"title\" is there twice"},
        SessionCase{"TooDeep", "", std::string(100'000, '['), "deeper than 64 levels"},
        SessionCase{"BeyondDouble", "", R"({"a": 1e999})", "column 7: a number beyond all"}),
    case_name<SessionCase>);

INSTANTIATE_TEST_SUITE_P(
    Head, BadSession,
    ::testing::Values(
        SessionCase{"Lesson", "/type", "attention-lab lesson",
                    R"(type: "attention-lab lesson", should be "attention-lab session")"},
        SessionCase{"NoType", "", "{}", "type: missing, should be"},
        SessionCase{"NoVersion", "/version", nullptr, "version: nothing, should be"},
        SessionCase{"MaskOfVersion1", "/version", 2,
                    "config.mask: is of version 1; write \"causal\""},
        SessionCase{"NewerWithoutSense", "/version", 3,
                    "newer than this program, which knows version 2"},
        SessionCase{"VersionIsText", "/version", "2", "version: \"2\", should be a whole number"},
        SessionCase{"Version0", "/version", 0, "version: 0, should be"},
        SessionCase{"Title", "/title", 3, "title: 3, should be text"},
        SessionCase{"Tokenizer", "/tokenizer", "bytes", R"(tokenizer: "bytes", should be "words")"},
        SessionCase{"Sentence", "/sentence", nullptr, "sentence: nothing, should be text"},
        SessionCase{"NoWord", "/sentence", " \n ", "sentence: there is no token"},
        SessionCase{"TooManyWords", "/sentence", std::string(6000, '.'), "tokens; at most 2048"},
        SessionCase{"NoTokens", "/tokens", json::array(), "tokens: there is no token"},
        SessionCase{"TokenIsText", "/tokens", {"a"}, R"(tokens[0]: "a", should be an object)"},
        SessionCase{"TokenHasNoText", "/tokens", {{{"key", "a"}}}, "tokens[0].text: is missing"},
        SessionCase{
            "TokenKey", "/tokens", {{{"text", "a"}, {"key", 1}}}, "tokens[0].key: 1, should be"},
        SessionCase{
            "Dimensions", "/dimensions", {"x"}, "dimensions: 1 names, should be 2 (d_model)"},
        SessionCase{"Dimension", "/dimensions", {"x", 1}, "dimensions[1]: 1, should be text"}),
    case_name<SessionCase>);

INSTANTIATE_TEST_SUITE_P(
    Config, BadSession,
    ::testing::Values(
        SessionCase{"Missing", "/config", nullptr, "config: nothing, should be an object"},
        SessionCase{"BrokenSize", "/config/d_model", 2.5, "config.d_model: 2.5, should be a whole"},
        SessionCase{"NegativeSize", "/config/d_k", -1, "config.d_k: -1, should be a whole"},
        SessionCase{"HugeSize", "/config/d_k", 4294967297, "config.d_k: 4294967297 is too large"},
        SessionCase{"ZeroSize", "/config/d_k", 0, "config: d_k is 0"},
        SessionCase{"LargeSize", "/config/n_heads", 65, "config: n_heads is 65"},
        SessionCase{"Scale", "/config/scale", 1, "config.scale: 1, should be true or false"},
        SessionCase{"Temperature", "/config/temperature", "hot", "config.temperature: \"hot\""},
        SessionCase{"ZeroTemperature", "/config/temperature", 0, "config: temperature is 0"},
        SessionCase{"NanTemperature", "/config/temperature", "NaN", "config: temperature is"},
        SessionCase{"Mask", "/config/mask", "diagonal",
                    R"(config.mask: "diagonal", should be "none")"},
        SessionCase{"KvHeads", "/config/n_kv_heads", 2, "config: n_kv_heads is 2"},
        SessionCase{"HeadBuild", "/config/head_build", "both",
                    R"(config.head_build: "both", should be separate or split)"},
        SessionCase{"Positions", "/config/positions", "absolute",
                    R"(config.positions: "absolute", should be none, sinusoidal, learned)"},
        SessionCase{"OddRotary", "/config/positions", "rotary",
                    "config: d_k is 1, it must be even"},
        SessionCase{"RotaryPairs", "/config/rotary_pairs", 2,
                    "config.rotary_pairs: 2, should be text"},
        SessionCase{"DropoutRate", "/config/dropout_rate", 1, "config: dropout_rate is 1"},
        SessionCase{"DropoutSeed", "/config/dropout_seed", -1,
                    "config.dropout_seed: -1, should be"},
        SessionCase{"Biases", "/config/biases", "on",
                    "config.biases: \"on\", should be true or false"},
        SessionCase{"Window", "/config/window", 4000, "config: window is 4000"}),
    case_name<SessionCase>);

INSTANTIATE_TEST_SUITE_P(
    Matrices, BadSession,
    ::testing::Values(
        SessionCase{"Embedding", "/embedding", json::array(),
                    "embedding: a list, should be an object"},
        SessionCase{"EmbeddingRow",
                    "/embedding/a",
                    {1},
                    "embedding[\"a\"]: 1 numbers, should be 2 (d_model)"},
        SessionCase{"NoHeads", "/heads", nullptr, "heads: nothing, should be a list"},
        SessionCase{"HeadCount", "/heads", json::array(), "heads: 0 heads, should be 1 (n_heads)"},
        SessionCase{"Head", "/heads/0", 1, "heads[0]: 1, should be an object"},
        SessionCase{"NoMatrix", "/heads/0", json::object(), "heads[0].W_Q: is missing"},
        SessionCase{"MatrixIsText", "/heads/0/W_Q", "zero",
                    "heads[0].W_Q: \"zero\", should be a list"},
        SessionCase{"Rows", "/heads/0/W_Q", {{1}}, "heads[0].W_Q: 1 rows, should be 2 (d_model)"},
        SessionCase{
            "Columns", "/heads/0/W_Q/1", {1, 2}, "heads[0].W_Q[1]: 2 numbers, should be 1 (d_k)"},
        SessionCase{"RowIsNumber", "/heads/0/W_Q/1", 2, "heads[0].W_Q[1]: 2, should be a list"},
        SessionCase{"CellIsText", "/heads/0/W_Q/1/0", "x",
                    "heads[0].W_Q[1][0]: \"x\", should be a"},
        SessionCase{"CellIsTrue", "/heads/0/W_Q/1/0", true,
                    "heads[0].W_Q[1][0]: true, should be a"},
        SessionCase{"BeyondFloat", "/heads/0/W_Q/1/0", 1e39, "[1][0]: 1e+39 is beyond float32"},
        SessionCase{"Bias", "/heads/0/b_V", {1}, "heads[0].b_V: 1 numbers, should be 2 (d_v)"},
        SessionCase{"BiasOfO", "/b_O", {{1, 2}}, "b_O: 1 numbers, should be 2 (d_out)"},
        SessionCase{"NoWO", "/W_O", nullptr, "W_O: nothing, should be a list of rows or a fill"},
        SessionCase{"NoFill", "/W_O", json::object(), "W_O.fill: is missing"},
        SessionCase{
            "Fill", "/W_O", {{"fill", "ones"}}, "W_O.fill: \"ones\", should be one of zero"},
        SessionCase{"Seed", "/W_O", {{"fill", "zero"}, {"seed", -1}}, "W_O.seed: -1, should be"}),
    case_name<SessionCase>);

INSTANTIATE_TEST_SUITE_P(
    Keys, BadSession,
    ::testing::Values(
        SessionCase{"LabelsAlone", "/kv_labels", {"a"}, "kv_labels: is there without X_kv"},
        SessionCase{"FillWithoutLabels", "/X_kv", {{"fill", "zero"}}, "or have kv_labels"},
        SessionCase{"NoKeys", "/X_kv", json::array(), "X_kv: 0 keys, should be 1 … 2048"},
        SessionCase{"KeyRow", "/X_kv", {{1}}, "X_kv[0]: 1 numbers, should be 2 (d_model)"},
        SessionCase{"Allowed", "/allowed", {{1, 0}}, "allowed: 1 rows, should be 3 (seq_len)"},
        SessionCase{"AllowedValue", "/allowed", json(3, {0, 1, 0.5}),
                    "allowed: holds numbers other"},
        SessionCase{"ScoreBias", "/bias", json(3, {0}), "bias[0]: 1 numbers, should be 3 (kv_len)"},
        SessionCase{"Gamma", "/gamma", {1}, "gamma: 1 numbers, should be 2 (d_out)"},
        SessionCase{"NormQ", "/norm_Q", {1, 2, 3}, "norm_Q: 3 numbers, should be 1 (d_k)"},
        SessionCase{"HeadNorm", "/config/head_norm", 1, "config.head_norm: 1, should be true or"},
        SessionCase{"Cap", "/config/score_cap", -2, "score_cap is -2"},
        SessionCase{"InfiniteCap", "/config/score_cap", "Infinity", "score_cap is inf"},
        SessionCase{"Table", "/position_table", {{1}}, "position_table[0]: 1 numbers, should be 2"},
        SessionCase{"NoTable", "/position_table", json::array(),
                    "position_table: 0 rows, should be 1"},
        SessionCase{"HeadMix", "/head_mix", 1, "head_mix: 1, should be a list"},
        SessionCase{"HeadMixCount", "/head_mix", json(2, json::object()), "mixes for 2 heads"},
        SessionCase{"Overrides", "/overrides", {1}, "overrides[0]: 1, should be an object"},
        SessionCase{"OverrideTwice", "/overrides",
                    json(2, {{"stage", "X"}, {"row", 0}, {"col", 0}, {"value", 1}}),
                    "X at (0, 0) is overridden twice"}),
    case_name<SessionCase>);

const json kRemoved = {{{"text", "cat"}, {"before", 1}}};

INSTANTIATE_TEST_SUITE_P(
    Detached, BadSession,
    ::testing::Values(SessionCase{"NoObject", "/set_aside", 1, "set_aside: 1, should be an object"},
                      SessionCase{"Beyond",
                                  "/set_aside/queries",
                                  {{{"text", "cat"}, {"before", 4}}},
                                  "set_aside.queries[0].before: 4, should be 0 … 3"},
                      SessionCase{"NotGone",
                                  "/set_aside",
                                  {{"queries", kRemoved}, {"mask", {{0, 0}}}},
                                  "set_aside.mask[0]: neither word was removed"},
                      SessionCase{"NoPlace",
                                  "/set_aside",
                                  {{"keys", kRemoved}, {"bias", {{4, 1, 2}}}},
                                  "set_aside.bias[0][0]: 4, should be below 3"},
                      SessionCase{"Twice",
                                  "/set_aside",
                                  {{"keys", kRemoved}, {"mask", {{0, 1}, {0, 1}}}},
                                  "set_aside.mask: names a cell twice"},
                      SessionCase{"Override",
                                  "/set_aside/overrides",
                                  {{{"stage", "scores"}, {"row", 0}, {"col", 9}, {"value", 1}}},
                                  "set_aside.overrides[0].col: 9, should be below 3"}),
    case_name<SessionCase>);

// Each filled matrix would be within its limits, all of them together not.
TEST(SessionLimits, FillsAreCountedBeforeTheyAreMade) {
  json root = json::parse(small_session());
  root["config"] = {{"d_model", 4096}, {"n_heads", 64}, {"d_k", 1024}, {"d_v", 1024}};
  const auto result = read_session(root.dump());
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("must have at most 67108864"));
}

TEST(SessionLimits, TooManyScoresAreRefused) {
  json root = json::parse(small_session());
  root["config"]["n_heads"] = 32;
  root["sentence"] = std::string(2000, '.');
  const json zero = {{"fill", "zero"}};
  root["heads"] = json(32, {{"W_Q", zero}, {"W_K", zero}, {"W_V", zero}});
  root["W_O"] = zero;
  const auto result = read_session(root.dump());
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("n_heads · seq_len · kv_len is 128000000"));
}

}  // namespace
}  // namespace lab
