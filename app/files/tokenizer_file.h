#pragma once

#include <string>

#include "app/base/error.h"
#include "app/tokenizer/tokenizer.h"

namespace lab::files {

/// The path of the tokenizer.json that `name` means: a file, a folder that contains one (such as a
/// model's), or the name of a built-in tokenizer ("english"). Fails with kIo when there is none.
Expected<std::string> tokenizer_path(const std::string& name);

/// The tokenizer that `name` means (see tokenizer_path). Fails with kIo when it cannot be read, and
/// with kBadInput, with its path and the place in it, when it is damaged or not supported.
Expected<tokenizer::Tokenizer> open_tokenizer(const std::string& name);

}  // namespace lab::files
