#include "app/files/problem/attention_file.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/files/io/bytes.h"
#include "app/files/open.h"
#include "app/files/problem/stage_numbers.h"
#include "app/tests/files/support.h"
#include "app/tests/rooms.h"
#include "core/layer/evaluator.h"

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using attention::Stage;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

Expected<Document> opened(const std::string& bytes, const MultiheadChoice& choice = {}) {
  const TemporaryFolder folder;
  EXPECT_TRUE(write_bytes(folder / "file", bytes));
  return open_document(folder / "file", nullptr, nullptr, choice);
}

attention::Trace traced(const attention::Problem& problem) {
  attention::Evaluator evaluator;
  return evaluator.evaluate(problem);
}

Matrix weights_of(const Document& document, std::size_t head) {
  return *traced(document.problem).heads[head].weights;
}

std::vector<std::string> texts(const std::vector<Token>& tokens) {
  std::vector<std::string> result;
  for (const Token& token : tokens) result.push_back(token.text);
  return result;
}

TEST(AttentionFile, ShapesThatCannotBeOpenedAreNamedInEveryFormat) {
  const std::vector<std::vector<std::int64_t>> shapes = {
      {0, 2, 2}, {2, 0, 2}, {2, 2, 0}, {1, 2, 0, 3}, {2, 2, 2, 2, 2, 2}, {1, 1, 1, 1, 1, 0, 3}};
  for (const auto& shape : shapes) {
    std::int64_t count = 1;
    for (const std::int64_t side : shape) count *= side;
    const Tensor array{"x", shape, std::vector<float>(static_cast<std::size_t>(count), 0.5f)};
    for (const std::string& bytes :
         {write_npy(array), write_npz({{array}, {}}).value(), write_safetensors({{array}, {}})}) {
      const auto document = opened(bytes);
      ASSERT_FALSE(document);
      EXPECT_EQ(document.error().type, ErrorType::kBadInput);
      EXPECT_THAT(document.error().message, HasSubstr(shape_text(shape)));
    }
  }
}

TEST(AttentionFile, ArraysOfAListAreLayersInTheirOrder) {
  TensorFile file;
  for (const char* name : {"arr_0", "arr_10", "arr_2"}) {
    const float first = file.tensors.empty() ? 0.25f : file.tensors.size() == 1 ? 0.75f : 0.5f;
    file.tensors.push_back({name, {1, 1, 2, 2}, {first, 1 - first, 0.5f, 0.5f}});
  }
  const std::string bytes = write_npz(file).value();
  for (const auto& [layer, weight] :
       std::vector<std::pair<std::string, float>>{{"1", 0.25f}, {"2", 0.5f}, {"3", 0.75f}})
    EXPECT_NEAR(weights_of(value_of(opened(bytes, {{}, layer})), 0)(0, 0), weight, 1e-6) << layer;
  EXPECT_FALSE(opened(bytes, {{}, "4"}));
}

TEST(AttentionFile, RowsOfNanAndOfZerosComeBack) {
  const float nan = std::nanf("");
  for (const float masked : {nan, 0.0f}) {
    const Tensor array{"attention", {2, 2, 2}, {1, 0, 0.5f, 0.5f, masked, masked, 0.25f, 0.75f}};
    const Document document = value_of(opened(write_npy(array)));
    EXPECT_NEAR(weights_of(document, 0)(1, 0), 0.5f, 1e-6);
    const Matrix second = weights_of(document, 1);
    EXPECT_NEAR(second(1, 1), 0.75f, 1e-6);
    for (Index j = 0; j < 2; ++j)
      EXPECT_TRUE(std::isnan(masked) ? std::isnan(second(0, j)) : second(0, j) == 0);
  }
}

TEST(AttentionFile, OneNanAmongNumbersIsRefused) {
  const Tensor array{"attention", {1, 2, 2}, {1, std::nanf(""), 0.5f, 0.5f}};
  const auto document = opened(write_npy(array));
  ASSERT_FALSE(document);
  EXPECT_THAT(document.error().message, HasSubstr("row 0"));
}

TEST(AttentionFile, RowsOfHalfPrecisionKeepTheirNumbers) {
  const std::vector<float> half = {0.33325195f, 0.33325195f, 0.33325195f, 0.10003662f, 0.29980469f,
                                   0.59960938f, 0.5f,        0.25f,       0.25f};
  const Document document = value_of(opened(write_npy({"", {1, 3, 3}, half})));
  const Matrix weights = weights_of(document, 0);
  for (Index i = 0; i < 2; ++i)
    for (Index j = 0; j < 3; ++j)
      EXPECT_EQ(weights(i, j), half[static_cast<std::size_t>(3 * i + j)]);
}

// --- tables

const std::vector<std::string> kOddTokens = {" ",   "  ", "\t", "\a", "a\nb", "a\r\nb", "\r", "\"",
                                             "a,b", ";",  "#x", "1",  "-2.5", "sep=;",  "é",  "NA"};

TEST(AttentionTable, TokensAndNumbersComeBackAsTheyWent) {
  const auto count = static_cast<std::int64_t>(kOddTokens.size());
  for (const std::int64_t keys : {count, std::int64_t{3}}) {
    Tensor array{"attention", {1, count, keys}, {}};
    for (std::int64_t i = 0; i < count * keys; ++i)
      array.values.push_back(1 / static_cast<float>(keys));
    TensorFile file{{array}, {}};
    const nlohmann::json words = kOddTokens;
    file.metadata["tokens"] = words.dump();
    if (keys != count) file.metadata["kv_tokens"] = R"(["x","2"," "])";
    const Document before = value_of(opened(write_safetensors(file)));
    const attention::Trace trace = traced(before.problem);
    const std::string csv = stage_csv(before, trace, Stage::kWeights, Index{0});
    const Document after = value_of(opened(csv));
    EXPECT_THAT(texts(after.tokens), ElementsAreArray(texts(before.tokens)));
    EXPECT_THAT(texts(after.kv_tokens), ElementsAreArray(texts(before.kv_tokens)));
    EXPECT_TRUE(weights_of(after, 0).isApprox(*trace.heads[0].weights, 1e-6f));
  }
}

void expect_weights(const std::string& text, std::vector<std::string> tokens, float second) {
  const auto document = opened(text);
  ASSERT_TRUE(document) << text << document.error().message;
  EXPECT_THAT(texts(document->tokens), ElementsAreArray(tokens)) << text;
  EXPECT_NEAR(weights_of(*document, 0)(0, 1), second, 1e-6) << text;
}

TEST(AttentionTable, OpensWhatSpreadsheetsWrite) {
  const std::vector<std::string> tokens = {"a", "b"};
  for (const char* text :
       {"sep=;\n;a;b\na;0,25;0,75\nb;0,5;0,5\n", ",a,b\ra,0.25,0.75\rb,0.5,0.5\r",
        "\"\",\"a\",\"b\"\n\"a\",\"0,25\",\"0,75\"\n\"b\",\"0,5\",\"0,5\"\n",
        "\xEF\xBB\xBF;a;b\r\na;0,25;0,75\r\nb;0,5;0,5\r\n", "\ta\tb\na\t0,25\t0,75\nb\t0,5\t0,5\n"})
    expect_weights(text, tokens, 0.75f);
  std::string wide = "\xFF\xFE";
  for (const char c : std::string("\ta\tb\r\na\t0,25\t0,75\r\nb\t0,5\t0,5\r\n"))
    (wide += c) += '\0';
  expect_weights(wide, tokens, 0.75f);
}

TEST(AttentionTable, TokensMayBeNumbersUnderACornerOfText) {
  expect_weights("tok,1,2,3\n1,0.5,0.25,0.25\n2,0.1,0.2,0.7\n3,0,0,1\n", {"1", "2", "3"}, 0.25f);
  expect_weights("tok,1,+,2\n1,0.5,0.25,0.25\n+,0.1,0.2,0.7\n2,0,0,1\n", {"1", "+", "2"}, 0.25f);
  expect_weights("\"query/key\",2,cats\n2,0.5,0.5\ncats,0.25,0.75\n", {"2", "cats"}, 0.5f);
}

TEST(AttentionTable, ATableThatIsNotSquareIsCrossAttention) {
  const Document document = value_of(opened("tok,x,y,z,w\na,0.5,0.25,0.25,0\nb,0.1,0.2,0.7,0\n"));
  EXPECT_THAT(texts(document.tokens), ElementsAreArray({"a", "b"}));
  EXPECT_THAT(texts(document.kv_tokens), ElementsAreArray({"x", "y", "z", "w"}));
  EXPECT_NEAR(weights_of(document, 0)(1, 2), 0.7f, 1e-6);
}

TEST(AttentionTable, WhatIsWrongHasLineAndField) {
  const auto expect = [](const char* text, const char* place) {
    const auto document = opened(text);
    ASSERT_FALSE(document) << text;
    EXPECT_THAT(document.error().message, HasSubstr(place)) << text;
  };
  expect(",a,b\na,NaN,1\nb,0.5,0.5\n", "line 2, field 2");
  expect(",a,b\na,,1\nb,0.5,0.5\n", "line 2, field 2");
  expect(",a,b\na,0.5,0.5\nb,0.5\n", "line 3 has 2 fields");
  expect(",a,b\na,0.5,0.5\nb,0.5,half\n", "line 3, field 3");
}

}  // namespace
}  // namespace lab
