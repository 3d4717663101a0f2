#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/files/session/session_view.h"
#include "app/view/state/selection.h"

namespace lab::view {

/// Where a person goes from a document, once it may be left.
namespace destination {
struct Quit {};
struct NewSession {};
struct Source {
  std::string name;
};                   ///< a file or an example
struct LostWork {};  ///< what was chosen to be restored
struct OwnWork {};   ///< out of a lesson, to what the user did before
}  // namespace destination
using Destination = std::variant<destination::Quit, destination::NewSession, destination::Source,
                                 destination::LostWork, destination::OwnWork>;

/// A text field that can be given the keyboard.
enum class TextField {
  kSentence,    ///< of queries, and of keys and values in self-attention
  kKvSentence,  ///< of keys and values, in cross-attention
  kNumber,      ///< the one that is open in the Model card, in Head or in the menu of a size
  kDialog,      ///< the first one of the dialog that is open
};

/// What can be asked of the window, to be done once: in the next frame, or in this one where it
/// belongs to a widget that is yet to be drawn.
namespace request {
// Done at the start of a frame, by handle_requests.
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
// Done when the document that was asked for is shown.
struct ShowView {
  files::SessionView view;
};
// Done by the widget itself when it is drawn.
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
}  // namespace request
using Request =
    std::variant<request::Leave, request::OpenFiles, request::EndLesson, request::Select,
                 request::ShowView, request::OpenPopup, request::GiveKeyboard,
                 request::BringIntoView, request::BringAnswer, request::ToLessonTop>;

/// What was asked for and is yet to be done: of each kind one, the latest.
class Requests {
 public:
  /// Asks for it, in place of an earlier one of its kind.
  void ask(Request request) {
    erase(request.index());
    waiting_.push_back(std::move(request));
  }

  /// The one of that kind that waits; null when none does.
  template <typename Kind>
  const Kind* waiting() const {
    for (const Request& request : waiting_)
      if (const Kind* found = std::get_if<Kind>(&request)) return found;
    return nullptr;
  }

  /// Takes the one of that kind, to do it now; nothing when none waits.
  template <typename Kind>
  std::optional<Kind> take() {
    const Kind* found = waiting<Kind>();
    if (found == nullptr) return std::nullopt;
    std::optional<Kind> taken(*found);
    erase(Request(*taken).index());
    return taken;
  }

  /// Takes that very one. False when it does not wait.
  template <typename Kind>
  bool take(const Kind& wanted) {
    const Kind* found = waiting<Kind>();
    if (found == nullptr || !(*found == wanted)) return false;
    erase(Request(wanted).index());
    return true;
  }

  /// Discards the one of that kind, if any.
  template <typename Kind>
  void withdraw() {
    (void)take<Kind>();
  }

 private:
  void erase(std::size_t kind) {
    std::erase_if(waiting_, [kind](const Request& request) { return request.index() == kind; });
  }

  std::vector<Request> waiting_;
};

}  // namespace lab::view
