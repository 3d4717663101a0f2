#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/files/session/session_view.h"
#include "app/view/state/selection.h"

namespace lab::view {

struct Ui;

/// What to open after leaving a document.
namespace destination {
struct Quit {};
struct NewSession {};
struct Source {
  std::string name;
};  ///< a file or an example: it is read first, then it is Ready
struct Ready {
  std::function<void(Ui&)> show;
  bool keeps_work = false;  ///< the user's own work is not replaced, as by a lesson
};                          ///< what was read and can be shown
struct OwnWork {};          ///< the user's own work, when leaving a lesson
}  // namespace destination
using Destination = std::variant<destination::Quit, destination::NewSession, destination::Source,
                                 destination::Ready, destination::OwnWork>;

/// True when going there does not replace the user's own work.
inline bool keeps_own_work(const Destination& next) {
  const auto* ready = std::get_if<destination::Ready>(&next);
  return ready && ready->keeps_work;
}

/// A text field that can be given the keyboard focus.
enum class TextField {
  kSentence,    ///< of queries, and of keys and values in self-attention
  kKvSentence,  ///< of keys and values, in cross-attention
  kNumber,      ///< the open one in the Model card, in Head or in the menu of a size
  kDialog,      ///< the first one of the dialog that is open
};

/// One-time requests to the window, handled in the next frame, or in this one by a widget that is
/// drawn later.
namespace request {
// Handled at the start of a frame, by handle_requests.
struct Leave {
  Destination to;
};  ///< asks about unsaved changes; waits until no file is being read or written
struct OpenFiles {
  std::vector<std::string> files;
};                    ///< that were dropped on the window
struct EndLesson {};  ///< gives the user's own work back
struct Select {
  Selection selection;
};
// Handled when the requested document is shown.
struct ShowView {
  files::SessionView view;
};
// Handled by the widget itself when it is drawn.
struct OpenPopup {
  std::string id;
  bool operator==(const OpenPopup&) const = default;
};  ///< at its place
struct GiveKeyboard {
  TextField field;
  bool operator==(const GiveKeyboard&) const = default;
};
struct BringIntoView {
  std::string widget;
  bool operator==(const BringIntoView&) const = default;
};  ///< scrolls to the widget of that name
struct BringAnswer {
  std::size_t question = 0;
  bool operator==(const BringAnswer&) const = default;
};                      ///< scrolls to what is said to that question of the lesson's step, from 0
struct ToLessonTop {};  ///< scrolls the lesson's text to its beginning
struct ScrollLesson {
  float pages = 0, lines = 0;
};  ///< scrolls the lesson's text by so much
}  // namespace request
using Request = std::variant<request::Leave, request::OpenFiles, request::EndLesson,
                             request::Select, request::ShowView, request::OpenPopup,
                             request::GiveKeyboard, request::BringIntoView, request::BringAnswer,
                             request::ToLessonTop, request::ScrollLesson>;

/// Pending requests: of each kind only the latest.
class Requests {
 public:
  /// Adds a request, replacing an earlier one of its kind.
  void ask(Request request) {
    erase(request.index());
    waiting_.push_back(std::move(request));
  }

  /// The pending request of that kind; null when there is none.
  template <typename Type>
  const Type* waiting() const {
    for (const Request& request : waiting_)
      if (const Type* found = std::get_if<Type>(&request)) return found;
    return nullptr;
  }

  /// Removes and returns the request of that kind; nothing when none is pending.
  template <typename Type>
  std::optional<Type> take() {
    const Type* found = waiting<Type>();
    if (found == nullptr) return std::nullopt;
    std::optional<Type> taken(*found);
    erase(Request(*taken).index());
    return taken;
  }

  /// Removes that very request. False when it is not pending.
  template <typename Type>
  bool take(const Type& requested) {
    const Type* found = waiting<Type>();
    if (found == nullptr || !(*found == requested)) return false;
    erase(Request(requested).index());
    return true;
  }

  /// Discards the request of that kind, if any.
  template <typename Type>
  void withdraw() {
    (void)take<Type>();
  }

 private:
  void erase(std::size_t type) {
    std::erase_if(waiting_, [type](const Request& request) { return request.index() == type; });
  }

  std::vector<Request> waiting_;
};

}  // namespace lab::view
