// Tokenizers of trained models, in a page: there are none yet. Their files are read with what a
// page lacks: Oniguruma's patterns and ICU's tables of normalization.
#include "app/base/bad_input.h"
#include "app/files/tokenizer/tokenizer_file.h"
#include "app/translation/words.h"

namespace lab::files {

Expected<NamedTokenizer> open_named_tokenizer(const std::string& name) {
  return fail(
      ErrorType::kBadInput,
      tr("A page cannot cut sentences with the tokenizer {} yet; the program for the desktop can.",
         {in_quotes(name)}));
}

Expected<Command> read_command(std::string_view line) { return command_from_json_line(line); }

}  // namespace lab::files
