#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/error.h"
#include "app/document/commands/command.h"
#include "app/tokenizer/tokenizer.h"
#include "core/numerics/work_watch.h"

namespace lab::files {

/// Says that `folder` has no tokenizer.json and, where it has a tokenizer in other files, which
/// they are and how to make a tokenizer.json of them.
std::string no_tokenizer_in(const std::string& folder);

/// The path of the tokenizer.json that `name` means: a file, a folder that contains one (such as a
/// model's), or the name of a built-in tokenizer ("english"). Fails with kIo when there is none.
Expected<std::string> tokenizer_path(const std::string& name);

/// The tokenizer that `name` means (see tokenizer_path), also a folder with older files, or a GGUF
/// file. Fails with kIo when it cannot be read, and
/// with kBadInput, with its path and the place in it, when it is damaged or not supported. Reports
/// up to twice its size in bytes as work to `watch`, which may be null, and throws as it does.
Expected<tokenizer::Tokenizer> open_tokenizer(const std::string& name,
                                              attention::WorkWatch* watch = nullptr);

/// The tokenizer in the folder of a model, of its tokenizer.json, or of older files: see
/// tokenizer_of_parts(). Null when there is none. Fails as open_tokenizer() does.
Expected<std::shared_ptr<const tokenizer::Tokenizer>> tokenizer_in(
    const std::string& folder, attention::WorkWatch* watch = nullptr);

/// The same for the texts that its decoder reads after an encoder (Marian's target.spm); null where
/// they have none of their own. Fails as open_tokenizer() does.
Expected<std::shared_ptr<const tokenizer::Tokenizer>> target_tokenizer_in(
    const std::string& folder, attention::WorkWatch* watch = nullptr);

/// open_tokenizer() for a document: a path becomes absolute, so that it stays the same file
/// wherever the document is opened. Fails with kBadInput for a device or a pipe too.
Expected<NamedTokenizer> open_named_tokenizer(const std::string& name);

/// The command of a line that to_json_line wrote, with the tokenizer opened that it names, if any.
/// Fails as command_from_json_line() and open_named_tokenizer() do.
Expected<Command> read_command(std::string_view line);

/// The names of the built-in tokenizers, in order; empty when the assets are not found.
std::vector<std::string> built_in_tokenizers();

}  // namespace lab::files
