#pragma once

#include <string>
#include <vector>

#include "app/view/state/ui.h"

namespace lab::view {

/// A token of a sentence that is found: of the queries, or of the second sentence's keys.
struct FoundToken {
  bool is_key = false;
  attention::Index position = 0;
  bool operator==(const FoundToken&) const = default;
};

/// The tokens that contain `text` in any case, the first sentence's before the second's; none when
/// `text` is empty.
std::vector<FoundToken> find_tokens(const Document& document, const std::string& text);

/// The field that finds a token, below `anchor`, when it was requested: what is typed selects the
/// next token that contains it, Enter the one after, Shift+Enter the one before.
void find_token_popup(Ui& ui, const Rect& anchor);

}  // namespace lab::view
