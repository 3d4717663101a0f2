// Sessions whose sentence is split by a tokenizer.json.
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/document/commands/reducer.h"
#include "app/files/io/bytes.h"
#include "app/files/open.h"
#include "app/files/session/session.h"
#include "app/files/tokenizer/tokenizer_file.h"
#include "app/tests/files/support.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"

namespace lab {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> shown_tokens(const Document& document) {
  std::vector<std::string> labels;
  for (const Token& token : document.tokens) labels.push_back(token_label(token));
  return labels;
}

Document split_by(const std::string& sentence, const std::string& tokenizer) {
  const Document words = make_document(sentence, attention::Config{}, 1);
  const auto command = read_command(R"({"do":"set_token_mode","mode":"tokenizer","tokenizer":)" +
                                    json(tokenizer).dump() + "}");
  return value_of(lab::apply(words, value_of(command)));
}

class SessionTokenizer : public ::testing::Test {
 protected:
  // A copy of the built-in tokenizer.
  std::string copied_tokenizer() {
    const std::string bytes = value_of(read_bytes(value_of(tokenizer_path("english"))));
    std::filesystem::create_directory(folder / "model");
    folder.write("model/tokenizer.json", bytes);
    return folder / "model";
  }

  TemporaryFolder folder;
};

TEST_F(SessionTokenizer, ReadsBackBitForBit) {
  Document document = split_by("The animal was unbelievable 🙂.", "english");
  expect_same(value_of(read_session(write_session(document))), document);
  document =
      value_of(lab::apply(document, SetOverride{{attention::Stage::kWeights, 0, 1, 1}, 0.5f}));
  document = value_of(lab::apply(document, SetSentence{"It was unbelievable."}));
  ASSERT_FALSE(document.detached->empty());
  expect_same(value_of(read_session(write_session(document))), document);
}

TEST_F(SessionTokenizer, TheSentenceIsEditedByItAfterOpening) {
  const Document document = value_of(read_session(write_session(split_by("It was", "english"))));
  EXPECT_THAT(shown_tokens(value_of(lab::apply(document, SetSentence{"It was unhappy"}))),
              ElementsAre("It", "·was", "·un", "h", "app", "y"));
}

TEST_F(SessionTokenizer, APathBecomesAbsolute) {
  const std::string model = copied_tokenizer();
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder / "");
  const Document document = split_by("It was", "model");
  std::filesystem::current_path(before);
  EXPECT_EQ(document.splitting.tokenizer.name, std::filesystem::canonical(model).string());
}

TEST_F(SessionTokenizer, AMissingFileLeavesTheTokensAndIsTold) {
  const Document document = split_by("It was unhappy", copied_tokenizer());
  const std::string text = write_session(document);
  std::filesystem::remove_all(folder / "model");
  const Session session = value_of(read_whole_session(text));
  EXPECT_EQ(shown_tokens(session.document), shown_tokens(document));
  ASSERT_EQ(session.notes.size(), 1u);
  EXPECT_THAT(session.notes[0], HasSubstr("/model"));
  const auto edited = lab::apply(session.document, SetSentence{"It is"});
  ASSERT_FALSE(edited);
  EXPECT_THAT(edited.error().message, HasSubstr("/model"));
  EXPECT_TRUE(lab::apply(session.document, SetTokenMode{}));
  EXPECT_EQ(write_session(session.document), text) << "saving loses nothing";
}

TEST_F(SessionTokenizer, AChangedFileLeavesTheTokensAndIsTold) {
  const std::string text = write_session(split_by("It was unhappy", copied_tokenizer()));
  json other = json::parse(value_of(read_bytes(folder / "model/tokenizer.json")));
  other["model"]["merges"] = json::array();
  folder.write("model/tokenizer.json", other.dump());
  const Session session = value_of(read_whole_session(text));
  EXPECT_THAT(shown_tokens(session.document), ElementsAre("It", "·was", "·un", "h", "app", "y"));
  ASSERT_EQ(session.notes.size(), 1u);
  EXPECT_THAT(session.notes[0], HasSubstr("splits the sentence differently"));
}

TEST_F(SessionTokenizer, IsSilentWhenAllIsWell) {
  const std::string text = write_session(split_by("It was unhappy", copied_tokenizer()));
  EXPECT_THAT(value_of(read_whole_session(text)).notes, IsEmpty());
}

TEST_F(SessionTokenizer, BytesBeyondTheSentenceAreRefused) {
  json session = json::parse(write_session(split_by("It was", "english")));
  session["tokens"][1]["bytes"] = {2, 7};
  EXPECT_THAT(read_session(session.dump()).error().message, HasSubstr("tokens[1].bytes"));
  session["tokens"][1]["bytes"] = {4, 3};
  EXPECT_THAT(read_session(session.dump()).error().message, HasSubstr("tokens[1].bytes"));
}

TEST_F(SessionTokenizer, TheFileOfABuiltInOneIsKnownByItsName) {
  const std::string path = assets_folder() + "/tokenizers/english";
  for (const std::string& spelt : {path, path + "/tokenizer.json", path + "/../english/"})
    EXPECT_EQ(value_of(open_named_tokenizer(spelt)).name, "english") << spelt;
  EXPECT_NE(value_of(open_named_tokenizer(copied_tokenizer())).name, "english");
}

TEST_F(SessionTokenizer, APipeIsNotWaitedFor) {
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(open_named_tokenizer(folder / "pipe").error().message, EndsWith("is not a file"));
}

TEST_F(SessionTokenizer, ACommandNamesWhatCannotBeOpened) {
  const auto command =
      read_command(R"({"do":"set_token_mode","mode":"tokenizer","tokenizer":"/nowhere/at all"})");
  EXPECT_THAT(command.error().message, HasSubstr("/nowhere/at all"));
}

TEST_F(SessionTokenizer, TheBuiltInOnesAreListed) {
  EXPECT_THAT(built_in_tokenizers(), ElementsAre("english"));
}

}  // namespace
}  // namespace lab
