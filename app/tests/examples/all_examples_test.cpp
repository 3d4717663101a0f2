#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "app/files/io/bytes.h"
#include "app/files/open.h"
#include "app/files/session/session.h"
#include "app/tests/examples/support.h"
#include "app/tests/rooms.h"
#include "core/analysis/invariants.h"

// What holds of every built-in example.

namespace lab::samples {
namespace {

using attention::Matrix;
using attention::SharedMatrix;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAreArray;

class EveryExample : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(, EveryExample,
                         ::testing::Values("refer", "cat-sat", "three-words", "paper-size"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

bool same_bits(const SharedMatrix& a, const SharedMatrix& b) {
  return a.empty() == b.empty() && a.shape() == b.shape() &&
         std::memcmp(a->data(), b->data(), sizeof(float) * static_cast<size_t>(a->size())) == 0;
}

void expect_same_parameters(const attention::Parameters& a, const attention::Parameters& b) {
  ASSERT_EQ(a.heads.size(), b.heads.size());
  for (size_t h = 0; h < a.heads.size(); ++h) {
    EXPECT_TRUE(same_bits(a.heads[h].W_Q, b.heads[h].W_Q)) << "head " << h + 1;
  }
  ASSERT_EQ(a.kv_heads.size(), b.kv_heads.size());
  for (size_t h = 0; h < a.kv_heads.size(); ++h) {
    EXPECT_TRUE(same_bits(a.kv_heads[h].W_K, b.kv_heads[h].W_K)) << "head " << h + 1;
    EXPECT_TRUE(same_bits(a.kv_heads[h].W_V, b.kv_heads[h].W_V)) << "head " << h + 1;
  }
  EXPECT_TRUE(same_bits(a.W_O, b.W_O));
}

void expect_same(const Document& a, const Document& b) {
  EXPECT_EQ(a.title, b.title);
  EXPECT_EQ(a.sentence, b.sentence);
  EXPECT_EQ(a.splitting, b.splitting);
  EXPECT_EQ(a.tokens, b.tokens);
  EXPECT_EQ(a.dimensions, b.dimensions);
  EXPECT_EQ(a.problem.config, b.problem.config);
  EXPECT_TRUE(same_bits(a.problem.embedding, b.problem.embedding));
  expect_same_parameters(a.problem.parameters, b.problem.parameters);
}

TEST_P(EveryExample, HoldsEveryInvariant) {
  const Opened example = open_example(GetParam());
  const auto invariants = attention::check_invariants(example.document.problem, example.trace);
  EXPECT_FALSE(invariants.empty());
  for (const attention::Invariant& invariant : invariants) {
    EXPECT_TRUE(invariant.holds()) << invariant.name << ": " << invariant.error;
  }
}

TEST_P(EveryExample, HasARowForEveryTokenOfItsSentence) {
  const Document document = open_example(GetParam()).document;
  const auto split = *split_sentence(document.sentence, document.splitting);
  ASSERT_EQ(split.size(), document.tokens.size());
  for (size_t i = 0; i < split.size(); ++i) EXPECT_EQ(split[i].text, document.tokens[i].text);
  EXPECT_EQ(document.problem.seq_len(), static_cast<attention::Index>(split.size()));
  EXPECT_EQ(*document.problem.embedding, embed_tokens(document));
}

TEST_P(EveryExample, ReadsBackBitForBitAfterSaving) {
  const Document document = open_example(GetParam()).document;
  const Expected<Document> again = read_session(write_session(document));
  ASSERT_TRUE(again) << again.error().message;
  expect_same(document, *again);
}

TEST_P(EveryExample, SavesTheSameTextAgain) {
  const std::string once = write_session(open_example(GetParam()).document);
  const Expected<Document> again = read_session(once);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(write_session(*again) == once);
}

TEST(Examples, AreListedInTeachingOrder) {
  std::vector<std::string> names;
  for (const ExampleInfo& example : examples()) names.push_back(example.name);
  EXPECT_THAT(names, ElementsAre("refer", "cat-sat", "three-words", "paper-size"));
}

TEST(Examples, OpenByNameByTitleAndByPath) {
  for (const ExampleInfo& example : examples()) {
    for (const std::string& source : {example.name, example.title, example.path}) {
      const Expected<Document> document = open_document(source);
      ASSERT_TRUE(document) << source << ": " << document.error().message;
      EXPECT_EQ(document->title, example.title) << source;
    }
  }
}

TEST(Examples, ListEverySessionInTheirFolder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(assets_folder() + "/examples")) {
    const std::filesystem::path& path = entry.path();
    if (path.extension() == ".json" && path.stem() != "index") files.push_back(path.stem());
  }
  std::vector<std::string> listed;
  for (const ExampleInfo& example : examples()) {
    listed.push_back(std::filesystem::path(example.path).stem());
  }
  EXPECT_THAT(listed, UnorderedElementsAreArray(files));
}

TEST(PaperSize, HasTheSizesOfThePaper) {
  const Opened example = open_example("paper-size");
  const attention::Config expected{
      .d_model = 512, .n_heads = 8, .d_k = 64, .d_v = 64, .d_out = 512, .mask = {}};
  EXPECT_EQ(example.document.problem.config, expected);
  EXPECT_EQ(example.document.tokens.size(), 64u);
  EXPECT_EQ(example.trace.concat.shape(), (attention::Shape{64, 512}));
  EXPECT_EQ(example.trace.output.shape(), (attention::Shape{64, 512}));
}

TEST(PaperSize, FillsEveryMatrixDifferently) {
  const attention::Parameters parameters = open_example("paper-size").document.problem.parameters;
  std::vector<Matrix> fills;
  for (const auto& head : parameters.heads) fills.push_back(*head.W_Q);
  for (const auto& head : parameters.kv_heads) {
    fills.insert(fills.end(), {*head.W_K, *head.W_V});
  }
  for (size_t a = 0; a < fills.size(); ++a) {
    for (size_t b = 0; b < a; ++b) EXPECT_FALSE(fills[a] == fills[b]) << a << " and " << b;
  }
}

TEST(PaperSize, IsASmallFile) {
  const Expected<std::string> bytes = read_bytes(assets_folder() + "/examples/paper-size.json");
  ASSERT_TRUE(bytes) << bytes.error().message;
  EXPECT_LT(bytes->size(), 4000u);
}

}  // namespace
}  // namespace lab::samples
