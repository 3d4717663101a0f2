#include "app/document/commands/reducer.h"
#include "app/files/import/csv.h"
#include "app/files/import/import_file.h"
#include "app/files/import/matrix_import.h"
#include "app/files/import/vector_import.h"
#include "app/files/tensors/tensors.h"
#include "app/tests/files/support.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using attention::Config;
using attention::Index;
using attention::Matrix;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr MatrixRef kWQ{MatrixId::kWQ, 0};

// "the cat saw The cat": d_model 4, 2 heads, d_k 3, d_v 3.
Document sample() {
  Config config;
  config.d_model = config.d_out = 4, config.n_heads = 2, config.d_k = config.d_v = 3;
  return make_document("the cat saw The cat", config, 1);
}

Matrix counted(Index rows, Index cols) {
  Matrix values(rows, cols);
  for (Index i = 0; i < values.size(); ++i) values.data()[i] = static_cast<float>(i) / 4;
  return values;
}

std::string error_of(const Expected<Import>& import) {
  return import ? "" : import.error().message;
}

TEST(MatrixFile, ArraysOfTwoDimensionsAndLists) {
  const auto shape = [](std::vector<std::int64_t> sides) {
    std::size_t count = 1;
    for (const auto side : sides) count *= static_cast<std::size_t>(side);
    const Matrix values =
        value_of(read_matrix(write_npy({"", sides, std::vector<float>(count, 1)})));
    return std::pair(values.rows(), values.cols());
  };
  EXPECT_EQ(shape({4, 3}), std::pair(Index{4}, Index{3}));
  EXPECT_EQ(shape({1, 1, 4, 3}), std::pair(Index{4}, Index{3}));
  EXPECT_EQ(shape({5}), std::pair(Index{1}, Index{5}));
  EXPECT_EQ(shape({}), std::pair(Index{1}, Index{1}));
  EXPECT_EQ(shape({1, 5}), std::pair(Index{1}, Index{5}));
  EXPECT_EQ(value_of(read_matrix("1,2\n")).cols(), 2);
}

TEST(MatrixFile, OthersAreRefused) {
  const auto message = [](const std::string& bytes) {
    const auto values = read_matrix(bytes);
    return values ? "" : values.error().message;
  };
  EXPECT_THAT(message(write_npy({"", {2, 2, 2}, std::vector<float>(8)})),
              HasSubstr("the array is 2 × 2 × 2; a matrix has two dimensions"));
  EXPECT_THAT(message(write_npy({"", {0, 3}, {}})), HasSubstr("the array holds no numbers"));
  EXPECT_THAT(message("hello"), HasSubstr("nor a matrix"));
  EXPECT_THAT(message("\x1F\x8B\x08"), HasSubstr("gzip"));
}

TEST(ImportFile, ReadsTextInUtf16) {
  const TemporaryFolder folder;
  std::string bytes = "\xFE\xFF";
  for (const char c : std::string_view("1\t2\n3\t4\n")) bytes += std::string(1, '\0') + c;
  const auto read = files::read_import(folder.write("table.txt", bytes), {});
  ASSERT_TRUE(read) << read.error().message;
  const auto* const matrix = std::get_if<attention::Matrix>(&*read);
  ASSERT_NE(matrix, nullptr);
  EXPECT_EQ(*matrix, (attention::Matrix{{1, 2}, {3, 4}}));
}

TEST(ImportMatrix, IsSetAsAWhole) {
  const Document document = sample();
  const Import import = value_of(import_matrix(document, kWQ, counted(4, 3), "a.csv"));
  EXPECT_EQ(import.commands.size(), 1u);
  EXPECT_THAT(import.notes, IsEmpty());
  const Document changed = value_of(applied(document, import));
  EXPECT_EQ(*matrix_of(changed, kWQ), counted(4, 3));
  EXPECT_TRUE(
      matrix_of(changed, {MatrixId::kWQ, 1}).same_as(matrix_of(document, {MatrixId::kWQ, 1})));
}

TEST(ImportMatrix, EveryMatrixCanBeRead) {
  Document document = value_of(apply(sample(), SetKvSentence{"der Hund"}));
  for (const MatrixId id :
       {MatrixId::kWQ, MatrixId::kWK, MatrixId::kWV, MatrixId::kWO, MatrixId::kBQ, MatrixId::kBK,
        MatrixId::kBV, MatrixId::kBO, MatrixId::kXKv, MatrixId::kGamma, MatrixId::kBeta,
        MatrixId::kScoreBias}) {
    const MatrixRef ref{id, is_per_head(id) ? 1 : 0};
    const attention::Shape shape = shape_of(document, ref);
    const Matrix values = counted(shape.rows, shape.cols);
    document = value_of(applied(document, value_of(import_matrix(document, ref, values, "a"))));
    EXPECT_EQ(*matrix_of(document, ref), values) << matrix_name(id);
  }
}

TEST(ImportMatrix, ShapesAreCompared) {
  const Document document = sample();
  EXPECT_EQ(matrix_fit(document, kWQ, {4, 3}), MatrixFit::kAsItIs);
  EXPECT_EQ(matrix_fit(document, kWQ, {3, 4}), MatrixFit::kTransposed);
  EXPECT_EQ(matrix_fit(document, kWQ, {4, 4}), MatrixFit::kNot);
  EXPECT_EQ(matrix_fit(document, {MatrixId::kBO, 0}, {4, 1}), MatrixFit::kAsItIs);
  EXPECT_EQ(error_of(import_matrix(document, kWQ, counted(3, 4), "a.csv")),
            "a.csv is 3 × 4, W_Q of head 1 is 4 × 3");
  EXPECT_EQ(error_of(import_matrix(document, {MatrixId::kX, 0}, counted(3, 4), "a.csv")),
            "a.csv is 3 × 4, X is 5 × 4");
  EXPECT_THAT(error_of(import_matrix(document, {MatrixId::kWQ, 2}, counted(4, 3), "a")),
              HasSubstr("there is no head 3: the model has heads 1 to 2"));
  EXPECT_THAT(error_of(import_matrix(document, {MatrixId::kXKv, 0}, counted(4, 3), "a")),
              HasSubstr("there is no X_kv"));
}

TEST(ImportMatrix, AListIsARowWhereverItStands) {
  const Document document = sample();
  const MatrixRef b_O{MatrixId::kBO, 0};
  const Import import = value_of(import_matrix(document, b_O, counted(4, 1), "a"));
  EXPECT_EQ(*matrix_of(value_of(applied(document, import)), b_O), counted(1, 4));
}

TEST(ImportMatrix, WhatIsLargeTakesSeveralCommands) {
  Config config;
  config.d_model = config.d_out = 1024, config.n_heads = 1, config.d_k = config.d_v = 512;
  const Document document = make_document("a", config, 1);
  const Import import = value_of(import_matrix(document, kWQ, counted(1024, 512), "a"));
  EXPECT_EQ(import.commands.size(), 2u);
  EXPECT_EQ(*matrix_of(value_of(applied(document, import)), kWQ), counted(1024, 512));
}

TEST(ImportMatrix, RowsOfEqualWordsThatDifferAreNoted) {
  const Import import = value_of(import_matrix(sample(), {MatrixId::kX, 0}, counted(5, 4), "a"));
  EXPECT_THAT(import.notes, ElementsAre(HasSubstr("\"cat\", differ")));
  const Document changed = value_of(applied(sample(), import));
  EXPECT_EQ(changed.problem.embedding->row(1), counted(5, 4).row(4));
  Matrix equal = counted(5, 4);
  equal.row(4) = equal.row(1);
  EXPECT_THAT(value_of(import_matrix(sample(), {MatrixId::kX, 0}, equal, "a")).notes, IsEmpty());
}

TEST(ImportMatrix, NumbersThatMayNotStandThereAreRefused) {
  Matrix values = counted(4, 3);
  values(1, 1) = std::numeric_limits<float>::quiet_NaN();
  const Import import = value_of(import_matrix(sample(), kWQ, values, "a"));
  EXPECT_FALSE(applied(sample(), import));
}

WordVectors vectors_of(const Document& document, const char* text) {
  return value_of(read_text_vectors(text, words_in_use(document)));
}

TEST(ImportVectors, WordsGetTheirVectors) {
  const Document document = sample();
  const Import import = value_of(
      import_vectors(document, vectors_of(document, "the 1 2 3 4\ncat 5 6 7 8\n"), "g.txt"));
  EXPECT_THAT(import.notes, ElementsAre("\"saw\" is not in g.txt and keeps its vector",
                                        "\"The\" has the vector of the word in lower case"));
  const Document changed = value_of(applied(document, import));
  const Matrix& X = *changed.problem.embedding;
  EXPECT_EQ(X.row(0), X.row(3));
  EXPECT_EQ(X.row(1), X.row(4));
  EXPECT_EQ(X(1, 3), 8);
  EXPECT_EQ(X.row(2), document.problem.embedding->row(2));
}

TEST(ImportVectors, TheSecondSentenceGetsThemToo) {
  const Document document = value_of(apply(sample(), SetKvSentence{"le cat"}));
  const Import import =
      value_of(import_vectors(document, vectors_of(document, "cat 5 6 7 8\nle 1 1 1 1\n"), "g"));
  const Document changed = value_of(applied(document, import));
  EXPECT_EQ((*changed.problem.embedding_kv)(1, 0), 5);
  EXPECT_EQ((*changed.problem.embedding)(1, 0), 5);
  EXPECT_EQ((*changed.problem.embedding_kv)(0, 0), 1);
}

TEST(ImportVectors, AnotherDimensionChangesTheModelWhereThatIsWanted) {
  const Document document = sample();
  const WordVectors vectors = vectors_of(document, "the 1 2 3 4 5 6\n");
  EXPECT_EQ(error_of(import_vectors(document, vectors, "g.txt")),
            "g.txt has vectors of 6 numbers, d_model is 4");
  const Document changed =
      value_of(applied(document, value_of(import_vectors(document, vectors, "g.txt", true))));
  EXPECT_EQ(changed.problem.config.d_model, 6);
  EXPECT_EQ((*changed.problem.embedding)(0, 5), 6);
  EXPECT_EQ(changed.problem.embedding->row(1).head(4), document.problem.embedding->row(1));
}

TEST(ImportVectors, ASizeThatTheModelCannotTakeIsExplained) {
  Config config;
  config.d_model = config.d_out = 4, config.n_heads = 2, config.d_k = config.d_v = 2;
  config.head_build = attention::HeadBuild::kSplit;
  const Document document = make_document("the", config, 1);
  EXPECT_THAT(error_of(import_vectors(document, vectors_of(document, "the 1 2 3\n"), "g", true)),
              HasSubstr("d_model is 4, and cannot change: d_model 3 cannot be split among 2"));
}

TEST(ImportVectors, WordsThatAreNowhereAreNamed) {
  const Document document = sample();
  EXPECT_EQ(error_of(import_vectors(document, vectors_of(document, "dog 1 2 3 4\n"), "g.txt")),
            "none of the words of the sentence is in g.txt: \"The\", \"cat\", \"saw\", \"the\"");
}

}  // namespace
}  // namespace lab
