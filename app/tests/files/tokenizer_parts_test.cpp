#include "app/files/tokenizer/tokenizer_parts.h"

#include <gmock/gmock.h>

#include "app/base/byte_text.h"
#include "app/document/model/model_document.h"
#include "app/files/io/bytes.h"
#include "app/files/tokenizer/tokenizer_file.h"
#include "app/tests/files/support.h"

// Tokenizers in older files give the ids that transformers gives: see make_tokenizer_parts.py.

namespace lab {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

json golden() { return json::parse(value_of(files::read_bytes(TOKENIZER_PARTS))); }

// A file of SentencePiece in the golden data, by its name there.
std::string model_of(const json& all, const std::string& name) {
  return from_base64(all["models"][name].get<std::string>()).value_or("");
}

void write_files(const json& all, const json& files, const TemporaryFolder& folder) {
  for (const auto& [name, told] : files.items())
    folder.write(name, told.is_object() ? model_of(all, told["model"]) : told.get<std::string>());
}

// The first case whose files have that one.
json files_with(const json& all, const char* name) {
  for (const json& one : all["cases"])
    if (one["files"].contains(name)) return one["files"];
  return {};
}

// What opening a folder with these files says against it; empty when it opens.
std::string refusal_of(const json& all, const json& files) {
  const TemporaryFolder folder;
  write_files(all, files, folder);
  const auto opened = files::open_tokenizer(folder.path().string());
  if (opened) return "";
  EXPECT_EQ(opened.error().type, ErrorType::kBadInput);
  EXPECT_THAT(opened.error().message, HasSubstr(folder.path().string()));
  return opened.error().message;
}

// The ids of each text; null where it is refused.
json ids_of(const tokenizer::Tokenizer& tokenizer, const json& texts) {
  json all = json::array();
  for (const json& text : texts) {
    const auto encoding = tokenizer.encode(text.get<std::string>());
    json ids = encoding ? json::array() : json();
    if (encoding)
      for (const tokenizer::Token& token : *encoding) ids.push_back(token.id);
    all.push_back(std::move(ids));
  }
  return all;
}

json pair_ids(const tokenizer::Tokenizer& tokenizer, const json& pair) {
  const auto second = pair[1].get<std::string>();
  json ids = json::array();
  for (const tokenizer::Token& token :
       value_of(tokenizer.encode(pair[0].get<std::string>(), {.pair = second})))
    ids.push_back(token.id);
  return ids;
}

void expect_ids(const json& one, const char* name, const json& texts,
                const tokenizer::Tokenizer& tokenizer) {
  const json ids = ids_of(tokenizer, texts);
  for (std::size_t i = 0; i < texts.size(); ++i)
    EXPECT_EQ(ids[i], one[name][i])
        << one["files"]["config.json"] << ", " << name << ": " << texts[i];
}

TEST(TokenizerParts, GiveTheIdsOfTheReference) {
  const json all = golden();
  EXPECT_GT(all["cases"].size(), 40u);
  int targets = 0;
  for (const json& one : all["cases"]) {
    const TemporaryFolder folder;
    write_files(all, one["files"], folder);
    const auto tokenizer = files::open_tokenizer(folder.path().string());
    ASSERT_TRUE(tokenizer) << tokenizer.error().message;
    expect_ids(one, "ids", all["texts"], *tokenizer);
    EXPECT_EQ(pair_ids(*tokenizer, all["pair"]), one["pair_ids"]) << one["files"]["config.json"];
    const auto target = value_of(files::target_tokenizer_in(folder.path().string()));
    ASSERT_EQ(target != nullptr, one.contains("target_ids"));
    if (target == nullptr) continue;
    ++targets;
    expect_ids(one, "target_ids", all["texts"], *target);
    // Both give a token the same name.
    for (const json& id : one["target_ids"].back())
      EXPECT_EQ(target->token_of(id), tokenizer->token_of(id));
  }
  EXPECT_EQ(targets, 3);
}

TEST(TokenizerParts, AModelCutsWhatItsDecoderReadsByTheTokenizerOfTheTarget) {
  const json all = golden();
  const json files = files_with(all, "target.spm");
  const TemporaryFolder folder;
  write_files(all, files, folder);
  ModelSource source;
  source.tokenizer = value_of(files::tokenizer_in(folder.path().string()));
  source.target_tokenizer = value_of(files::target_tokenizer_in(folder.path().string()));
  const auto ids = [&](bool of_decoder) {
    std::vector<std::uint32_t> found;
    for (const tokenizer::Token& token :
         value_of(encode_text(source, "die Katze sang im", of_decoder)))
      found.push_back(token.id);
    return found;
  };
  const std::vector<std::uint32_t> of_source = ids(false), of_target = ids(true);
  EXPECT_GT(of_source.size(), 2 * of_target.size());
  EXPECT_EQ(of_source.back(), *source.tokenizer->id_of("</s>"));
  EXPECT_NE(of_target.back(), of_source.back());
  const auto text = value_of(source.tokenizer->decode(of_target, true));
  EXPECT_EQ(text, "die Katze sang im");
}

TEST(TokenizerParts, AreNoneWhereAFileIsMissing) {
  const json all = golden();
  json parts = all["cases"][5]["files"];
  parts.erase("merges.txt");
  const TemporaryFolder folder;
  write_files(all, parts, folder);
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
    json files = all["cases"][broken.part]["files"];
    files[broken.file] = broken.text;
    EXPECT_NE(refusal_of(all, files), "") << broken.file << ": " << broken.text;
  }
}

TEST(TokenizerParts, FilesOfSentencePieceThatAreDamagedAreRefusedByNameAndPlace) {
  const json all = golden();
  json files = files_with(all, "spiece.model");
  const std::string whole = model_of(all, files["spiece.model"]["model"]);
  const auto refusal = [&](const std::string& bytes) {
    const TemporaryFolder folder;
    write_files(all, files, folder);
    folder.write("spiece.model", bytes);
    const auto opened = files::open_tokenizer(folder.path().string());
    return opened ? "" : opened.error().message;
  };
  ASSERT_EQ(refusal(whole), "");
  EXPECT_THAT(refusal(""), HasSubstr("spiece.model: it has no pieces"));
  EXPECT_THAT(refusal(whole.substr(0, whole.size() - 1)), HasSubstr("is cut short"));
  EXPECT_THAT(refusal(std::string("\x0a\xff\xff\xff\xff\x0f\x61", 7)), HasSubstr("byte 6"));
  std::string score = whole;  // the first piece: its text, and then its score
  const std::size_t at = score.find('\x15');
  ASSERT_LT(at, 16u);
  score.replace(at + 1, 4, std::string("\x00\x00\x80\x7f", 4));
  EXPECT_THAT(refusal(score), HasSubstr("a score is not finite"));
  std::string text = whole;
  text[4] = '\xff';
  EXPECT_THAT(refusal(text), HasSubstr("not valid UTF-8"));
  EXPECT_THAT(refusal("\x0a\x82\x10\x0a\xff\x0f" + std::string(2047, 'a')),
              HasSubstr("piece 0 has more than 1024 bytes"));
}

// Whatever bytes are changed, a file opens or is refused with a sentence.
TEST(TokenizerParts, AnyDamageToAFileOfSentencePieceIsSurvived) {
  const json all = golden();
  const json files = files_with(all, "tokenizer.model");
  const std::string whole = model_of(all, "unigram");
  const TemporaryFolder folder;
  write_files(all, files, folder);
  int refused = 0;
  for (std::size_t at = 0; at < whole.size(); at += 11)
    for (const bool cut : {true, false}) {
      std::string bytes = whole.substr(0, cut ? at : whole.size());
      if (!cut) bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at % 8)));
      folder.write("tokenizer.model", bytes);
      const auto opened = files::open_tokenizer(folder.path().string());
      if (opened) {
        (void)opened->encode("The cat  sat in the caf\u00e9.");
        continue;
      }
      ++refused;
      EXPECT_EQ(opened.error().type, ErrorType::kBadInput);
      EXPECT_THAT(opened.error().message, HasSubstr(folder.path().string()));
    }
  EXPECT_GT(refused, 100);  // each that is cut short
}

TEST(TokenizerParts, WhatCannotBeFollowedIsRefusedByNameOrLeftAlone) {
  const json all = golden();
  json files = files_with(all, "source.spm");
  files["source.spm"] = json{{"model", "marked"}};
  EXPECT_THAT(refusal_of(all, files), HasSubstr("source.spm: it has pieces for bytes"));
  files = files_with(all, "source.spm");
  files["vocab.json"] = R"({"a": 0})";
  EXPECT_THAT(refusal_of(all, files), HasSubstr("vocab.json"));
  files = files_with(all, "source.spm");
  files["tokenizer_config.json"] = R"({"separate_vocabs": true})";
  const TemporaryFolder folder;
  write_files(all, files, folder);
  EXPECT_EQ(value_of(files::tokenizer_in(folder.path().string())), nullptr);
}

TEST(TokenizerParts, AVocabularyOfTiktokenIsNoFileOfSentencePiece) {
  const json all = golden();
  json files = files_with(all, "tokenizer.model");
  files["tokenizer.model"] = "IQ== 0\nIg== 1\n";
  const TemporaryFolder folder;
  write_files(all, files, folder);
  EXPECT_EQ(value_of(files::tokenizer_in(folder.path().string())), nullptr);
}

}  // namespace
}  // namespace lab
