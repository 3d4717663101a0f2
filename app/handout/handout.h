#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "app/base/error.h"
#include "app/translation/words.h"

// What is handed out: the page that computes, with what it opens with.

namespace lab::handout {

/// What a page brings along, and what it opens with. Paths are those in the page.
struct Handout {
  std::string session = {};               ///< JSON text that the page opens with; empty for none
  std::string lesson = {};                ///< path of the lesson that it opens with; empty for none
  std::optional<Language> language = {};  ///< that it opens in; unset: the reader's
  std::map<std::string, std::string> files = {};  ///< bytes of files, by path
  std::set<std::string> built_in_models = {};     ///< names of those that it needs

  /// True when the page opens as it was built.
  bool is_empty() const { return session.empty() && lesson.empty() && !language; }
};

/// Where the lesson that a page opens with lies in it, and its sessions.
inline constexpr std::string_view kGivenFolder = "/given";
/// Where the built-in lessons and models lie; what is put beside them is listed with them.
inline constexpr std::string_view kLessonsFolder = "/assets/lessons",
                                  kModelsFolder = "/assets/models";

/// Bytes of files that a page can bring along, before they are compressed.
inline constexpr std::size_t kMostGiven = 64'000'000;

/// `page`, see read_page(), with `given` in it, and with the built-in models that it needs if it
/// has none. Fails with kBadInput when its files are more than kMostGiven, and as reading does.
Expected<std::string> page_with(std::string_view page, const Handout& given);

/// Adds the model `name`, see files::model_folder(), with all of its files, and returns its path in
/// the page: a folder, or a GGUF file in one. Fails with kBadInput when it is an adapter, too large
/// for a page or named like a built-in one, and as files::model_folder() and reading do.
Expected<std::string> add_model(Handout& given, const std::string& name);

}  // namespace lab::handout
