#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <string>

#include "app/tests/rooms.h"

namespace lab {

/// A file that is saved over and over, with one of two contents in turn.
struct SavedFile {
  std::string path;  ///< alone in its folder
  std::array<std::string, 2> contents;
  std::function<void(int which)> save;  ///< saves contents[which] at `path`
};

/// How often a save was killed, and what it left.
struct KilledSaves {
  int torn = 0;         ///< the file held neither content
  int temporaries = 0;  ///< a temporary file was left: the save was in the middle
};

inline std::string whole_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline int files_beside(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  return static_cast<int>(std::distance(std::filesystem::directory_iterator(folder), {})) - 1;
}

/// Saves, contents[first] first, in a process of its own that is killed after `microseconds`.
inline void kill_while_saving(const SavedFile& file, int first, unsigned microseconds) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  for (int i = first; child == 0; ++i) file.save(i % 2);
  ::usleep(microseconds);
  ::kill(child, SIGKILL);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the save ended the program";
}

/// Kills `count` saves after up to 1.5 ms each.
inline KilledSaves kill_saves(const SavedFile& file, int count) {
  std::mt19937 random(17);
  KilledSaves seen;
  file.save(0);
  for (int i = 0; i < count; ++i) {
    kill_while_saving(file, (i + 1) % 2, static_cast<unsigned>(random() % 1500));
    const std::string found = whole_file(file.path);
    seen.temporaries += files_beside(file.path) > 0;
    seen.torn += found != file.contents[0] && found != file.contents[1];
  }
  return seen;
}

/// Fails the test where one of 1000 killed saves tears the file, or the next one leaves anything
/// beside it.
inline void expect_never_torn(const SavedFile& file) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer does not follow a fork";
#endif
  ASSERT_NE(file.contents[0], file.contents[1]);
  constexpr int kKills = 1000;
  const KilledSaves seen = kill_saves(file, kKills);
  EXPECT_EQ(seen.torn, 0);
  EXPECT_GT(seen.temporaries, 0) << "no save was killed in its middle";
  file.save(1);
  EXPECT_TRUE(whole_file(file.path) == file.contents[1]);
  EXPECT_EQ(files_beside(file.path), 0) << "a temporary file stayed behind";
  std::printf("%d saves killed, %d of them in their middle: %d torn\n", kKills, seen.temporaries,
              seen.torn);
}

}  // namespace lab
