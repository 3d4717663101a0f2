#include "app/files/tokenizer_parts.h"

#include <gmock/gmock.h>

#include "app/files/io/bytes.h"
#include "app/files/tokenizer_file.h"
#include "app/tests/files/support.h"

// Tokenizers in older files give the ids that transformers gives: see make_tokenizer_parts.py.

namespace lab {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

json golden() { return json::parse(value_of(files::read_bytes(TOKENIZER_PARTS))); }

void write_files(const json& files, const TemporaryFolder& folder) {
  for (const auto& [name, text] : files.items()) folder.write(name, text.get<std::string>());
}

TEST(TokenizerParts, GiveTheIdsOfTheReference) {
  const json all = golden();
  EXPECT_GT(all["cases"].size(), 10u);
  for (const json& one : all["cases"]) {
    const TemporaryFolder folder;
    write_files(one["files"], folder);
    const auto tokenizer = files::open_tokenizer(folder.path().string());
    ASSERT_TRUE(tokenizer) << tokenizer.error().message;
    for (std::size_t i = 0; i < all["texts"].size(); ++i) {
      const std::string text = all["texts"][i];
      std::vector<std::uint32_t> ids;
      for (const tokenizer::Token& token : value_of(tokenizer->encode(text)))
        ids.push_back(token.id);
      EXPECT_EQ(json(ids), one["ids"][i]) << one["files"]["config.json"] << ": " << text;
    }
  }
}

TEST(TokenizerParts, AreNoneWhereAFileIsMissing) {
  json parts = golden()["cases"][5]["files"];
  parts.erase("merges.txt");
  const TemporaryFolder folder;
  write_files(parts, folder);
  EXPECT_TRUE(value_of(files::tokenizer_of_parts(folder.path().string())).is_null());
  EXPECT_EQ(value_of(files::tokenizer_in(folder.path().string())), nullptr);
}

struct BrokenPart {
  std::size_t part;  // index into the cases
  const char* file;
  const char* text;
};

TEST(TokenizerParts, ThatAreDamagedAreRefusedByName) {
  const json all = golden();
  for (const BrokenPart& broken :
       {BrokenPart{5, "vocab.json", "{"}, BrokenPart{5, "vocab.json", "[]"},
        BrokenPart{5, "merges.txt", "a b c\n"}, BrokenPart{3, "added_tokens.json", R"({"a":"b"})"},
        BrokenPart{0, "tokenizer_config.json", R"({"added_tokens_decoder":{"x":{}}})"},
        BrokenPart{0, "tokenizer_config.json", R"({"added_tokens_decoder":3})"}}) {
    const TemporaryFolder folder;
    write_files(all["cases"][broken.part]["files"], folder);
    folder.write(broken.file, broken.text);
    const auto opened = files::open_tokenizer(folder.path().string());
    ASSERT_FALSE(opened) << broken.file << ": " << broken.text;
    EXPECT_EQ(opened.error().type, ErrorType::kBadInput);
    EXPECT_THAT(opened.error().message, HasSubstr(folder.path().string()));
  }
}

}  // namespace
}  // namespace lab
