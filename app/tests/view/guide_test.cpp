// The guide dialog: its pages, their links, and navigation.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/screen.h"
#include "app/translation/words.h"
#include "app/view/guide/guide_links.h"
#include "app/view/guide/guide_pages.h"

namespace lab {
namespace {

std::string guide_folder() { return assets_folder() + "/guide"; }

std::vector<std::string> links_of(const GuidePage& page) {
  std::vector<std::string> targets;
  const auto add = [&](const std::vector<TextSpan>& spans) {
    for (const TextSpan& span : spans)
      if (!span.target.empty()) targets.push_back(span.target);
  };
  for (const TextBlock& block : page.text) {
    add(block.spans);
    for (const TextRow& row : block.rows)
      for (const auto& cell : row) add(cell);
  }
  return targets;
}

TEST(GuidePages, AreAllInTheContentsAndRead) {
  const Guide guide = read_guide(guide_folder());
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(guide_folder())) {
    ++files;
    EXPECT_NE(find_page(guide, entry.path().filename().string()), nullptr) << entry.path();
  }
  EXPECT_GT(files, 5U);
  EXPECT_EQ(guide.pages.size(), files);
  EXPECT_EQ(guide.pages.front().file, kContentsPage);
  for (const GuidePage& page : guide.pages) {
    EXPECT_EQ(page.problem, "") << page.file;
    ASSERT_FALSE(page.sections.empty()) << page.file;
    EXPECT_EQ(page.text.front().level, 1) << page.file << " begins with its title";
  }
}

TEST(GuidePages, LinkToPagesAndHeadingsThatExist) {
  const Guide guide = read_guide(guide_folder());
  int inside = 0;
  for (const GuidePage& page : guide.pages) {
    for (const std::string& target : links_of(page)) {
      const auto location = location_of_link(target, page.file);
      if (!location) continue;
      ++inside;
      const GuidePage* to = find_page(guide, location->page);
      ASSERT_NE(to, nullptr) << page.file << ": " << target;
      if (location->anchor.empty()) continue;
      EXPECT_NE(find_section(*to, location->anchor), nullptr) << page.file << ": " << target;
    }
  }
  EXPECT_GT(inside, 8);
}

TEST(GuidePages, LinkOutOfTheGuideToFilesOfTheSource) {
  const std::filesystem::path root = std::filesystem::path(assets_folder()).parent_path();
  for (const GuidePage& page : read_guide(guide_folder()).pages) {
    for (const std::string& target : links_of(page)) {
      if (location_of_link(target, page.file)) continue;
      const std::string path = outside_path(target);
      EXPECT_TRUE(std::filesystem::exists(root / path.substr(0, path.find('#'))))
          << page.file << ": " << target;
    }
  }
}

TEST(GuidePages, HaveTheAnchorsOfCodeHosts) {
  EXPECT_EQ(heading_anchor("Themes, language and size"), "themes-language-and-size");
  EXPECT_EQ(heading_anchor("d_model & √d_k"), "d_model--√d_k");
  const TemporaryFolder folder;
  folder.write("README.md", "# A\n\n## B\n\n## B\n\nwords `code`\n");
  const Guide guide = read_guide(folder.path().string());
  const auto& sections = guide.pages.front().sections;
  ASSERT_EQ(sections.size(), 3U);
  EXPECT_EQ(sections[1].anchor, "b");
  EXPECT_EQ(sections[2].anchor, "b-1");
  EXPECT_EQ(sections[2].text, "B\nwords code\n");
}

TEST(GuidePages, ThatCannotBeReadSayWhy) {
  const TemporaryFolder folder;
  folder.write("README.md", "# A\n\n[lost](lost.md) and [drawn](drawn.md), [out](../b.md)\n");
  folder.write("drawn.md", "# Drawn\n\n![picture](a.png)\n");
  const Guide guide = read_guide(folder.path().string());
  ASSERT_EQ(guide.pages.size(), 3U);
  EXPECT_EQ(guide.pages[0].problem, "");
  EXPECT_EQ(guide.pages[1].title, "lost");
  EXPECT_NE(guide.pages[1].problem.find("lost.md"), std::string::npos) << guide.pages[1].problem;
  EXPECT_NE(guide.pages[2].problem.find("images"), std::string::npos) << guide.pages[2].problem;
}

TEST(GuideLinks, LeadWithinTheGuideOrOutOfIt) {
  EXPECT_EQ(location_of_link("files.md", "keys.md"), (GuideLocation{"files.md", ""}));
  EXPECT_EQ(location_of_link("files.md#after-a-crash", "keys.md"),
            (GuideLocation{"files.md", "after-a-crash"}));
  EXPECT_EQ(location_of_link("#reading", "keys.md"), (GuideLocation{"keys.md", "reading"}));
  for (const char* outside :
       {"", "../languages/README.md", "https://example.org/a.md", "mailto:a@b.c", "figure.png"})
    EXPECT_FALSE(location_of_link(outside, "keys.md")) << outside;
  EXPECT_EQ(outside_path("../../core/README.md#variants"), "core/README.md#variants");
  EXPECT_EQ(outside_path("https://example.org/"), "https://example.org/");
}

class GuideDialog : public testing::Test {
 protected:
  explicit GuideDialog(ImVec2 size = {1600, 1000}) : screen(*open_document("refer"), size) {}
  void TearDown() override { set_language(Language::kEnglish, {}); }

  void open() {
    screen.click("menu/Help");
    screen.click("help.guide");
    screen.frames(3);
  }
  bool is_open() { return screen.view.state().dialog.open == Dialog::kGuide; }
  GuideLocation location() { return shown_location(screen.view.state().guide); }
  // Scroll position of the current page in pixels.
  float scroll() {
    const GuideState& guide = screen.view.state().guide;
    return guide.visits[guide.at].scroll.value_or(-1);
  }
  void with_alt(Key key) {
    compat::feed_key(ImGui::GetIO(), Key::kLeftAlt, true);
    screen.key(key);
    compat::feed_key(ImGui::GetIO(), Key::kLeftAlt, false);
    screen.frames(2);
  }
  void lead_to(const std::string& name) {
    for (int i = 0; i < 200 && screen.view.state().guide.keyboard_focus != name; ++i)
      screen.key(Key::kTab);
    ASSERT_EQ(screen.view.state().guide.keyboard_focus, name);
  }

  Screen screen;
};

TEST_F(GuideDialog, OpensFollowsALinkComesBackAndCloses) {
  open();
  ASSERT_TRUE(is_open());
  EXPECT_TRUE(screen.shows("guide/page/README.md"));
  screen.click("guide/link/0");
  EXPECT_TRUE(screen.shows("guide/page/window.md"));
  screen.click("guide/back");
  EXPECT_TRUE(screen.shows("guide/page/README.md"));
  screen.click("guide/forward");
  EXPECT_TRUE(screen.shows("guide/page/window.md"));
  with_alt(Key::kLeft);
  EXPECT_TRUE(screen.shows("guide/page/README.md"));
  with_alt(Key::kRight);
  EXPECT_TRUE(screen.shows("guide/page/window.md"));
  screen.key(Key::kEscape);
  screen.frames(2);
  EXPECT_FALSE(is_open());
  EXPECT_FALSE(screen.shows("guide/page/window.md"));
  EXPECT_FALSE(screen.document().title.empty());
}

TEST_F(GuideDialog, OpensFromTheKeysAndFromThePalette) {
  screen.key(Key::kF1);
  screen.frames(2);
  ASSERT_TRUE(screen.shows("dialog/guide"));
  screen.click("dialog/guide");
  EXPECT_TRUE(is_open());
  screen.click("dialog/ok");
  EXPECT_FALSE(is_open());
  screen.key(Key::kK, true);
  screen.type("manual");
  screen.key(Key::kEnter);
  screen.frames(3);
  EXPECT_TRUE(is_open());
}

TEST_F(GuideDialog, ScrollsToSectionsAndBackToWherePagesWereLeft) {
  open();
  screen.click("guide/contents/editing.md#");
  EXPECT_EQ(scroll(), 0);
  screen.key(Key::kPageDown);
  screen.frames(3);
  const float left = scroll();
  EXPECT_GT(left, 100);
  screen.click("guide/contents/editing.md#the-mask");
  EXPECT_EQ(location(), (GuideLocation{"editing.md", "the-mask"}));
  const float mask = scroll();
  EXPECT_GT(mask, 100);
  EXPECT_NE(mask, left);
  with_alt(Key::kLeft);
  screen.frames(2);
  EXPECT_EQ(scroll(), left);
  screen.key(Key::kHome);
  screen.frames(3);
  EXPECT_EQ(scroll(), 0);
  screen.click("guide/contents/editing.md#the-mask");
  EXPECT_EQ(scroll(), mask) << "from the top as from further down";
  screen.key(Key::kEnd);
  screen.frames(3);
  EXPECT_GT(scroll(), left);
}

TEST_F(GuideDialog, IsReachedByKeysAlone) {
  open();
  lead_to("guide/link/3");
  screen.key(Key::kEnter);
  screen.frames(3);
  EXPECT_EQ(location().page, "reading.md");
  lead_to("guide/search");
  screen.frames(5);
  screen.type("crash");
  EXPECT_TRUE(screen.shows("guide/contents/files.md#after-a-crash"));
  EXPECT_FALSE(screen.shows("guide/contents/reading.md#"));
  screen.key(Key::kEnter);
  screen.frames(3);
  EXPECT_EQ(location(), (GuideLocation{"files.md", "after-a-crash"}));
  lead_to("dialog/ok");
  screen.key(Key::kEnter);
  screen.frames(2);
  EXPECT_FALSE(is_open());
}

TEST_F(GuideDialog, GoesToTitlesThatMatchBeforeTexts) {
  open();
  for (const auto& [typed, anchor] :
       {std::pair("animation", "animations"), std::pair("clicker", "presenting")}) {
    screen.key(Key::kF, true);
    screen.frames(5);
    screen.key(Key::kA, true);
    screen.type(typed);
    screen.key(Key::kEnter);
    screen.frames(3);
    EXPECT_EQ(location().anchor, anchor) << typed;
  }
}

TEST_F(GuideDialog, TellsWhereALinkLeadsThatLeavesIt) {
  open();
  screen.click("guide/contents/window.md#");
  screen.key(Key::kEnd);
  screen.frames(3);
  const Rect link = screen.place("guide/link/0");
  screen.move({link.x + 4, link.y + 4});
  screen.frames(3);
  EXPECT_TRUE(screen.shows("tooltip"));
  screen.click("guide/link/0");
  EXPECT_EQ(location().page, "window.md");
}

TEST_F(GuideDialog, ShowsThePageOrWhatIsFoundWhereThereIsNoRoomForBoth) {
  ImGui::GetIO().DisplaySize = {800, 600};
  screen.view.state().scale = 1.5f;
  screen.view.state().dialog.open = Dialog::kGuide;
  screen.frames(4);
  ASSERT_TRUE(screen.shows("guide/page/README.md"));
  EXPECT_FALSE(screen.shows("guide/contents/files.md#"));
  screen.key(Key::kF, true);
  screen.frames(5);
  screen.type("crash");
  EXPECT_FALSE(screen.shows("guide/page/README.md"));
  EXPECT_TRUE(screen.shows("guide/contents/files.md#"));
  screen.key(Key::kEnter);
  screen.frames(3);
  EXPECT_TRUE(screen.shows("guide/page/files.md"));
  screen.click("guide/contents");
  EXPECT_TRUE(screen.shows("guide/page/README.md"));
}

TEST_F(GuideDialog, WithoutItsPagesSaysSo) {
  const TemporaryFolder folder;
  ::setenv("ATTENTION_LAB_ASSETS", folder.path().c_str(), 1);
  open();
  ::unsetenv("ATTENTION_LAB_ASSETS");
  ASSERT_TRUE(is_open());
  EXPECT_NE(screen.view.state().guide.guide->pages.front().problem, "");
  EXPECT_TRUE(screen.shows("guide/page/README.md"));
}

TEST_F(GuideDialog, IsNotReadAgainWhileItIsOpen) {
  open();
  const auto read = screen.view.state().guide.guide;
  screen.click("guide/link/2");
  screen.frames(5);
  EXPECT_EQ(screen.view.state().guide.guide, read);
}

// At every size no text is shortened, nothing scrolls sideways, and the buttons stay in the window.
struct GuideSize {
  float width, height, scale;
};
class GuideSizes : public testing::TestWithParam<std::tuple<Language, GuideSize>> {};

TEST_P(GuideSizes, CutNothingOff) {
  const auto& [language, size] = GetParam();
  Screen screen(*open_document("refer"), {size.width, size.height});
  screen.view.state().language = language;
  screen.view.state().scale = size.scale;
  screen.frames(4);
  const std::vector<std::string> behind = screen.view.widgets().shortened();
  screen.view.state().dialog.open = Dialog::kGuide;
  screen.frames(4);
  for (const GuidePage& page : read_guide(guide_folder()).pages) {
    visit_location(screen.view.state().guide, {page.file, {}});
    screen.frames(4);
    EXPECT_TRUE(screen.shows("guide/page/" + page.file));
    EXPECT_EQ(screen.view.widgets().shortened(), behind) << page.file;
    for (const std::string& bar : screen.scroll_bars()) {
      EXPECT_FALSE(bar.ends_with(" across")) << page.file << ": " << bar;
      EXPECT_EQ(bar.find("guide/") == std::string::npos && bar.starts_with("Guide"), false) << bar;
    }
    for (const char* name : {"guide/search", "guide/back", "guide/forward", "dialog/ok"}) {
      const Rect location = screen.place(name);
      EXPECT_GT(location.w, 10) << name;
      EXPECT_LE(location.right(), size.width) << name;
      EXPECT_LE(location.bottom(), size.height) << name;
    }
  }
  set_language(Language::kEnglish, {});
}

INSTANTIATE_TEST_SUITE_P(
    Window, GuideSizes,
    testing::Combine(testing::ValuesIn(kLanguages),
                     testing::Values(GuideSize{1600, 1000, 1}, GuideSize{800, 600, 1},
                                     GuideSize{800, 600, 1.5f}, GuideSize{1600, 1000, 1.5f})));

}  // namespace
}  // namespace lab
