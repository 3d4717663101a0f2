#include <gmock/gmock.h>

#include "app/cli/sweep_argument.h"
#include "app/document/commands/reducer.h"
#include "app/figure/animation/animation_types.h"
#include "app/files/session/session.h"
#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"

namespace lab::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

int count_of(const std::string& bytes, std::string_view word) {
  int count = 0;
  for (std::size_t at = bytes.find(word); at != bytes.npos; at = bytes.find(word, at + 1)) ++count;
  return count;
}

class ExportAnimation : public testing::Test {
 protected:
  // A narrow picture of few pixels.
  std::vector<std::string> arguments(const std::string& name,
                                     const std::vector<std::string>& options) const {
    std::vector<std::string> all = {"export", in_, "-o", folder_ / name, "--dpi", "40"};
    all.insert(all.end(), options.begin(), options.end());
    return all;
  }
  // The number of frames of an animated WebP.
  int frames(const std::vector<std::string>& options) const {
    const Outcome outcome = run(arguments("a.webp", options));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? count_of(bytes_of(folder_ / "a.webp"), "ANMF") : 0;
  }
  // It must be refused with that code and write nothing; the message.
  std::string refused(const std::string& name, const std::vector<std::string>& options,
                      int code = 2) const {
    const Outcome outcome = run(arguments(name, options));
    EXPECT_EQ(outcome.code, code) << testing::PrintToString(options) << outcome.err;
    EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder_ / name));
    return outcome.err;
  }

  TempFolder folder_;
  std::string in_ = small_session(folder_);
};

TEST_F(ExportAnimation, SweepsThereAndBackUnlessOnce) {
  EXPECT_EQ(frames({"--sweep", "temperature=0.5..2", "--frames", "6"}), 10);
  EXPECT_EQ(frames({"--sweep", "temperature=0.5..2", "--frames", "6", "--once"}), 6);
  EXPECT_EQ(frames({"--sweep", "temperature=0.5..2", "--seconds", "1", "--fps", "5"}), 8);
  EXPECT_EQ(frames({"--sweep", "temperature=0.5..2"}), 58);
}

TEST_F(ExportAnimation, WalksThroughTheStages) {
  EXPECT_EQ(frames({"--walk"}), 10);
  EXPECT_EQ(frames({"--walk", "--head", "all", "--seconds", "1"}), 10);
}

TEST_F(ExportAnimation, EditsNumberByNumberOrOneByOne) {
  const std::string edits = folder_.write("e.jsonl",
                                          "{\"do\":\"set_temperature\",\"value\":3}\n# rest\n\n"
                                          "{\"do\":\"undo\"}\n{\"do\":\"redo\"}\n");
  EXPECT_EQ(frames({"--edits", edits}), 4);
  ASSERT_EQ(run({"apply", in_, edits, "-o", folder_ / "b.json"}).code, 0);
  EXPECT_EQ(frames({"--edit", folder_ / "b.json", "--frames", "7"}), 7);
}

TEST_F(ExportAnimation, WritesGifToo) {
  ASSERT_EQ(run(arguments("a.gif", {"--walk"})).code, 0);
  EXPECT_THAT(bytes_of(folder_ / "a.gif"), testing::StartsWith("GIF89a"));
}

TEST_F(ExportAnimation, WebpCarriesTheSessionUnlessBare) {
  ASSERT_EQ(run(arguments("a.webp", {"--walk"})).code, 0);
  ASSERT_EQ(
      run({"apply", folder_ / "a.webp", folder_.write("none", ""), "-o", folder_ / "b.json"}).code,
      0);
  EXPECT_EQ(bytes_of(folder_ / "b.json"), bytes_of(in_));
  ASSERT_EQ(run(arguments("a.webp", {"--walk", "--bare"})).code, 0);
  EXPECT_EQ(run({"check", folder_ / "a.webp"}).code, 5);
}

TEST_F(ExportAnimation, AsksWhatMoves) {
  for (const char* name : {"a.webp", "a.gif"}) {
    const std::string message = refused(name, {});
    for (const char* option : {"--walk", "--sweep", "--edit ", "--edits"})
      EXPECT_THAT(message, HasSubstr(option));
  }
  refused("a.webp", {"--walk", "--sweep", "temperature=1..2"});
  refused("a.webp", {"--fps", "20"});
}

TEST_F(ExportAnimation, PicturesThatStandStillDoNotMove) {
  for (const char* name : {"a.png", "a.svg", "a.csv", "a.html"})
    for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
             {"--walk"}, {"--sweep", "temperature=1..2"}, {"--edit", in_}, {"--fps", "20"}})
      EXPECT_THAT(refused(name, options), HasSubstr(".webp or .gif"));
  refused("figures", {"--each", ".webp"});
  refused("figures", {"--each", ".png", "--walk"});
}

TEST_F(ExportAnimation, RefusesAPaceThatCannotBe) {
  const std::vector<std::string> sweep = {"--sweep", "temperature=1..2"};
  for (const std::vector<std::string>& pace :
       std::vector<std::vector<std::string>>{{"--frames", "1"},
                                             {"--frames", "1001"},
                                             {"--frames", "1000"},  // and back: 1998
                                             {"--frames", "-5"},
                                             {"--frames", "99999999999999999999"},
                                             {"--fps", "0"},
                                             {"--fps", "nan"},
                                             {"--fps", "1e300"},
                                             {"--seconds", "0"},
                                             {"--seconds", "inf"},
                                             {"--seconds", "60", "--fps", "50"},
                                             {"--seconds", "2", "--fps", "5", "--frames", "9"}}) {
    std::vector<std::string> options = sweep;
    options.insert(options.end(), pace.begin(), pace.end());
    refused("a.webp", options);
  }
  refused("a.webp", {"--walk", "--frames", "5"});
  refused("a.webp", {"--walk", "--once"});
}

TEST_F(ExportAnimation, RefusesSweepsOfWhatIsNotThere) {
  for (const char* sweep : {"",
                            "=",
                            "..",
                            "temperature",
                            "temperature=",
                            "temperature=1",
                            "temperature=1..",
                            "temperature=..1",
                            "temperature=1..1",
                            "temperature=nan..1",
                            "temperature=1..inf",
                            "temperature=1..2..3",
                            "=1..2",
                            "heat=1..2",
                            "W_Q=1..2",
                            "W_Q[=1..2",
                            "W_Q]=1..2",
                            "W_Q[]=1..2",
                            "W_Q[1]=1..2",
                            "W_Q[1,]=1..2",
                            "W_Q[0,0,0]=1..2",
                            "W_Q[3,0,0]=1..2",
                            "W_Q[-1,0,0]=1..2",
                            "W_Q[99999999999,0,0]=1..2",
                            "W_Q[1,0,9]=1..2",
                            "W_Q[1,9,0]=1..2",
                            "W_Q[1,0,0,0]=1..2",
                            "X[nobody,0]=1..2",
                            "scale=0..1",
                            "scale[9]=0..1",
                            "scores[1,it]=0..1",
                            "X_kv[0,0]=0..1",
                            "rotated_Q[1,0,9]=0..1"})
    EXPECT_THAT(refused("a.webp", {"--sweep", sweep}), HasSubstr("--sweep")) << sweep;
}

TEST_F(ExportAnimation, FailsAsTheReducerDoes) {
  refused("a.webp", {"--sweep", "temperature=0..1"}, 5);
  refused("a.webp", {"--sweep", "X[it,0]=0..1e30"}, 5);
  refused("a.webp", {"--sweep", "mask[0,0]=0..1"}, 5);
  refused("a.webp", {"--edits", folder_.write("bad.jsonl", "{\"do\":\"fly\"}")}, 5);
  refused("a.webp", {"--edits", folder_ / "missing.jsonl"}, 6);
  refused("a.webp", {"--edit", folder_ / "missing.json"}, 6);
}

TEST_F(ExportAnimation, RefusesAnEditBetweenOtherShapes) {
  const std::string edits = folder_.write("e.jsonl", "{\"do\":\"set_sentence\",\"text\":\"a b\"}");
  ASSERT_EQ(run({"apply", in_, edits, "-o", folder_ / "b.json"}).code, 0);
  EXPECT_THAT(refused("a.gif", {"--edit", folder_ / "b.json"}), HasSubstr("number of tokens"));
}

TEST_F(ExportAnimation, RefusesMorePixelsThanAFileHolds) {
  refused("a.webp", {"--walk", "--dpi", "2400", "--width-mm", "1000"});
  refused("a.gif", {"--walk", "--dpi", "2400", "--width-mm", "1000"});
}

TEST_F(ExportAnimation, TooManyEditsAreNoAnimation) {
  std::string lines;
  for (int i = 0; i < 1001; ++i)
    lines += R"({"do":"set_temperature","value":)" + std::to_string(1 + i % 7) + "}\n";
  EXPECT_THAT(refused("a.webp", {"--edits", folder_.write("e.jsonl", lines)}), HasSubstr("999"));
}

// What a sweep sets, as JSON.
std::string swept(const std::string& text) {
  const auto request = parse_sweep(text, small_document());
  EXPECT_TRUE(request) << request.error().message;
  if (!request) return {};
  EXPECT_TRUE(has_number(request->command)) << text;
  EXPECT_TRUE(lab::apply(small_document(), request->command) || text.starts_with("temperature"))
      << text;
  return to_json_line(request->command);
}

TEST(Sweep, NamesNumbersAsTheCommandsDo) {
  EXPECT_THAT(swept("temperature=1..2"), HasSubstr("set_temperature"));
  EXPECT_THAT(swept("score_cap=1..50"), HasSubstr("set_score_cap"));
  EXPECT_THAT(swept("norm_Q[1]=0..1"), HasSubstr(R"("matrix":"norm_Q","row":0,"col":1)"));
  EXPECT_THAT(swept("dropout=0..0.5"), HasSubstr(R"("rate":0)"));
  EXPECT_THAT(swept("rotary_base=10..100"), HasSubstr(R"("base":)"));
  EXPECT_THAT(swept("epsilon=0.1..1"), HasSubstr(R"("epsilon":)"));
  EXPECT_THAT(swept("scale[2]=0..1"), HasSubstr(R"("head":2,"scale":)"));
  EXPECT_THAT(swept("W_Q[2,beta,1]=-2..2"),
              HasSubstr(R"("matrix":"W_Q","head":2,"row":1,"col":1)"));
  EXPECT_THAT(swept("X[cat,gamma]=0..1"), HasSubstr(R"("matrix":"X","row":1,"col":2)"));
  EXPECT_THAT(swept("b_Q[1,1]=0..1"), HasSubstr(R"("matrix":"b_Q","head":1,"row":0,"col":1)"));
  EXPECT_THAT(swept("gamma[delta]=0..1"), HasSubstr(R"("matrix":"gamma","row":0,"col":3)"));
  EXPECT_THAT(swept("score_bias[it,cat]=0..1"), HasSubstr(R"("matrix":"score_bias")"));
  EXPECT_THAT(swept("scores[2,it,cat]=0..1"),
              HasSubstr(R"("stage":"scores","head":2,"row":9,"col":1)"));
  EXPECT_THAT(swept("output[it,0]=0..1"), HasSubstr(R"("stage":"output","row":9,"col":0)"));
}

TEST(Sweep, ReadsBothEnds) {
  const auto request = parse_sweep("temperature=-.5..1e2", small_document());
  ASSERT_TRUE(request);
  EXPECT_EQ(request->from, -0.5f);
  EXPECT_EQ(request->to, 100);
}

}  // namespace
}  // namespace lab::test
