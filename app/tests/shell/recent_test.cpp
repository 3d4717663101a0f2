#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "app/files/io/bytes.h"
#include "app/files/recent.h"
#include "app/shell/recent_persister.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"

namespace lab {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Recent : public testing::Test {
 protected:
  // A window that opens `file`, and what it then shows.
  std::vector<std::string> after_opening(const std::string& file) const {
    RecentPersister persister(path_);
    RecentState state;
    persister.apply(state);
    state.newest = file;
    persister.keep(state);
    return state.files;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "state/attention-lab/recent.json";
};

TEST_F(Recent, TheLastOneComesFirstAndOnce) {
  after_opening("/a.json");
  after_opening("/b.json");
  EXPECT_THAT(after_opening("/a.json"), ElementsAre("/a.json", "/b.json"));
  EXPECT_THAT(*read_recent(path_), ElementsAre("/a.json", "/b.json"));
}

TEST_F(Recent, OnlyTheLastTenAreRemembered) {
  for (int i = 0; i < 14; ++i) after_opening("/" + std::to_string(i) + ".json");
  const auto files = *read_recent(path_);
  EXPECT_EQ(files.size(), kMostRecent);
  EXPECT_EQ(files.front(), "/13.json");
  EXPECT_EQ(files.back(), "/4.json");
}

TEST_F(Recent, PathsAreAbsolute) {
  const std::string here = std::filesystem::current_path() / "x.json";
  EXPECT_THAT(after_opening("sub/../x.json"), ElementsAre(here));
}

TEST_F(Recent, NamesReadBackByteForByte) {
  const std::vector<std::string> names = {"/a \"b\".json", "/ภาษาไทย.json", "/new\nline.json"};
  ASSERT_TRUE(write_recent(path_, names));
  EXPECT_EQ(*read_recent(path_), names);
}

TEST_F(Recent, WindowsShareOneList) {
  RecentPersister first(path_);
  RecentState state;
  first.apply(state);
  after_opening("/second.json");
  state.newest = "/first.json";
  first.keep(state);
  EXPECT_THAT(state.files, ElementsAre("/first.json", "/second.json"));
}

TEST_F(Recent, AFileThatIsGoneIsTakenOffAndTheListCanBeCleared) {
  after_opening("/a.json");
  after_opening("/b.json");
  RecentPersister persister(path_);
  RecentState state;
  persister.apply(state);
  state.missing = "/b.json";
  persister.keep(state);
  EXPECT_THAT(*read_recent(path_), ElementsAre("/a.json"));
  state.clear = true;
  persister.keep(state);
  EXPECT_THAT(*read_recent(path_), IsEmpty());
}

TEST_F(Recent, AListThatIsNoneIsLeftAsItIs) {
  std::filesystem::create_directories(folder_ / "state/attention-lab");
  ASSERT_TRUE(write_bytes(path_, "{broken"));
  EXPECT_THAT(after_opening("/a.json"), ElementsAre("/a.json"));
  EXPECT_EQ(*read_bytes(path_), "{broken");
}

}  // namespace
}  // namespace lab
