#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/document/model/model_source.h"

namespace lab {

/// The token of `id` as the vocabulary spells it; the number where there is none.
std::string token_text(const ModelSource& model, std::uint32_t id);
/// How a person reads it: "·it" for "Ġit" (see tokenizer::piece_label).
std::string token_label(const ModelSource& model, std::uint32_t id);

/// What stands in a text for a token that the model shall fill in, "[MASK]" or "<mask>"; nothing
/// when its tokenizer has neither, or there is none.
std::optional<std::string> mask_token(const ModelSource& model);

/// True when a token is called `text`: as it is shown ("·it"), as its vocabulary spells it ("Ġit"),
/// or as it is shown without the blank before it ("it").
bool is_called(std::string_view text, std::string_view label, std::string_view piece);

}  // namespace lab
