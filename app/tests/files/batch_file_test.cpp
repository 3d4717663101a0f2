// Problems of several sentences, in one file.
#include "app/files/problem/batch_file.h"

#include "app/document/batch/sentences.h"
#include "app/files/problem/document_format.h"
#include "app/files/problem/problem_file.h"
#include "app/tests/document/samples.h"
#include "app/tests/files/support.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using attention::Index;
using attention::Matrix;
using samples::after;
using samples::full_trace;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Index kSentences = 3, kLength = 3, kDModel = 4;

Tensor& tensor_of(TensorFile& file, std::string_view name) {
  return *std::ranges::find(file.tensors, name, &Tensor::name);
}

// Three sentences of three rows, all different.
TensorFile batch_problem() {
  TensorFile file = small_problem();
  Tensor& X = tensor_of(file, "X");
  X = {"X", {kSentences, kLength, kDModel}, {}};
  for (int i = 0; i < kSentences * kLength * kDModel; ++i)
    X.values.push_back(std::sin(0.7f * static_cast<float>(i)));
  file.metadata["tokens"] = R"([["the","cat"],["the","dog","ran"],["a","cat","sat"]])";
  return file;
}

void add_mask(TensorFile& file, std::vector<float> values) {
  file.tensors.push_back({"mask", {kSentences, kLength, kLength}, std::move(values)});
}

Document read(const TensorFile& file) { return value_of(document_from_tensors(file, "t")); }
std::vector<Document> sentences_of(const TensorFile& file) {
  return value_of(all_sentences(read(file)));
}

bool same_traces(const Document& a, const Document& b) {
  return samples::fingerprint(full_trace(a)) == samples::fingerprint(full_trace(b));
}

// Sentence `number` in a file of its own.
Document alone(const TensorFile& file, Index number, Index length) {
  TensorFile one = file;
  Tensor& X = tensor_of(one, "X");
  const auto begin = X.values.begin() + number * kLength * kDModel;
  X = {"X", {length, kDModel}, {begin, begin + length * kDModel}};
  one.metadata.erase("tokens");
  return read(one);
}

TEST(BatchFile, EverySentenceHasTheNumbersOfAFileOfItsOwn) {
  const auto sentences = sentences_of(batch_problem());
  ASSERT_EQ(sentences.size(), 3U);
  const Index lengths[] = {2, 3, 3};
  for (std::size_t i = 0; i < 3; ++i) {
    const Document own = alone(batch_problem(), static_cast<Index>(i), lengths[i]);
    EXPECT_EQ(samples::fingerprint(full_trace(sentences[i])), samples::fingerprint(full_trace(own)))
        << "sentence " << i;
  }
}

TEST(BatchFile, EqualWordsKeepTheirOwnVectors) {
  const auto sentences = sentences_of(batch_problem());
  EXPECT_EQ(sentences[0].sentence, "the cat");
  EXPECT_EQ(sentences[1].sentence, "the dog ran");
  EXPECT_NE(sentences[0].tokens[0].key, sentences[1].tokens[0].key) << "\"the\" differs";
  const Document document = read(batch_problem());
  EXPECT_EQ(document.sentence, "the cat") << "the first one is shown";
  const Document second = after(document, GoToSentence{1});
  EXPECT_EQ(*second.problem.embedding, *sentences[1].problem.embedding);
}

TEST(BatchFile, EqualTokensOfAllSentencesAndNumbersWithoutAny) {
  TensorFile file = batch_problem();
  file.metadata["tokens"] = R"(["x","y","z"])";
  EXPECT_EQ(sentences_of(file)[2].sentence, "x y z");
  file.metadata.erase("tokens");
  EXPECT_EQ(sentences_of(file)[1].sentence, "0 1 2");
}

TEST(BatchFile, TokensThatNobodyAttendsToAreThereUnlessAShorterListLeavesThemOut) {
  TensorFile file = batch_problem();
  file.metadata.erase("tokens");
  add_mask(file, {1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0, 1, 0, 0});
  const auto sentences = sentences_of(file);
  for (const Document& one : sentences) EXPECT_EQ(one.tokens.size(), 3U);
  EXPECT_EQ((*sentences[2].problem.allowed)(2, 1), 0);
  file.metadata["tokens"] = R"([["a","b"],["a","b","c"],["a"]])";
  const auto shorter = sentences_of(file);
  EXPECT_EQ(shorter[0].tokens.size(), 2U);
  EXPECT_EQ(shorter[2].tokens.size(), 1U);
  for (const Document& one : shorter) EXPECT_TRUE(one.problem.allowed.empty());
}

TEST(BatchFile, CausalMasksAreTheRuleOfAllSentences) {
  TensorFile file = batch_problem();
  add_mask(file, {1, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 1, 1, 1});
  const auto sentences = sentences_of(file);
  for (const Document& one : sentences) EXPECT_TRUE(one.problem.config.mask.causal);
  ASSERT_FALSE(sentences[2].problem.allowed.empty()) << "what else it forbids is painted";
  EXPECT_EQ((*sentences[2].problem.allowed)(1, 0), 0);
}

TEST(BatchFile, ASingleQueryOverSeveralKeysIsNotCausal) {
  TensorFile file = batch_problem();
  file.tensors.push_back(tensor_of(file, "X"));
  file.tensors.back().name = "X_kv";
  file.metadata["tokens"] = R"([["q"],["a","b","c"],["a","b","c"]])";
  add_mask(file, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 1, 1, 1});
  const auto sentences = sentences_of(file);
  EXPECT_FALSE(sentences[0].problem.config.mask.causal);
  EXPECT_GT((*full_trace(sentences[0]).heads[0].weights)(0, 2), 0);
  EXPECT_EQ((*full_trace(sentences[1]).heads[0].weights)(0, 2), 0);
}

TEST(BatchFile, MasksOfWhichOneIsNotCausalStayPainted) {
  TensorFile file = batch_problem();
  add_mask(file, {1, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1});
  const auto sentences = sentences_of(file);
  for (const Document& one : sentences) {
    EXPECT_FALSE(one.problem.config.mask.causal);
    EXPECT_FALSE(one.problem.allowed.empty());
  }
  EXPECT_EQ((*sentences[1].problem.allowed)(0, 2), 0);
  EXPECT_EQ((*sentences[2].problem.allowed)(0, 1), 1);
}

TEST(BatchFile, ABatchOfOneIsASentence) {
  TensorFile file = batch_problem();
  Tensor& X = tensor_of(file, "X");
  X.shape[0] = 1;
  X.values.resize(kLength * kDModel);
  file.metadata["tokens"] = R"(["x","y","z"])";
  const Document document = read(file);
  EXPECT_TRUE(document.batch.sentences.empty());
  EXPECT_EQ(document.sentence, "x y z");
}

std::string message(const std::function<void(TensorFile&)>& edit) {
  TensorFile file = batch_problem();
  edit(file);
  const auto document = document_from_tensors(file, "t");
  EXPECT_FALSE(document);
  return document ? "" : document.error().message;
}

TEST(BatchFile, SaysWhatIsWrong) {
  const auto tokens = [](const char* text) {
    return message([&](TensorFile& file) { file.metadata["tokens"] = text; });
  };
  EXPECT_THAT(tokens(R"([["a"],["b"]])"), HasSubstr("2 lists, it should have 3"));
  EXPECT_THAT(tokens(R"([["a"],["b"],["1","2","3","4"]])"), HasSubstr("tokens[2] has 4"));
  EXPECT_THAT(tokens(R"([["a"],["b"],[]])"), HasSubstr("tokens[2] has 0"));
  EXPECT_THAT(tokens(R"([["a"],["b"],[1]])"), HasSubstr("tokens[2] holds 1"));
  EXPECT_THAT(tokens(R"(["a","b"])"), HasSubstr("2 strings, it should have 3"));
  EXPECT_THAT(message([](TensorFile& file) {
                file.tensors.push_back({"mask", {2, 3, 3}, std::vector<float>(18, 1)});
              }),
              HasSubstr("mask"));
  EXPECT_THAT(message([](TensorFile& file) {
                file.tensors.push_back({"X_kv", {3, 4}, std::vector<float>(12, 1)});
              }),
              HasSubstr("X_kv"));
  EXPECT_THAT(message([](TensorFile& file) {
                tensor_of(file, "X") = {"X", {65, 1, 4}, std::vector<float>(65 * 4)};
                file.metadata.erase("tokens");
              }),
              HasSubstr("1 … 64"));
  EXPECT_THAT(message([](TensorFile& file) {
                tensor_of(file, "X") = {"X", {0, 3, 4}, {}};
              }),
              HasSubstr("1 … 64"));
}

// A batch by hand: three sentences with a mask and a bias on the words of one.
Document batch_by_hand() {
  Document document = after(samples::file_document(), AddSentence{"the dog saw"});
  document = after(document, SetKvSentence{"der Hund"});
  document = after(document, SetCell{samples::kMask, 2, 0, 0});
  return after(document, AddSentence{"a cat"});
}

TEST(BatchFile, ComesBackFromTheFileItIsWrittenTo) {
  const Document document = batch_by_hand();
  const auto file = batch_tensors(document);
  ASSERT_TRUE(file);
  const auto before = value_of(all_sentences(document)), again = sentences_of(*file);
  ASSERT_EQ(again.size(), before.size());
  for (std::size_t i = 0; i < again.size(); ++i)
    EXPECT_TRUE(same_traces(again[i], before[i])) << "sentence " << i;
}

TEST(BatchFile, CannotHoldSentencesWithAndWithoutASecondOne) {
  const auto file = batch_tensors(after(batch_by_hand(), SetKvSentence{""}));
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error().message, HasSubstr("some have not"));
}

TEST(BatchFile, WritingSaysWhatIsLost) {
  const auto lost = [](const Document& document) {
    return value_of(write_document(document, ".safetensors")).lost;
  };
  const Document read_back = read(batch_problem());
  EXPECT_THAT(lost(read_back), IsEmpty());
  const Document edited = after(read_back, SetOverride{{attention::Stage::kScores, 0, 0, 0}, 7});
  EXPECT_THAT(lost(edited), HasSubstr("overridden numbers"));
  EXPECT_THAT(lost(after(edited, GoToSentence{1})), HasSubstr("overridden numbers"));
  EXPECT_THAT(lost(after(read_back, SetPadding{true})), HasSubstr("padded"));
}

}  // namespace
}  // namespace lab
