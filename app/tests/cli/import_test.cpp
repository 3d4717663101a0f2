#include <gmock/gmock.h>

#include "app/files/open.h"
#include "app/files/session/session.h"
#include "app/files/tensors/tensors.h"
#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"

// small_document() has d_model 4, two heads, d_k 2 and d_v 3 over "The cat saw the dog 7 7 2 and
// it".

namespace lab::test {
namespace {

using attention::Matrix;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kTable = "1,2\n3,4\n5,6\n7,8\n";

class ImportVerb : public testing::Test {
 protected:
  Outcome import(const std::string& file, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"import", small_session(folder_), file, "-o", out_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
  Document saved() {
    const auto document = open_document(out_);
    EXPECT_TRUE(document) << document.error().message;
    return document.value_or(Document{});
  }
  void expect_error(const Outcome& outcome, int code, const std::string& message) {
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(message));
    EXPECT_FALSE(std::filesystem::exists(out_));
  }

  TempFolder folder_;
  std::string out_ = folder_ / "out.json";
  std::string table_ = folder_.write("t.csv", kTable);
};

TEST_F(ImportVerb, PutsAMatrixInItsPlaceAndRecordsHow) {
  const std::string record = folder_ / "record";
  const Outcome outcome = import(table_, {"--matrix", "W_Q", "--head", "2", "--record", record});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out + outcome.err, "");
  Matrix expected(4, 2);
  expected << 1, 2, 3, 4, 5, 6, 7, 8;
  EXPECT_EQ(*saved().problem.parameters.heads[1].W_Q, expected);
  EXPECT_EQ(*saved().problem.parameters.heads[0].W_Q,
            *small_document().problem.parameters.heads[0].W_Q);
  const Outcome again = run({"apply", small_session(folder_), record, "-o", "-"});
  EXPECT_EQ(again.out, bytes_of(out_));
}

TEST_F(ImportVerb, ReadsArraysAndStandardInput) {
  const std::string array = folder_.write("a", write_npy({"", {1, 4}, {1, 2, 3, 4}}));
  ASSERT_EQ(import(array, {"--matrix", "b_O"}).code, 0);
  EXPECT_EQ((*saved().problem.parameters.b_O)(0, 3), 4);
  const Outcome outcome = run_with_input(
      {"import", small_session(folder_), "-", "--matrix", "b_O", "-o", "-"}, "5\n6\n7\n8\n");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto document = read_session(outcome.out);
  ASSERT_TRUE(document);
  EXPECT_EQ((*document->problem.parameters.b_O)(0, 3), 8);
}

TEST_F(ImportVerb, TransposesOnRequest) {
  const std::string wide = folder_.write("w.csv", "1,3,5,7\n2,4,6,8\n");
  expect_error(import(wide, {"--matrix", "W_Q", "--head", "1"}), 5,
               "\"w.csv\" is 2 × 4, W_Q of head 1 is 4 × 2; it fits with --transpose");
  ASSERT_EQ(import(wide, {"--matrix", "W_Q", "--head", "1", "--transpose"}).code, 0);
  EXPECT_EQ((*saved().problem.parameters.heads[0].W_Q)(3, 1), 8);
  std::filesystem::remove(out_);
  expect_error(import(table_, {"--matrix", "W_Q", "--head", "1", "--transpose"}), 5,
               "it fits without --transpose");
  expect_error(import(table_, {"--matrix", "X"}), 5, "\"t.csv\" is 4 × 2, X is 10 × 4");
}

TEST_F(ImportVerb, GivesWordsTheirVectors) {
  const std::string vectors = folder_.write("v.txt", "the 1 2 3 4\ncat 5 6 7 8\n");
  const Outcome outcome = import(vectors, {});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("\"dog\""), HasSubstr("not in \"v.txt\""),
                                 HasSubstr("\"The\" has the vector of the word in lower case")));
  EXPECT_EQ((*saved().problem.embedding)(1, 0), 5);
  EXPECT_EQ((*saved().problem.embedding)(0, 3), 4);
}

TEST_F(ImportVerb, ChangesTheModelForVectorsOnRequest) {
  const std::string vectors = folder_.write("v.txt", "the 1 2\ncat 5 6\n");
  expect_error(
      import(vectors, {}), 5,
      "\"v.txt\" has vectors of 2 numbers, d_model is 4; with --resize, d_model becomes 2");
  ASSERT_EQ(import(vectors, {"--resize"}).code, 0);
  EXPECT_EQ(saved().problem.config.d_model, 2);
  EXPECT_EQ((*saved().problem.embedding)(1, 1), 6);
}

TEST_F(ImportVerb, WrongUsageIsNamed) {
  const std::string vectors = folder_.write("v.txt", "the 1 2\ncat 5 6\n");
  expect_error(import(table_, {}), 2, "choose which one to replace with --matrix");
  expect_error(import(table_, {"--matrix", "W"}), 2, "there is no \"W\"");
  expect_error(import(table_, {"--matrix", "W_Q"}), 2, "W_Q has heads 1 to 2; choose one");
  expect_error(import(table_, {"--matrix", "W_Q", "--head", "3"}), 2, "W_Q has heads 1 to 2");
  expect_error(import(table_, {"--matrix", "X", "--head", "1"}), 2, "all heads share one X");
  expect_error(import(table_, {"--matrix", "W_Q", "--head", "1", "--resize"}), 2,
               "--resize is for word vectors");
  expect_error(import(vectors, {"--matrix", "X"}), 2, "leave out --matrix");
  expect_error(run({"import", "-", "-", "-o", out_}), 2, "only one of IN and FILE");
  expect_error(run({"import", "refer", table_, "-o", folder_ / "a.png"}), 2,
               "a session is a .json");
}

TEST_F(ImportVerb, FilesThatCannotBeTakenAreNamed) {
  expect_error(import(folder_ / "none", {"--matrix", "X"}), 6, "cannot read");
  expect_error(import(folder_ / ".", {"--matrix", "X"}), 5, "is a folder");
  expect_error(import(folder_.write("p", "\x80\x04\x95"), {"--matrix", "X"}), 5,
               "\"p\": a Python pickle");
  expect_error(import(folder_.write("w", "1,2\n3,x\n"), {"--matrix", "X"}), 5,
               "\"w\": line 2, field 2: \"x\" is not a number");
  expect_error(
      import(folder_.write("l", "1,2\n3,4\n5,6\n7,1e7\n"), {"--matrix", "W_Q", "--head", "1"}), 5,
      "\"l\": 1e+07 cannot be used");
  expect_error(import(folder_.write("v", "nothing 1 2 3 4\n"), {}), 5,
               "none of the words of the sentence is in \"v\"");
}

class ConvertVerb : public ImportVerb {};

TEST_F(ConvertVerb, WritesEveryKindAndTellsWhatIsLost) {
  for (const char* ending : {".json", ".safetensors", ".npz"}) {
    const std::string out = folder_ / ("a" + std::string(ending));
    const Outcome outcome = run({"convert", small_session(folder_), "-o", out});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto document = open_document(out);
    ASSERT_TRUE(document) << document.error().message;
    EXPECT_EQ(*document->problem.embedding, *small_document().problem.embedding);
    const bool is_session = std::string(ending) == ".json";
    const bool told =
        outcome.err.find("does not keep the names of dimensions; a") != std::string::npos;
    EXPECT_EQ(told, !is_session) << outcome.err;
    EXPECT_EQ(outcome.err.empty(), is_session) << outcome.err;
  }
}

TEST_F(ConvertVerb, ChoosesHeadsOfALayerOfPyTorch) {
  TensorFile file;
  file.tensors = {{"a.in_proj_weight", {12, 4}, std::vector<float>(48, 1)},
                  {"a.out_proj.weight", {4, 4}, std::vector<float>(16, 1)},
                  {"b.in_proj_weight", {12, 4}, std::vector<float>(48, 2)},
                  {"b.out_proj.weight", {4, 4}, std::vector<float>(16, 2)}};
  const std::string in = folder_.write("state", write_safetensors(file));
  const Outcome outcome = run({"convert", in, "-o", out_});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("n_heads; 4 were taken"), HasSubstr("layer \"a\" of several")));
  ASSERT_EQ(run({"convert", in, "--heads", "2", "--layer", "b", "-o", out_}).err, "");
  EXPECT_EQ(saved().problem.config.n_heads, 2);
  EXPECT_EQ((*saved().problem.parameters.W_O)(0, 0), 2);
}

TEST_F(ConvertVerb, WrongUsageIsNamed) {
  expect_error(run({"convert", "refer", "-o", folder_ / "a.txt"}), 2, "cannot tell the format");
  expect_error(run({"convert", "refer", "-o", out_, "--layout", "x"}), 2,
               "but should be problem or multihead");
  expect_error(run({"convert", "refer", "-o", out_, "--layout", "multihead"}), 2,
               "is for .safetensors");
  expect_error(run({"convert", "refer", "-o", out_, "--heads", "x"}), 2,
               "should be a number of heads");
  expect_error(run({"convert", "refer", "-o", folder_ / "a.npz", "--layout", "multihead"}), 5,
               "nn.MultiheadAttention has no such layer");
}

}  // namespace
}  // namespace lab::test
