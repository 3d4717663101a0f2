#include "app/document/document.h"

#include <gmock/gmock.h>

#include <set>

#include "app/tests/document/samples.h"
#include "app/tests/rooms.h"
#include "core/embedding.h"

namespace lab {
namespace {

using attention::RowVector;

TEST(MakeDocument, IsValidAndHasATokenForEachWord) {
  const Document document = samples::small_document();
  EXPECT_NO_THROW(attention::validate(document.problem));
  ASSERT_EQ(document.tokens.size(), 6u);
  EXPECT_EQ(document.tokens[5], (Token{".", "."}));
  EXPECT_EQ(document.problem.seq_len(), 6);
  EXPECT_TRUE(document.problem.parameters.b_O.empty());
}

TEST(MakeDocument, GivesEqualWordsEqualRows) {
  const attention::Matrix X = *samples::small_document().problem.embedding;
  EXPECT_EQ(X.row(0), X.row(3));  // the … the
  EXPECT_NE(X.row(0), X.row(1));
  EXPECT_EQ(X.row(1), attention::default_embedding("cat", 6));
}

TEST(MakeDocument, IsTheSameForTheSameSeedOnly) {
  const attention::Config config{
      .d_model = 4, .n_heads = 2, .d_k = 3, .d_v = 5, .d_out = 7, .mask = {}};
  const std::string first = samples::fingerprint(make_document("a b", config, 1));
  EXPECT_EQ(first, samples::fingerprint(make_document("a b", config, 1)));
  EXPECT_NE(first, samples::fingerprint(make_document("a b", config, 2)));
}

TEST(MakeDocument, GivesEachMatrixItsOwnNumbers) {
  std::set<std::uint64_t> seeds;
  for (const std::uint64_t seed : {0, 1, 2, 100}) {
    for (const MatrixId id : {MatrixId::kWQ, MatrixId::kWK, MatrixId::kWV, MatrixId::kWO}) {
      for (int head = 0; head < attention::Limits::kHeads; ++head) {
        EXPECT_TRUE(seeds.insert(matrix_seed(seed, id, head)).second);
      }
    }
  }
}

TEST(Embedding, ComesFromTheLexiconFirst) {
  Document document = samples::small_document();
  const RowVector own = RowVector::Constant(6, 2.5f);
  document.lexicon = std::make_shared<const Lexicon>(Lexicon{{"the", own}});
  EXPECT_EQ(embedding_row(document, "the"), own);
  EXPECT_EQ(embedding_row(document, "cat"), attention::default_embedding("cat", 6));
  const attention::Matrix X = embed_tokens(document);
  EXPECT_EQ(X.row(0), own);
  EXPECT_EQ(X.row(3), own);
  EXPECT_EQ(X.row(1), document.problem.embedding->row(1));
}

TEST(Labels, AreTokensNamesOrNumbers) {
  Document document = samples::file_document();
  document.tokens[1].text = "c\xFFt";
  EXPECT_EQ(row_label(document, 0), "the");
  EXPECT_EQ(row_label(document, 1), "c⟨FF⟩t");
  EXPECT_EQ(key_label(document, 1), "Hund");
  EXPECT_EQ(dimension_label(document, 2), "animal");
  document.dimensions.clear();
  EXPECT_EQ(dimension_label(document, 2), "2");
  document.kv_tokens.clear();
  EXPECT_EQ(key_label(document, 1), "1");
  EXPECT_EQ(key_label(samples::small_document(), 1), "cat");
}

TEST(SameDocument, ComparesIdentity) {
  const Document document = samples::file_document();
  Document copy = document;
  EXPECT_TRUE(same_document(document, copy));
  copy.problem.parameters.kv_heads[2].b_K = attention::SharedMatrix(attention::Matrix::Zero(1, 4));
  EXPECT_FALSE(same_document(document, copy));
  copy = document;
  copy.problem.parameters.W_O.edit([](attention::Matrix&) {});
  EXPECT_FALSE(same_problem(document.problem, copy.problem));
  copy = document;
  copy.sentence += " ";
  EXPECT_TRUE(same_problem(document.problem, copy.problem));
  EXPECT_FALSE(same_document(document, copy));
}

}  // namespace
}  // namespace lab
