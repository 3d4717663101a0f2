// A batch of sentences in a session.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/files/session/session.h"
#include "app/tests/document/samples.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using attention::Stage;
using nlohmann::json;
using samples::after;
using samples::fingerprint;
using ::testing::HasSubstr;

Document two_sentences() {
  Document document = after(samples::small_document(), SetOverride{{Stage::kScores, 1, 1, 3}, 7});
  document = after(document, SetCell{samples::kMask, 2, 0, 0});
  return after(document, AddSentence{"a dog saw the cat and the other dog"});
}

std::string shown(Document document) {
  document.batch = {};
  return fingerprint(document);
}

TEST(SessionBatch, HasEverySentenceWithWhatBelongsToIt) {
  for (const bool padded : {false, true}) {
    const Document document = after(two_sentences(), SetPadding{padded});
    const auto read = read_session(write_session(document));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(fingerprint(*read), fingerprint(document));
    EXPECT_EQ(read->batch.sentences.size(), 2U);
    EXPECT_EQ(shown(after(*read, GoToSentence{0})), shown(after(document, GoToSentence{0})));
    EXPECT_EQ(shown(after(*read, SetPadding{false})), shown(two_sentences()));
  }
}

TEST(SessionBatch, KeepsTwoSentencesOfCrossAttention) {
  const Document document = after(samples::file_document(), AddSentence{"the dog"});
  const auto read = read_session(write_session(document));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(shown(after(*read, GoToSentence{0})), shown(after(document, GoToSentence{0})));
}

TEST(SessionBatch, SaysWhatIsWrong) {
  const auto message = [](const std::function<void(json&)>& edit) {
    json root = json::parse(write_session(two_sentences()));
    edit(root["batch"]);
    const auto read = read_session(root.dump());
    return read ? "accepted" : read.error().message;
  };
  EXPECT_THAT(message([](json& batch) { batch["current"] = 3; }), HasSubstr("batch.current"));
  EXPECT_THAT(message([](json& batch) { batch["current"] = 0; }), HasSubstr("batch.current"));
  EXPECT_THAT(message([](json& batch) { batch["sentences"][0]["sentence"] = ""; }),
              HasSubstr("no token"));
  EXPECT_THAT(message([](json& batch) { batch["sentences"][0] = 1; }), HasSubstr("sentences[0]"));
  EXPECT_THAT(message([](json& batch) {
                for (int i = 0; i < 64; ++i) batch["sentences"].push_back(batch["sentences"][0]);
              }),
              HasSubstr("at most 64"));
  EXPECT_THAT(
      message([](json& batch) { batch["sentences"][0]["set_aside"]["overrides"][0]["row"] = 99; }),
      HasSubstr("overrides"));
}

}  // namespace
}  // namespace lab
