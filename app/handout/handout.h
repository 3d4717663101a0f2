#pragma once

#include <map>
#include <optional>
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

  /// True when the page opens as it was built.
  bool is_empty() const { return session.empty() && lesson.empty(); }
};

/// Where files lie in a page that are not built in.
inline constexpr std::string_view kGivenFolder = "/given";

/// Bytes of files that a page can bring along, before they are compressed.
inline constexpr std::size_t kMostGiven = 64'000'000;

/// `page`, see read_page(), with `given` in it. Fails with kBadInput when its files are more than
/// kMostGiven.
Expected<std::string> page_with(std::string_view page, const Handout& given);

/// Adds the model `name`, see files::model_folder(), with all of its files, and returns its path in
/// the page. Fails with kBadInput when it is an adapter or too large for a page, and as
/// files::model_folder() and reading do.
Expected<std::string> add_model(Handout& given, const std::string& name);

}  // namespace lab::handout
