// Links that hold a session, and what becomes of damaged ones.
#include <gmock/gmock.h>

#include <filesystem>
#include <random>

#include "app/base/byte_text.h"
#include "app/handout/packed.h"
#include "app/handout/session_link.h"
#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"

namespace lab::test {
namespace {

using handout::session_fragment;
using handout::session_of_link;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

TEST(Link, HoldsASessionBitForBit) {
  const TempFolder folder;
  const std::string in = small_session(folder);
  const Outcome made = run({"link", in, "--page", "https://example.org/page.html#old"});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, MatchesRegex("https://example.org/page.html#session=[A-Za-z0-9_-]+\n"));
  const std::string link = made.out.substr(0, made.out.size() - 1);
  const Outcome back = run({"link", link, "-o", folder / "back.json"});
  EXPECT_EQ(back.code, 0) << back.err;
  EXPECT_EQ(bytes_of(folder / "back.json"), bytes_of(in));
  EXPECT_EQ(run({"link", "#language=de&" + link.substr(link.find('#') + 1), "-o", "-"}).out,
            bytes_of(in))
      << "other members of the address do not matter";
}

TEST(Link, NamesWhatEveryPageHas) {
  EXPECT_EQ(run({"link", "refer"}).out, "#example=refer\n");
  EXPECT_EQ(run({"link", "softmax"}).out, "#lesson=softmax\n");
  EXPECT_EQ(run({"link", "softmax", "--page", "page.html"}).out, "page.html#lesson=softmax\n");
}

TEST(Link, HoldsASessionOfABuiltInModelAndNoOther) {
  const TempFolder folder;
  const std::string session = folder / "words.json";
  std::ofstream(folder / "none.jsonl");
  ASSERT_EQ(run({"apply", "words", folder / "none.jsonl", "--text", "a small", "-o", session}).code,
            0);
  const Outcome made = run({"link", session});
  EXPECT_THAT(made.out, StartsWith("#session="));
  const auto back = session_of_link(made.out.substr(0, made.out.size() - 1));
  ASSERT_TRUE(back);
  EXPECT_EQ(nlohmann::json::parse(*back)["model"]["folder"], "/assets/models/words");
  const Outcome own = run({"link", small_model("gpt2")});
  EXPECT_EQ(own.code, 5) << own.out;
}

TEST(Link, ALessonIsAPage) {
  const TempFolder folder;
  const std::string lesson = folder / "mine.md";
  std::ofstream(lesson) << "---\ntitle: a\ngoal: b\nminutes: 5\nlevel: c\n---\n## One\n```lab\n"
                           "open refer\n```\nText.\n";
  const Outcome outcome = run({"link", lesson});
  EXPECT_EQ(outcome.code, 5);
  EXPECT_THAT(outcome.err, HasSubstr("--live"));
}

TEST(Link, SaysWhatIsWrong) {
  const TempFolder folder;
  EXPECT_EQ(run({"link", "#session=AAAA"}).code, 2) << "where to?";
  EXPECT_EQ(run({"link", "#session=AAAA", "-o", "-", "--page", "a"}).code, 2);
  EXPECT_EQ(run({"link", session_fragment("{}"), "-o", "-"}).code, 5) << "no session";
  EXPECT_EQ(run({"link", session_fragment("{}"), "-o", folder / "a.pdf"}).code, 2);
  for (const char* damaged : {"#session=", "#session=AAAA", "#session=====", "#session=ä",
                              "#session=A", "#session=%20"}) {
    const Outcome outcome = run({"link", damaged, "-o", "-"});
    EXPECT_EQ(outcome.code, 5) << damaged;
    EXPECT_THAT(outcome.err, HasSubstr("damaged")) << damaged;
  }
}

TEST(Link, ALinkThatWasCutOrChangedIsDamagedOrAnotherText) {
  std::string session = "{\"type\": \"attention-lab session\"";
  for (int i = 0; i < 200; ++i) session += ", \"a" + std::to_string(i) + "\": 0.25";
  session += "}";
  const std::string link = session_fragment(session);
  for (std::size_t length = 0; length < link.size(); ++length)
    EXPECT_FALSE(session_of_link(link.substr(0, length))) << length;
  EXPECT_FALSE(session_of_link(link + "AAAA"));
  std::mt19937 random(48);
  for (int i = 0; i < 2000; ++i) {
    std::string changed = link;
    for (std::size_t n = random() % 4 + 1; n > 0; --n)
      changed[9 + random() % (changed.size() - 9)] = static_cast<char>(random() % 256);
    const auto read = session_of_link(changed);
    if (read) {
      EXPECT_LE(read->size(), handout::kLargestLinkedSession);
    }
  }
}

TEST(Link, DoesNotUnfoldWithoutEnd) {
  const std::string large(handout::kLargestLinkedSession + 1, ' ');
  EXPECT_FALSE(session_of_link(session_fragment(large)));
  EXPECT_TRUE(session_of_link(session_fragment(large.substr(1))));
}

TEST(Packed, IsReadBackAndRefusesAnythingElse) {
  using handout::Packing;
  std::mt19937 random(7);
  for (const Packing packing : {Packing::kGzip, Packing::kRawDeflate}) {
    for (const std::size_t size : {0, 1, 100, 65'535, 65'536, 1'000'000}) {
      std::string bytes(size, '\0');
      for (char& c : bytes) c = static_cast<char>(random() % 7);
      const std::string packed = handout::packed(bytes, packing);
      EXPECT_EQ(handout::unpacked(packed, packing, size).value(), bytes);
      EXPECT_FALSE(handout::unpacked(packed + "x", packing, size));
      EXPECT_FALSE(handout::unpacked(packed.substr(0, packed.size() - 1), packing, size));
      if (size > 0) {
        EXPECT_FALSE(handout::unpacked(packed, packing, size - 1));
      }
    }
  }
}

}  // namespace
}  // namespace lab::test
