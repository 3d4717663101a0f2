#pragma once

#include <cstddef>
#include <string>

namespace lab::view {

/// What is typed to find a token.
struct FindState {
  std::string text;
  std::string searched;   ///< the text for which a token was selected last
  std::size_t place = 0;  ///< of the selected token among those found
};

}  // namespace lab::view
