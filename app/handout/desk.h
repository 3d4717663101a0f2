#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/base/error.h"
#include "app/handout/handout.h"

namespace lab::handout {

/// What is answered to the reader of one address.
struct Reply {
  unsigned status = 200;  ///< of HTTP
  std::string type;       ///< of the content: "text/html; charset=utf-8"
  std::string content;
  std::string policy = {};  ///< Content-Security-Policy; empty where the content has its own
};

/// A file or folder that a page can open.
struct Openable {
  std::string name;       ///< in its folder, UTF-8
  std::string_view kind;  ///< "session", "lesson", "figure", "model"
};

/// What is handed out over HTTP, and never changed. Addresses:
/// /           the page
/// /files/     a list of what a folder holds, with links
/// /files/NAME the page with one of these
/// and the files beside the page that make it an app: its manifest and its service worker.
class Desk {
 public:
  /// `page`, as read_page() read it, opens with `given`; of `folder`, unless it is empty, the
  /// sessions, lessons, figures and models are handed out too. Fails as page_with() does, and with
  /// kIo when there is no such folder.
  static Expected<Desk> open(std::string page, const Handout& given, std::string folder);

  /// The answer to `path`, which begins with a slash and is decoded. Reads no file but those that
  /// its list names.
  Reply answer(std::string_view path) const;

  /// What the folder holds now, by name.
  std::vector<Openable> openables() const;

 private:
  Desk(std::string page, std::string first, std::string folder)
      : page_(std::move(page)), first_(std::move(first)), folder_(std::move(folder)) {}

  Reply list() const;
  Reply page_of(std::string_view name) const;

  std::string page_, first_, folder_;
};

}  // namespace lab::handout
