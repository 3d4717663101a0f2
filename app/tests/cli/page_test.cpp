// Pages that compute, with a session or a lesson in them. The page itself is a small one here.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "app/base/byte_text.h"
#include "app/embedded_session/session_formats.h"
#include "app/files/io/bytes.h"
#include "app/handout/packed.h"
#include "app/lessons/reading/lesson_library.h"
#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"

namespace lab::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::string_view kPageBegins = "<!DOCTYPE html>\n<html>\n<body>\n";
constexpr std::string_view kPageEnds =
    "<script type=\"text/plain\" id=\"assets-data\">H4sI</script>\n"
    "<script type=\"module\">start()</script>\n</body>\n</html>\n";
constexpr std::string_view kModels =
    "<script type=\"text/plain\" id=\"models-data\">H4sI</script>\n";

constexpr std::string_view kLesson = R"(---
title: Meine Stunde
goal: Sehen, wer wohin schaut
minutes: 5
level: erste Schritte
language: de
---

## Anfang

```lab
open mine.json
```

Ein Satz `</script><script>alert(1)</script> & <b>mehr</b>`.

```question number
Wie viele Köpfe sind es?

answer: n_heads
```
)";

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// With $ATTENTION_LAB_PAGE a small page, as it is built.
class Page : public testing::Test {
 protected:
  void SetUp() override {
    put("page.html", std::string(kPageBegins) + std::string(kPageEnds));
    ::setenv("ATTENTION_LAB_PAGE", (folder_ / "page.html").c_str(), 1);
  }
  void TearDown() override { ::unsetenv("ATTENTION_LAB_PAGE"); }

  std::string put(const std::string& name, std::string_view text) const {
    EXPECT_TRUE(files::write_bytes(folder_ / name, text));
    return folder_ / name;
  }
  // The page that `arguments` of export give.
  std::string exported(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "export");
    arguments.insert(arguments.end(), {"-o", folder_ / "out.html"});
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    return outcome.code == 0 ? bytes_of(folder_ / "out.html") : "";
  }
  // What export says when it refuses, with this code.
  std::string refused(int code, std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "export");
    if (std::ranges::find(arguments, "-o") == arguments.end())
      arguments.insert(arguments.end(), {"-o", folder_ / "out.html"});
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, code) << testing::PrintToString(arguments) << outcome.err;
    EXPECT_FALSE(fs::exists(folder_ / "out.html"));
    return outcome.err;
  }
  // What a page brings along, as the page reads it.
  static nlohmann::json given_of(const std::string& page) {
    constexpr std::string_view kOpens = "<script type=\"application/json\" id=\"given-data\">";
    const std::size_t at = page.find(kOpens);
    EXPECT_NE(at, page.npos);
    const std::string rest = page.substr(at + kOpens.size());
    return nlohmann::json::parse(rest.substr(0, rest.find('<')));
  }
  static std::string unfolded(const nlohmann::json& packed) {
    const auto bytes = from_base64(packed.get<std::string>());
    return handout::unpacked(bytes.value(), handout::Packing::kGzip, 10'000'000).value();
  }

  TempFolder folder_;
};

TEST_F(Page, OpensWithASessionAndIsTheSameElsewhere) {
  const std::string in = small_session(folder_);
  const std::string page = exported({in, "--live"});
  EXPECT_TRUE(page.starts_with(kPageBegins));
  EXPECT_TRUE(page.ends_with(kPageEnds));
  EXPECT_EQ(given_of(page),
            nlohmann::json::parse(R"({"path": "/given/session.json", "texts": {}})"));
  const auto session = embedded_session::session_in_html(page);
  ASSERT_TRUE(session);
  EXPECT_EQ(*session, bytes_of(in)) << "bit for bit";
  EXPECT_EQ(run({"compute", folder_ / "out.html", "-o", "-"}).out,
            run({"compute", in, "-o", "-"}).out)
      << "this program opens the page, too";
}

TEST_F(Page, OpensInTheLanguageThatIsAskedFor) {
  EXPECT_EQ(given_of(exported({"refer", "--live", "--language", "de"}))["language"], "de");
  EXPECT_FALSE(given_of(exported({"refer", "--live"})).contains("language"));
}

TEST_F(Page, IsALessonWithItsSessionsInItsLanguage) {
  fs::copy_file(small_session(folder_), folder_ / "mine.json");
  const std::string lesson = put("stunde.md", kLesson);
  const std::string page = exported({lesson});
  const nlohmann::json given = given_of(page);
  EXPECT_EQ(given["path"], "/given/stunde.md");
  EXPECT_EQ(given["language"], "de");
  EXPECT_EQ(given["texts"]["/given/stunde.md"], kLesson);
  EXPECT_EQ(given["texts"]["/given/mine.json"], bytes_of(folder_ / "mine.json"));
  EXPECT_EQ(given["texts"].size(), 2u) << "nothing else of the folder";
}

TEST_F(Page, TextCannotEndItsElement) {
  fs::copy_file(small_session(folder_), folder_ / "mine.json");
  const std::string page = exported({put("<script><b>.md", kLesson)});
  EXPECT_EQ(count_of(page, "<script"), 3u);
  EXPECT_EQ(count_of(page, "</script"), 3u);
  EXPECT_EQ(count_of(page, "<b>"), 0u);
  EXPECT_EQ(given_of(page)["path"], "/given/<script><b>.md");
}

TEST_F(Page, ADamagedLessonSaysWhereInASentence) {
  const std::string text(kLesson);
  const auto with = [&](const std::string& name, std::string_view part, std::string_view other) {
    std::string changed = text;
    changed.replace(changed.find(part), part.size(), other);
    return put(name, changed);
  };
  fs::copy_file(small_session(folder_), folder_ / "mine.json");
  EXPECT_THAT(refused(5, {with("a.md", "open mine.json", "open none.json")}),
              HasSubstr("a.md:12: "));
  EXPECT_THAT(refused(5, {with("b.md", "n_heads", "n_hedas")}), HasSubstr("b.md:20: "));
  EXPECT_THAT(refused(5, {with("c.md", "question number", "question nubmer")}),
              HasSubstr("c.md:17: "));
  EXPECT_THAT(refused(5, {put("d.md", "---\ntitle: x\n")}), HasSubstr("d.md:"));
  EXPECT_THAT(refused(6, {folder_ / "none.md"}), HasSubstr("none.md"));
}

TEST_F(Page, ALessonBringsNothingFromOutsideOfItsFolder) {
  fs::create_directory(folder_ / "course");
  const std::string outside = small_session(folder_);
  for (const std::string& name : {std::string("../small.json"), outside}) {
    std::string text(kLesson);
    text.replace(text.find("mine.json"), 9, name);
    const std::string message = refused(5, {put("course/a.md", text)});
    EXPECT_THAT(message, HasSubstr("a.md:12: "));
    EXPECT_THAT(message, HasSubstr("outside of the lesson's folder"));
  }
}

TEST_F(Page, BringsABuiltInModelOnlyWhereThePageHasNone) {
  const std::vector<std::string> arguments = {"words", "--text", "a small", "--live"};
  const std::string model = lessons::open_lesson("softmax")->folder + "/../models/words/";
  const nlohmann::json given = given_of(exported(arguments));
  EXPECT_EQ(given["texts"]["/assets/models/words/config.json"], bytes_of(model + "config.json"));
  EXPECT_EQ(unfolded(given["packed"]["/assets/models/words/model.safetensors"]),
            bytes_of(model + "model.safetensors"));
  const auto session = embedded_session::session_in_html(bytes_of(folder_ / "out.html"));
  EXPECT_EQ(nlohmann::json::parse(session.value())["model"]["folder"], "/assets/models/words")
      << "no folder of this machine";
  put("page.html", std::string(kPageBegins) + std::string(kModels) + std::string(kPageEnds));
  EXPECT_THAT(given_of(exported(arguments))["texts"], IsEmpty());
  EXPECT_FALSE(given_of(exported(arguments)).contains("packed"));
}

TEST_F(Page, BringsAModelOfTheUser) {
  fs::copy(small_model("gpt2"), folder_ / "mine", fs::copy_options::recursive);
  const nlohmann::json given = given_of(exported({folder_ / "mine", "--ids", "1,2,3", "--live"}));
  EXPECT_TRUE(given["texts"].contains("/assets/models/mine/config.json"));
  fs::copy(small_model("gpt2"), folder_ / "words", fs::copy_options::recursive);
  fs::remove(folder_ / "out.html");
  EXPECT_THAT(refused(5, {folder_ / "words", "--ids", "1,2,3", "--live"}),
              HasSubstr("named like a built-in one"));
}

TEST_F(Page, ListsFurtherLessonsBehindTheBuiltInOnes) {
  fs::copy_file(small_session(folder_), folder_ / "mine.json");
  const std::string lesson = put("stunde.md", kLesson);
  const nlohmann::json given = given_of(exported({"refer", "--live", "--with", lesson}));
  const std::size_t next = lessons::built_in_lessons().size() + 1;
  EXPECT_EQ(given["texts"]["/assets/lessons/" + std::to_string(next) + "-stunde.md"], kLesson);
  EXPECT_TRUE(given["texts"].contains("/assets/lessons/mine.json"));
  EXPECT_EQ(given["path"], "/given/session.json");
  fs::remove(folder_ / "out.html");
  EXPECT_THAT(refused(2, {"refer", "--live", "--with", "refer"}), HasSubstr("--with"));
  fs::rename(folder_ / "mine.json", folder_ / "blue-cat.json");
  std::string text(kLesson);
  text.replace(text.find("mine.json"), 9, "blue-cat.json");
  EXPECT_THAT(refused(5, {"refer", "--live", "--with", put("stunde.md", text)}),
              HasSubstr("rename it"));
}

TEST_F(Page, WithoutThePageASentenceSaysHowToGetIt) {
  ::setenv("ATTENTION_LAB_PAGE", "/none/page.html", 1);
  EXPECT_THAT(refused(6, {"refer", "--live"}), HasSubstr("/none/page.html"));
  ::unsetenv("ATTENTION_LAB_PAGE");
  fs::create_directories(folder_ / "assets/examples");
  ::setenv("ATTENTION_LAB_ASSETS", (folder_ / "assets").c_str(), 1);
  const std::string message = refused(6, {small_session(folder_), "--live"});
  fs::create_directories(folder_ / "assets/page");
  put("assets/page/attention-lab.html", bytes_of(folder_ / "page.html"));
  EXPECT_EQ(run({"export", folder_ / "small.json", "--live", "-o", "-"}).code, 0)
      << "where it is installed";
  fs::remove(folder_ / "assets/page/attention-lab.html");
  fs::create_directories(folder_ / "build/web");
  put("build/web/attention-lab.html", bytes_of(folder_ / "page.html"));
  EXPECT_EQ(run({"export", folder_ / "small.json", "--live", "-o", "-"}).code, 0)
      << "where it is built";
  ::unsetenv("ATTENTION_LAB_ASSETS");
  EXPECT_THAT(message, HasSubstr("setup.sh web"));
  EXPECT_TRUE(is_one_message(message));
}

TEST_F(Page, AnotherFileIsNotThePage) {
  put("page.html", "<!DOCTYPE html>");
  EXPECT_THAT(refused(5, {"refer", "--live"}), HasSubstr("is not the page that computes"));
}

TEST_F(Page, WhatChoosesFiguresIsRefused) {
  for (const std::vector<std::string>& more : {std::vector<std::string>{"--stage", "scores"},
                                               {"--bare"},
                                               {"--each", ".svg"},
                                               {"--walk"},
                                               {"--decimal-comma"},
                                               {"--annot"}}) {
    std::vector<std::string> arguments = {"refer", "--live"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_THAT(refused(2, arguments), HasSubstr("shows everything")) << more.front();
  }
  EXPECT_THAT(refused(2, {"refer", "--live", "-o", folder_ / "out.pdf"}), HasSubstr(".html"));
  EXPECT_THAT(refused(2, {"refer", "--live", "--text", "a"}), HasSubstr("--text"));
}

TEST_F(Page, WithoutLiveAPageIsTheViewerAsBefore) {
  EXPECT_THAT(exported({"refer"}), Not(HasSubstr("given-data")));
}

}  // namespace
}  // namespace lab::test
