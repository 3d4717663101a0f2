#include "app/hub/repository.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/tests/files/damage.h"

namespace lab::hub {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

HubFile file(const std::string& path) { return {path, 1, std::string(64, 'a')}; }

std::vector<std::string> needed(const std::vector<std::string>& paths,
                                const std::string& wanted = "") {
  Repository repository;
  for (const std::string& path : paths) repository.files.push_back(file(path));
  const auto files = files_of_model(repository, wanted);
  if (!files) return {files.error().message};
  std::vector<std::string> names;
  for (const HubFile& one : *files) names.push_back(one.path);
  return names;
}

TEST(RepositoryName, HasARevisionAndAFile) {
  const auto plain = parse_repository("org/some-name_1.5");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->name, "org/some-name_1.5");
  EXPECT_EQ(plain->revision, "main");
  EXPECT_EQ(plain->file, "");
  const auto full = parse_repository("org/name@refs/pr/1:folder/a.gguf");
  ASSERT_TRUE(full);
  EXPECT_EQ(full->revision, "refs/pr/1");
  EXPECT_EQ(full->file, "folder/a.gguf");
}

TEST(RepositoryName, ThatLeadsElsewhereIsRefused) {
  for (const char* typed : {"", "name", "org/", "/name", "../name", "org/..", "org/.hidden",
                            "org/name@", "org/name@../x", "org/name:", "org/name:../x",
                            "org/name:/x", "a/b/c", "org/na me", "org/name@a%2Fb"})
    EXPECT_FALSE(parse_repository(typed)) << typed;
}

TEST(FilesOfModel, AreThoseThatOpeningReads) {
  EXPECT_THAT(needed({"README.md", "config.json", "model.safetensors", "onnx/model.onnx",
                      "pytorch_model.bin", "tokenizer.json"}),
              ElementsAre("config.json", "model.safetensors", "tokenizer.json"));
  EXPECT_THAT(needed({"config.json", "model-00001-of-00002.safetensors",
                      "model-00002-of-00002.safetensors", "model.safetensors.index.json"}),
              ElementsAre("config.json", "model-00001-of-00002.safetensors",
                          "model-00002-of-00002.safetensors", "model.safetensors.index.json"));
  EXPECT_THAT(needed({"a-00001-of-00002.gguf", "a-00002-of-00002.gguf", "b.gguf"}, "a-0"),
              ElementsAre("a-00001-of-00002.gguf", "a-00002-of-00002.gguf"));
  EXPECT_THAT(needed({"config.json", "model.safetensors", "m-Q4_K_M.gguf"}, "q4_k_m"),
              ElementsAre("m-Q4_K_M.gguf"));
}

TEST(FilesOfModel, ArePickledOnesWhereThereAreNoOthers) {
  EXPECT_THAT(needed({"config.json", "pytorch_model.bin", "flax_model.msgpack"}),
              ElementsAre("config.json", "pytorch_model.bin"));
}

TEST(FilesOfModel, OfAnAdapterAreItsOwn) {
  EXPECT_THAT(needed({"README.md", "adapter_config.json", "adapter_model.bin",
                      "adapter_model.safetensors", "tokenizer.json"}),
              ElementsAre("adapter_config.json", "adapter_model.safetensors"));
  EXPECT_THAT(needed({"adapter_config.json", "adapter_model.bin"}),
              ElementsAre("adapter_config.json", "adapter_model.bin"));
  EXPECT_THAT(needed({"adapter_config.json", "config.json", "model.safetensors"}),
              ElementsAre("config.json", "model.safetensors"));  // merged into its base
}

TEST(FilesOfModel, ThatDoNotFitAreNamed) {
  EXPECT_THAT(needed({"a.gguf", "b.gguf"}), ElementsAre(HasSubstr("\"b.gguf\"")));
  EXPECT_THAT(needed({"a.gguf"}, "q8"), ElementsAre(HasSubstr("\"q8\"")));
  EXPECT_THAT(needed({}), ElementsAre(HasSubstr("neither")));
}

TEST(RepositoryAnswer, ThatIsDamagedIsRefusedOrRead) {
  const nlohmann::json answer = {
      {"sha", std::string(40, '0')},
      {"cardData", {{"license", "mit"}}},
      {"siblings",
       {{{"rfilename", "config.json"}, {"size", 3}, {"blobId", std::string(40, '1')}},
        {{"rfilename", "model.safetensors"},
         {"size", 9},
         {"blobId", std::string(40, '2')},
         {"lfs", {{"sha256", std::string(64, '3')}, {"size", 9}}}}}}};
  const auto whole = parse_repository_answer(answer.dump());
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->licence, "mit");
  EXPECT_EQ(whole->files[1].checksum, std::string(64, '3'));
  Damage damage([](std::string_view text) {
    const auto read = parse_repository_answer(text);
    if (!read) {
      EXPECT_FALSE(read.error().message.empty());
      return;
    }
    for (const HubFile& one : read->files) EXPECT_THAT(one.path, ::testing::Not(HasSubstr("..")));
  });
  damage.json(answer.dump());
}

TEST(RepositoryAnswer, WithASizeThatNoFileHasIsRefused) {
  for (const char* size : {"-1", "1e60", "3.5", "\"3\"", "99999999999999999999", "null"}) {
    const auto read = parse_repository_answer(
        R"({"sha":")" + std::string(40, '0') + R"(","siblings":[{"rfilename":"a.gguf","size":)" +
        size + R"(,"blobId":")" + std::string(40, '1') + R"("}]})");
    ASSERT_FALSE(read) << size;
    EXPECT_THAT(read.error().message, HasSubstr("\"a.gguf\" has no size")) << size;
  }
}

}  // namespace
}  // namespace lab::hub
