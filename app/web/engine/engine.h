#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "app/document/workspace.h"
#include "app/files/session/session_view.h"

namespace lab::web {

/// What a page has open, and what it asks for: requests and answers are JSON objects. A page in a
/// browser calls it by the functions of exports.cpp; everything is computed before they return.
class Engine {
 public:
  /// Answers a request, {"do": name, …}. Its names are those of the table in requests.cpp. What
  /// cannot be done changes nothing, and is answered by {"error": a sentence for a person}.
  nlohmann::json answer(std::string_view request);

  /// Opens `document`, with a new history.
  void open(Document document, std::optional<files::SessionView> view);
  /// What is open. Throws BadInput when nothing is.
  Workspace& workspace();
  /// How the session was viewed when it was opened, which saving keeps; nothing if it did not say.
  const std::optional<files::SessionView>& view() const { return view_; }

  /// Bytes that a request is about, such as those of a file; the page fills them before.
  std::string& input() { return input_; }
  /// Bytes that the last request has made, such as those of a session.
  std::string& output() { return output_; }

  /// The numbers of a stage of the document that is shown, by its index in attention::kAllStages,
  /// and of an editable matrix, by its MatrixId: what is used in its place when it is absent. They
  /// stay valid until the next call. Null when there are none.
  const attention::Matrix* stage(int stage, int head);
  /// See stage().
  const attention::Matrix* matrix(int id, int head);

 private:
  std::unique_ptr<Workspace> workspace_;
  std::optional<files::SessionView> view_;
  std::string input_, output_;
  attention::SharedMatrix asked_;
};

}  // namespace lab::web
