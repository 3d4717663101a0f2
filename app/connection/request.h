#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/connection/array_spec.h"
#include "app/connection/listener.h"
#include "app/files/open.h"

namespace lab::connection {

/// What a program wants the window to do. What takes time, such as reading numbers, is done.
namespace request {
/// Open a file, an example, a lesson or a model, as if it was named on the command line.
struct Open {
  std::string source;
};
/// Show arrays: in place of those of the same name, or as a new document.
struct Show {
  ArraySpec spec;
  std::shared_ptr<const files::TensorFile> arrays;  ///< as document_of_arrays takes them
  int layer = 0;                                    ///< of `document`
  Document document;
  std::vector<std::string> notes;  ///< what a person should know, one sentence each
};
/// Show a trained model from a folder.
struct ShowModel {
  std::string name;  ///< that WaitShown gives it; may be empty
  files::Opened opened;
};
/// Send the numbers that are shown.
struct Numbers {
  std::string name;
  std::optional<int> layer;  ///< std::nullopt: the one that is shown
};
/// Answer once the arrays are on the screen.
struct WaitShown {
  std::string name;
};
/// Not a request: a layer that the window asked for, or why it cannot be had.
struct LayerArrived {
  std::string name;
  int layer = 0;
  Expected<Document> document;
};
/// Not a request: the program has disconnected.
struct Disconnected {};
}  // namespace request

/// A request of a program.
struct Request {
  ClientId client = 0;
  std::int64_t id = 0;
  std::string program = {};  ///< for people: "Python"
  bool answered = false;     ///< an update of arrays is, once it was read
  std::variant<request::Open, request::Show, request::ShowModel, request::Numbers,
               request::WaitShown, request::LayerArrived, request::Disconnected>
      content = request::Disconnected{};
};

}  // namespace lab::connection
