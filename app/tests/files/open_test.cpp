#include "app/files/open.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "app/files/io/bytes.h"
#include "app/files/problem/problem_file.h"
#include "app/files/session/session.h"
#include "app/tests/files/support.h"
#include "app/tests/files/zip_support.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Assets of the test's own, so that the examples are known.
class Open : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "assets/examples");
    save("assets/examples/index.json",
         R"({"examples": [{"name": "refer", "file": "r.json", "title": "What does “it” do?"},
                          {"name": "broken", "file": "b.json", "title": "Tom’s"}]})");
    save("assets/examples/r.json", small_session());
    save("assets/examples/b.json", "{");
    ::setenv("ATTENTION_LAB_ASSETS", (folder_ / "assets").c_str(), 1);
  }
  void TearDown() override { ::unsetenv("ATTENTION_LAB_ASSETS"); }

  std::string save(const std::string& name, const std::string& bytes) {
    EXPECT_TRUE(write_bytes(folder_ / name, bytes));
    return folder_ / name;
  }
  Error error_of(const std::string& source) {
    const auto document = open_document(source);
    EXPECT_FALSE(document) << source << " was opened";
    return document ? Error{} : document.error();
  }
  void expect_refused(const std::string& bytes, const char* message) {
    const Error error = error_of(save("file", bytes));
    EXPECT_EQ(error.type, ErrorType::kBadInput);
    EXPECT_THAT(error.message, AllOf(HasSubstr("/file\": "), HasSubstr(message)));
  }

  TemporaryFolder folder_;
};

TEST_F(Open, ExamplesAreThoseOfTheIndexInItsOrder) {
  std::vector<std::string> names;
  for (const ExampleInfo& example : examples()) names.push_back(example.name);
  EXPECT_THAT(names, ElementsAre("refer", "broken"));
  EXPECT_EQ(examples()[0].path, folder_ / "assets/examples/r.json");
  EXPECT_EQ(assets_folder(), folder_ / "assets");
}

TEST_F(Open, ExamplesOpenByNameOrTitle) {
  for (const char* source :
       {"refer", "REFER", " refer", "What does “it” do?", "what does \"it\" do?"})
    EXPECT_EQ(value_of(open_document(source)).sentence, "a b a") << source;
  EXPECT_THAT(error_of("tom's").message, HasSubstr("b.json\": line 1"));
}

TEST_F(Open, AFileHasAPathToSaveToAndAnExampleHasNone) {
  for (const char* example : {"refer", " Refer", "What does “it” do?"})
    EXPECT_EQ(value_of(open_whole(example)).path, "") << example;
  const std::string path = save("refer", small_session());
  EXPECT_EQ(value_of(open_whole(path)).path, path);
}

TEST_F(Open, AMissingOrBrokenIndexMeansNoExamples) {
  save("assets/examples/index.json", R"({"examples": [3]})");
  EXPECT_THAT(examples(), ElementsAre());
  fs::remove(folder_ / "assets/examples/index.json");
  EXPECT_THAT(examples(), ElementsAre());
}

TEST_F(Open, WhatIsNeitherFileNorExampleIsNamed) {
  const Error error = error_of("nothing-of-that-name");
  EXPECT_EQ(error.type, ErrorType::kIo);
  EXPECT_THAT(error.message, AllOf(HasSubstr("no file or example \"nothing-of-that-name\""),
                                   HasSubstr("attention-lab examples")));
  EXPECT_EQ(error_of("").type, ErrorType::kIo);
}

TEST_F(Open, KindsAreToldByContentNotByName) {
  const std::string npz = value_of(write_npz(small_problem()));
  EXPECT_EQ(value_of(open_document(save("a.json", npz))).tokens.size(), 3u);
  EXPECT_EQ(value_of(open_document(save("a.npz", small_session()))).title, "t");
  EXPECT_EQ(value_of(open_document(save("a", write_safetensors(small_problem())))).title, "a");
  EXPECT_TRUE(open_document(save("b", "\xEF\xBB\xBF \n" + small_session())));
}

TEST_F(Open, UntitledDocumentsAreCalledAfterTheirFile) {
  const std::string bytes = write_safetensors(small_problem());
  EXPECT_EQ(value_of(open_document(save("my.problem.safetensors", bytes))).title, "my");
  EXPECT_EQ(value_of(open_document(save(".hidden", bytes))).title, ".hidden");
}

TEST_F(Open, ADashIsStandardInput) {
  const int kept = ::dup(STDIN_FILENO);
  ASSERT_TRUE(std::freopen(save("in", small_session()).c_str(), "r", stdin));
  const auto document = open_document("-");
  ASSERT_TRUE(std::freopen(save("in", "").c_str(), "r", stdin));
  const Error error = error_of("-");
  ::dup2(kept, STDIN_FILENO);
  ::close(kept);
  EXPECT_EQ(value_of(document).sentence, "a b a");
  EXPECT_THAT(error.message, HasSubstr("standard input: the file is empty"));
}

TEST_F(Open, WhatCannotBeOpenedIsNamed) {
  expect_refused("", "the file is empty");
  expect_refused(write_npy(small_problem().tensors[0]),
                 "a problem needs X, W_Q, W_K, W_V and W_O together");
  expect_refused("\x80\x04\x95", "a Python pickle");
  expect_refused(make_zip({{"model/data.pkl", "\x80\x02."}}), "a PyTorch file");
  expect_refused("\x89HDF\r\n\x1A\n", "an HDF5 file");
  expect_refused("[1, 2]", "a list in brackets, as NumPy and JSON print it");
  expect_refused("hello", "neither a session (JSON, or a figure that embeds one) nor a problem");
  expect_refused("{\"type\": \"other\"}", "type: \"other\", should be");
  expect_refused(write_safetensors({}), "tensor \"X\"");
  expect_refused(write_safetensors(small_problem()).substr(0, 100), "cut off");
}

TEST_F(Open, AFolderIsRefused) {
  const Error error = error_of(folder_ / "assets");
  EXPECT_EQ(error.type, ErrorType::kBadInput);
  EXPECT_THAT(error.message, HasSubstr("is a folder"));
}

// The examples that come with the program.
TEST(Examples, AreIndexedAndOpen) {
  ::unsetenv("ATTENTION_LAB_ASSETS");
  const std::vector<ExampleInfo> found = examples();
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].name, "refer");
  for (const ExampleInfo& example : found) {
    EXPECT_EQ(value_of(open_document(example.name)).title, example.title);
    EXPECT_TRUE(open_document(example.title)) << example.title;
  }
}

TEST_F(Open, TellsHowFarItIsAndStopsWhenItIsTold) {
  const Document document = *open_document(save("a.json", small_session()));
  const TensorFile tensors = problem_tensors(document);
  for (const std::string& path :
       {save("b.json", write_session(document)), save("b.safetensors", write_safetensors(tensors)),
        save("b.npz", *write_npz(tensors))}) {
    attention::WorkWatch watch;
    ASSERT_TRUE(open_document(path, nullptr, &watch)) << path;
    EXPECT_GT(watch.progress(), 0.55) << path;
    watch.stop();
    EXPECT_THROW((void)open_document(path, nullptr, &watch), attention::WorkStopped) << path;
  }
}

TEST_F(Open, APipeThatNobodyWritesToCanBeGivenUp) {
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  attention::WorkWatch watch;
  watch.stop();
  EXPECT_THROW((void)open_document(pipe, nullptr, &watch), attention::WorkStopped);
}

}  // namespace
}  // namespace lab
