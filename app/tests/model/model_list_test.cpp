#include "app/files/model/model_list.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "app/tests/model/support.h"

// The models that other programs keep on a machine, as in a home folder that has some of each.

namespace lab {
namespace {

using files::ModelInfo;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class Home : public ::testing::Test {
 protected:
  Home() {
    for (const char* variable : kVariables) {
      const char* const value = std::getenv(variable);
      former_.emplace_back(value == nullptr ? "" : value);
      unsetenv(variable);
    }
    setenv("HOME", home_.path().c_str(), 1);
  }
  ~Home() override {
    for (std::size_t i = 0; i < std::size(kVariables); ++i)
      former_[i].empty() ? unsetenv(kVariables[i]) : setenv(kVariables[i], former_[i].c_str(), 1);
  }

  // Puts a small GGUF file there and returns its path.
  std::string put(const std::string& path, const std::string& file = "llama.gguf") const {
    write(path, text_of_file(golden_path("gguf", file)));
    return (home_.path() / path).string();
  }
  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((home_.path() / path).parent_path());
    home_.write(path, text);
  }
  // As Ollama writes it: the weights are one layer of several.
  void write_manifest(const std::string& path, const std::string& digest) const {
    write(".ollama/models/manifests/" + path,
          R"({"schemaVersion":2,"layers":[{"mediaType":"application/vnd.ollama.image.license",)"
          R"("digest":"sha256:00","size":1},{"mediaType":"application/vnd.ollama.image.model",)"
          R"("digest":")" +
              digest + R"(","size":2}]})");
  }

  // The models that are not built in, by name.
  static std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const ModelInfo& model : files::list_models())
      if (!model.built_in) names.push_back(model.name);
    return names;
  }
  static ModelInfo listed(const std::string& name) {
    for (const ModelInfo& model : files::list_models())
      if (model.name == name) return model;
    return {};
  }
  static void expect_opened(const std::string& name, const std::string& path) {
    const auto model = open_model(name);
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ(model->folder, path);
  }

  std::filesystem::path path() const { return home_.path(); }

 private:
  static constexpr const char* kVariables[] = {
      "HOME", "HF_HUB_CACHE", "HF_HOME", "OLLAMA_MODELS", "LLAMA_CACHE", "ATTENTION_LAB_MODELS"};
  TemporaryFolder home_;
  std::vector<std::string> former_;
};

TEST_F(Home, WithoutAnythingHasTheBuiltInModelsOnly) {
  EXPECT_THAT(names(), IsEmpty());
  EXPECT_FALSE(files::built_in_models().empty());
}

TEST_F(Home, HasWhatOllamaKeepsByItsNames) {
  const std::string blob = put(".ollama/models/blobs/sha256-aa");
  write_manifest("registry.ollama.ai/library/small/1b", "sha256:aa");
  write_manifest("registry.ollama.ai/someone/mine/latest", "sha256:aa");
  write_manifest("hf.co/org/name/Q4_K_M", "sha256:aa");
  write_manifest("registry.ollama.ai/library/gone/1b", "sha256:bb");
  write_manifest("registry.ollama.ai/library/elsewhere/1b", "sha256:../../../x");
  write(".ollama/models/manifests/registry.ollama.ai/library/damaged/1b", "{\"layers\":[3]}");
  EXPECT_THAT(names(),
              UnorderedElementsAre("small:1b", "someone/mine:latest", "hf.co/org/name:Q4_K_M"));
  expect_opened("small:1b", blob);
  const ModelInfo model = listed("small:1b");
  EXPECT_EQ(model.store, "Ollama");
  EXPECT_EQ(model.family, "Llama");
  EXPECT_EQ(model.size, static_cast<std::int64_t>(std::filesystem::file_size(blob)));
}

TEST_F(Home, HasWhatLmStudioKeeps) {
  const std::string first = put(".lmstudio/models/org/model-GGUF/model-Q4.gguf", "gemma2.gguf");
  put(".cache/lm-studio/models/org/old/old.gguf", "phi3.gguf");
  write(".lmstudio/models/org/model-GGUF/README.md", "GGUF");
  EXPECT_THAT(names(), UnorderedElementsAre("org/model-GGUF/model-Q4.gguf", "org/old/old.gguf"));
  expect_opened("org/model-GGUF/model-Q4.gguf", first);
  EXPECT_EQ(listed("org/model-GGUF/model-Q4.gguf").family, "Gemma 2");
  EXPECT_EQ(listed("org/old/old.gguf").family, "Phi-3");
}

TEST_F(Home, HasWhatLlamaCppKeepsWithSplitFilesOnce) {
  for (const char* part : {"1", "2", "3"}) {
    const std::string name = "llama-split-0000" + std::string(part) + "-of-00003.gguf";
    put(".cache/llama.cpp/" + name, name);
  }
  EXPECT_THAT(names(), UnorderedElementsAre("llama-split-00001-of-00003.gguf"));
  expect_opened("llama-split-00001-of-00003.gguf",
                (path() / ".cache/llama.cpp/llama-split-00001-of-00003.gguf").string());
  setenv("LLAMA_CACHE", path().c_str(), 1);
  put("moved.gguf");
  EXPECT_THAT(names(), ::testing::Contains("moved.gguf"));
}

TEST_F(Home, HasGgufFilesInTheCacheOfHuggingFace) {
  const std::string folder = ".cache/huggingface/hub/models--org--name-GGUF";
  write(folder + "/refs/main", "abc");
  const std::string file = put(folder + "/snapshots/abc/name-Q4.gguf");
  put(folder + "/snapshots/abc/name-Q8.gguf");
  put(folder + "/snapshots/older/name-Q2.gguf");
  EXPECT_THAT(names(),
              UnorderedElementsAre("org/name-GGUF:name-Q4.gguf", "org/name-GGUF:name-Q8.gguf"));
  expect_opened("org/name-GGUF:name-Q4.gguf", file);
}

// A snapshot's folder has the name of a commit, and a blob's file that of a checksum.
TEST_F(Home, CallsModelsWhatTheirStoresCallThem) {
  const std::string folder = ".cache/huggingface/hub/models--org--some-model";
  write(folder + "/refs/main", "abc");
  for (const char* part : {"config.json", "model.safetensors"})
    write(folder + "/snapshots/abc/" + part, text_of_file(golden_path("gpt2", part)));
  const auto cached = open_model("org/some-model");
  ASSERT_TRUE(cached) << cached.error().message;
  EXPECT_EQ(cached->name, "org/some-model");
  EXPECT_EQ(files::name_of_model(cached->folder + "/"), "org/some-model");
  const ModelInfo model = listed("org/some-model");
  EXPECT_EQ(model.reads, files::ModelReads::kForwards);
  EXPECT_EQ(model.layers, cached->description.n_layers);
  EXPECT_EQ(model.heads, cached->description.n_heads);

  put(".ollama/models/blobs/sha256-aa");
  write_manifest("registry.ollama.ai/library/small/1b", "sha256:aa");
  const auto blob = open_model("small:1b");
  ASSERT_TRUE(blob) << blob.error().message;
  EXPECT_EQ(blob->name, "small:1b");
  EXPECT_EQ(files::name_of_model(put("plain.gguf")), "plain.gguf");
}

TEST_F(Home, HasTheFoldersOfTheUser) {
  const std::string file = put("models/mine.gguf");
  for (const char* part : {"config.json", "model.safetensors"})
    write("other/gpt/" + std::string(part), text_of_file(golden_path("gpt2", part)));
  setenv("ATTENTION_LAB_MODELS",
         ((path() / "models").string() + ":" + (path() / "other").string() + ":").c_str(), 1);
  EXPECT_THAT(names(), UnorderedElementsAre("mine.gguf", "gpt"));
  expect_opened("mine.gguf", file);
  EXPECT_EQ(listed("gpt").family, "GPT-2");
}

TEST(AFolder, WithOneGgufFileIsThatModel) {
  const TemporaryFolder folder;
  const std::string bytes = text_of_file(golden_path("gguf", "llama.gguf"));
  const std::string file = folder.write("one.gguf", bytes);
  EXPECT_EQ(opened_model(folder.path().string()).folder, file);
  folder.write("two.gguf", bytes);
  const auto model = open_model(folder.path().string());
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().message, ::testing::HasSubstr("\"one.gguf\", \"two.gguf\""));
}

}  // namespace
}  // namespace lab
