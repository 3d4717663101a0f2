#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "app/lessons/reading/lesson_library.h"

namespace lab {

/// The built-in lessons of every language.
inline std::vector<lessons::LessonInfo> every_lesson() {
  std::vector<lessons::LessonInfo> all;
  for (const Language language : kLanguages)
    for (const lessons::LessonInfo& info : lessons::built_in_lessons(language))
      if (std::ranges::find(all, info.path, &lessons::LessonInfo::path) == all.end())
        all.push_back(info);
  return all;
}

/// "softmax", or "softmax_de".
inline std::string lesson_test_name(const testing::TestParamInfo<lessons::LessonInfo>& test) {
  std::string name;
  for (const char c : test.param.name) name += c == '-' ? '_' : c;
  const auto folder = std::filesystem::path(test.param.path).parent_path().filename();
  return folder == "lessons" ? name : name + "_" + folder.string();
}

}  // namespace lab
