#include "app/translation/words.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"

namespace lab {
namespace {

constexpr const char* kGerman = R"({"Save": "Sichern", "{} of {}": "{1} hat {0}",
  "Open##state": "offen", "{} cell": "{} Zelle", "{} cells": "{} Zellen"})";

class Words : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_ / "languages"); }
  void TearDown() override { set_language(Language::kEnglish, {}); }

  std::string german(const std::string& table) {
    std::ofstream(folder_ / "languages/de.json") << table;
    return set_language(Language::kGerman, folder_ / "");
  }

  TemporaryFolder folder_;
};

TEST_F(Words, AreEnglishUntilALanguageIsSet) {
  EXPECT_EQ(language(), Language::kEnglish);
  EXPECT_EQ(tr("Save"), "Save");
  EXPECT_EQ(tr("{} of {}", {"a", "b"}), "a of b");
  EXPECT_EQ(tr("{1} of {0}", {"a", "b"}), "b of a");
}

TEST_F(Words, HideWhatTellsTwoKeysApart) { EXPECT_EQ(tr("Open##the menu"), "Open"); }

TEST_F(Words, TakeArgumentsAsTheyAre) {
  EXPECT_EQ(tr("{} and {}", {"{}", "{0}"}), "{} and {0}");
  EXPECT_EQ(tr("{} and {}", {"one"}), "one and {}");
  EXPECT_EQ(tr("{9} {x} {"), "{9} {x} {");
}

TEST_F(Words, ThatAreCounted) {
  EXPECT_EQ(tr_count("{} cell", "{} cells", 1), "1 cell");
  EXPECT_EQ(tr_count("{} cell", "{} cells", 0), "0 cells");
  EXPECT_EQ(tr_count("{} cell of {}", "{} cells of {}", 2, {"W"}), "2 cells of W");
}

TEST_F(Words, StayEnglishWithoutATableAndSayWhy) {
  for (const char* broken : {"", "{", "[]", R"({"Save": 1})", R"({"Save": "Sichern)"}) {
    const std::string why = german(broken);
    EXPECT_NE(why.find("de.json"), std::string::npos) << broken;
    EXPECT_EQ(language(), Language::kGerman);
    EXPECT_EQ(tr("Save"), "Save");
    EXPECT_EQ(tr("Open##state"), "Open");
  }
  std::filesystem::remove(folder_ / "languages/de.json");
  EXPECT_NE(set_language(Language::kGerman, folder_ / ""), "");
  EXPECT_EQ(tr("Save"), "Save");
}

TEST_F(Words, ThatATableHasAreInItsLanguage) {
  EXPECT_EQ(german(kGerman), "");
  EXPECT_EQ(language(), Language::kGerman);
  EXPECT_EQ(tr("Save"), "Sichern");
  EXPECT_EQ(tr("{} of {}", {"W", "X"}), "X hat W");
  EXPECT_EQ(tr("Open##state"), "offen");
  EXPECT_EQ(tr_count("{} cell", "{} cells", 1), "1 Zelle");
  EXPECT_EQ(tr_count("{} cell", "{} cells", 2), "2 Zellen");
  EXPECT_EQ(tr("Not in it"), "Not in it");
  set_language(Language::kEnglish, {});
  EXPECT_EQ(tr("Save"), "Save");
}

TEST(Languages, HaveNames) {
  for (const Language language : kLanguages)
    EXPECT_EQ(language_from_name(language_name(language)), language);
  EXPECT_EQ(language_from_name("fr"), std::nullopt);
  EXPECT_EQ(native_name(Language::kGerman), "Deutsch");
}

}  // namespace
}  // namespace lab
