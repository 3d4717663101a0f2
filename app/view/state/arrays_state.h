#pragma once

#include <optional>
#include <string>

namespace lab::view {

/// The arrays of another program that the document was made from, as far as the window deals with
/// that program; what they are is in Workspace::arrays.
struct ArraysState {
  std::optional<int> wanted_layer;  ///< that the user chose, from 0; the shell gets it
  std::optional<int> waiting_for;   ///< the layer that the program was asked for
  std::string problem;              ///< why a layer cannot be shown; empty: nothing is wrong
  bool connected = false;           ///< the program is still there
};

/// Arrays that a program goes on showing although the user left them for another document.
struct ArraysOffer {
  std::string program, name;
};

}  // namespace lab::view
