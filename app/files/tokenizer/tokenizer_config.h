#pragma once

#include <string>

#include "app/tokenizer/tokenizer.h"

namespace lab::files {

/// Says what the tokenizer_config.json in `folder` asks for and `opened`, the tokenizer.json beside
/// it, does not do, so that transformers may give other tokens; empty when nothing does, or there
/// is no such file. A damaged file is said too.
std::string tokenizer_config_note(const std::string& folder, const tokenizer::Tokenizer& opened);

}  // namespace lab::files
