// Lines of text that are broken to fit, in every script.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/screen.h"
#include "app/view/lesson/lesson_actions.h"
#include "app/view/widgets/text_run.h"

namespace lab {
namespace {

using testing::IsEmpty;

struct Sample {
  std::string name, text;
  int least_lines;

  friend std::ostream& operator<<(std::ostream& out, const Sample& sample) {
    return out << sample.name;
  }
};

// A lesson whose only step has that text.
class TextFlow : public testing::TestWithParam<Sample> {
 protected:
  void open(const std::string& text) {
    std::ofstream(temporary / "flow.md")
        << "---\ntitle: T\ngoal: G\nminutes: 5\nlevel: L\n---\n## T\n" + text + "\n";
    screen.view.state().requests.ask(request::Leave{destination::Source{temporary / "flow.md"}});
    screen.frames(4);
    ASSERT_TRUE(lesson_is_open(screen.view.state())) << screen.view.state().error;
  }

  // Around all that is drawn of the step, its title included.
  static Rect drawn() {
    ImVec2 low{1e9f, 1e9f}, high{-1e9f, -1e9f};
    for (const ImDrawList* list : lists()) {
      if (std::string_view(list->_OwnerName).find("lesson/0") == std::string_view::npos) continue;
      for (const ImDrawVert& vertex : list->VtxBuffer) {
        low = {std::min(low.x, vertex.pos.x), std::min(low.y, vertex.pos.y)};
        high = {std::max(high.x, vertex.pos.x), std::max(high.y, vertex.pos.y)};
      }
    }
    return {low.x, low.y, high.x - low.x, high.y - low.y};
  }

  void expect_lines(int least) {
    const float line = 20 * screen.view.state().scale;
    const Rect card = screen.place("card/lesson"), text = drawn();
    EXPECT_GE(text.h, line * static_cast<float>(least) + line) << "the title has one more";
    EXPECT_GE(text.x, card.x);
    EXPECT_LE(text.right(), card.right());
    std::vector<std::string> shortened = screen.view.widgets().shortened();
    std::erase(shortened, screen.document().title);  // in the top bar
    EXPECT_THAT(shortened, IsEmpty());
  }

  TemporaryFolder temporary;
  Screen screen{*open_document("refer"), {1600, 1600}};

 private:
  static std::vector<const ImDrawList*> lists() {
    const ImDrawData& data = *ImGui::GetDrawData();
    std::vector<const ImDrawList*> lists;
    for (int i = 0; i < data.CmdListsCount; ++i) lists.push_back(data.CmdLists[i]);
    return lists;
  }
};

TEST_P(TextFlow, IsBrokenIntoLinesThatFit) {
  open(GetParam().text);
  expect_lines(GetParam().least_lines);
}

TEST_P(TextFlow, IsBrokenAnewInLargerLetters) {
  open(GetParam().text);
  screen.view.state().scale = 1.25;
  screen.frames(4);
  expect_lines(GetParam().least_lines);
}

const std::string kJapanese =
    "注意機構は、文のそれぞれの単語が、ほかのどの単語をどれだけ見るかを計算します。「それ」という単"
    "語は"
    "直前の**動物**を*強く*見ています。各行の合計は必ず一になります。";
const std::string kThai =
    "ภาษาไทยเขียนติดกันโดยไม่มีช่องว่างระหว่างคำดังนั้นโปรแกรมต้องรู้ว่าคำหนึ่งจบลงที่ใดจึงจะตัดบรรทัดได้ถูกต้อง";
const std::string kLongWord(120, 'w');
const std::string kLongCode = "`softmax(Q @ K.transpose(-2, -1) / sqrt(d_k), dim=-1) @ V + bias`";

INSTANTIATE_TEST_SUITE_P(Texts, TextFlow,
                         testing::Values(Sample{"Japanese", kJapanese, 3}, Sample{"Thai", kThai, 2},
                                         Sample{"LongWord", kLongWord, 3},
                                         Sample{"LongCode", kLongCode, 2},
                                         Sample{"CodeBlock", "```text\n" + kLongWord + "\n```", 3},
                                         Sample{"Item", "- " + kJapanese, 3},
                                         Sample{"Heading", "### " + kJapanese, 3}),
                         [](const auto& test) { return test.param.name; });

// U+202E turns the order of all letters after it round.
TEST(TitleText, ShowsASignThatWouldReverseItAsItsNumber) {
  const auto width_of = [](const std::string& title) {
    Document document = *open_document("cat-sat");
    document.title = title;
    Screen screen(document);
    return screen.place("menu/Example").w;
  };
  EXPECT_EQ(width_of("Cat \u202Etas"), width_of("Cat ⟨U+202E⟩tas"));
  EXPECT_GT(width_of("Cat \u202Etas"), width_of("Cat tas"));
}

TEST(SeenText, HasNoCharactersThatOnlySayWhereALineMayEnd) {
  EXPECT_EQ(visible_text("co\u00ADope\u00ADrate", false), "cooperate");
  EXPECT_EQ(visible_text("zero\u200Bwidth\u2060", true), "zerowidth");
  EXPECT_EQ(visible_text("e\u0301\u00A0猫", true), "e\u0301\u00A0猫");
}

TEST(SeenText, ShowsASoftHyphenWhereTheLineIsBroken) {
  EXPECT_EQ(visible_text("co\u00ADope\u00AD", true), "coope-");
  EXPECT_EQ(visible_text("well-", true), "well-");
}

}  // namespace
}  // namespace lab
