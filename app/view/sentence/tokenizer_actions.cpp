#include "app/view/sentence/tokenizer_actions.h"

#include "app/document/words/new_tokens.h"
#include "app/files/tokenizer/tokenizer_file.h"
#include "app/tokenizer/tokenizer.h"
#include "app/translation/words.h"
#include "app/view/session/ask_file.h"
#include "app/view/session/dialog_parts.h"
#include "app/view/session/file_list.h"
#include "app/view/widgets/dialog_text.h"

namespace lab::view {

void split_by(Ui& ui, const SetTokenMode& command) {
  ui.queue(intent::Apply{with_fitting_scale(ui.edited(), command)});
}

void use_tokenizer(Ui& ui, const std::string& name) {
  const auto work = [name](attention::WorkWatch&) -> Job::Finish {
    auto opened = files::open_named_tokenizer(name);
    if (!opened) return report_failure(opened.error());
    return [tokenizer = *std::move(opened)](Ui& after) {
      split_by(after, {TokenMode::kTokenizer, tokenizer});
    };
  };
  ui.state.error.clear();
  ui.jobs.start(ui, {tr("opening {}", {short_tokenizer_name(name)}), work, false});
}

void ask_tokenizer(Ui& ui) {
  const Splitting& splitting = ui.edited().splitting;
  const bool from_file = splitting.mode == TokenMode::kTokenizer &&
                         splitting.tokenizer.name.find('/') != std::string::npos;
  ask_file(ui, Dialog::kTokenizer, from_file ? splitting.tokenizer.name : std::string());
}

bool adds_special_tokens(const Document& document) {
  const auto& [mode, tokenizer, special] = document.splitting;
  if (mode != TokenMode::kTokenizer || tokenizer.opened == nullptr) return false;
  const auto with = tokenizer.opened->encode("a"),
             without = tokenizer.opened->encode("a", {.add_special = false});
  return with && without && with->size() != without->size();
}

void set_special_tokens(Ui& ui, bool on) {
  const NamedTokenizer& tokenizer = ui.edited().splitting.tokenizer;
  split_by(ui, {TokenMode::kTokenizer, tokenizer, on});
}

void accept_tokenizer(Ui& ui) {
  if (enters_folder(ui)) return;
  const std::string path = chosen_path(ui);
  if (path.empty()) return;
  use_tokenizer(ui, path);
  settle_dialog(ui);
}

void tokenizer_dialog(Ui& ui) {
  write_text(ui, tr("The tokenizer.json of a model: its tokens are the pieces\n"
                    "that the model was trained on."));
  const bool chosen = file_list(ui);
  if (finish_row(ui, tr("Open")) || chosen) accept_tokenizer(ui);
}

}  // namespace lab::view
