#include "app/files/tokenizer/tokenizer_config.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "app/files/tokenizer/tokenizer_file.h"
#include "app/tests/temporary_folder.h"

namespace lab::files {
namespace {

using nlohmann::json;

json read_json(const std::filesystem::path& path) {
  std::ifstream file(path);
  return json::parse(file);
}

void write_json(const std::filesystem::path& path, const json& value) {
  std::ofstream(path) << value.dump();
}

// What tokenizer_config_note() says of a folder with these files.
std::string note_of(const json& tokenizer, const json& model, const json& config) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path();
  write_json(path / "tokenizer.json", tokenizer);
  write_json(path / "config.json", model);
  if (!config.is_null()) write_json(path / "tokenizer_config.json", config);
  const auto opened = open_tokenizer(folder.path());
  EXPECT_TRUE(opened) << (opened ? "" : opened.error().message);
  return opened ? tokenizer_config_note(folder.path(), *opened) : "";
}

json tokenizer_named(const std::string& name) {
  return read_json(std::filesystem::path(TOKENIZER_TESTS) / "golden" / (name + ".json"))
      .at("tokenizer");
}

// configs.json holds what transformers did with each (make_configs.py).
TEST(TokenizerConfig, ANoteSaysExactlyWhereTransformersCutsOtherTokens) {
  const json cases = read_json(std::filesystem::path(TOKENIZER_TESTS) / "configs.json");
  ASSERT_GT(cases.size(), 1000);
  std::map<std::string, json> tokenizers;
  for (const json& one : cases) {
    const auto name = one.at("tokenizer").get<std::string>();
    if (!tokenizers.contains(name)) tokenizers[name] = tokenizer_named(name);
    const std::string note =
        note_of(tokenizers[name], {{"model_type", one.at("model_type")}}, one.at("config"));
    EXPECT_EQ(!note.empty(), one.at("differs").get<bool>()) << one << "\n" << note;
  }
}

TEST(TokenizerConfig, TheNoteNamesWhatDiffers) {
  const auto note = [](const json& config) {
    return note_of(tokenizer_named("bert-uncased"), {{"model_type", "bert"}}, config);
  };
  EXPECT_NE(note({{"do_lower_case", false}}).find("do_lower_case"), std::string::npos);
  EXPECT_NE(note({{"mask_token", "<gap>"}}).find("<gap>"), std::string::npos);
  EXPECT_NE(note({{"tokenizer_class", "AlbertTokenizer"}}).find("tokenizer_class"),
            std::string::npos);
}

TEST(TokenizerConfig, ADamagedFileIsSaid) {
  const json tokenizer = tokenizer_named("bert-uncased");
  for (const json& damaged : {json::array(), json{{"added_tokens_decoder", 3}},
                              json{{"do_lower_case", "no"}}, json{{"added_tokens_decoder", {3}}}})
    EXPECT_NO_THROW(note_of(tokenizer, {{"model_type", "bert"}}, damaged)) << damaged;
  EXPECT_NE(note_of(tokenizer, json::object(), json::array()).find("is not used"),
            std::string::npos);
}

}  // namespace
}  // namespace lab::files
