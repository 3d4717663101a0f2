#include <algorithm>

#include "app/base/text_direction.h"
#include "app/document/matrix_labels.h"
#include "app/translation/words.h"
#include "app/view/export/export_options.h"
#include "app/view/export/figure_actions.h"
#include "app/view/widgets/option_rows.h"

namespace lab::view {
namespace {

using attention::Stage;
using figure::TokenName;

// The token at `index` of the list in which the keys of a second sentence follow the queries.
TokenName token_at(const Ui& ui, std::size_t index) {
  const auto queries = static_cast<std::size_t>(ui.problem().seq_len());
  const bool second = index >= queries;
  return {second, static_cast<attention::Index>(second ? index - queries : index), {}};
}

std::vector<std::string> own_names(const Ui& ui) {
  std::vector<std::string> names = row_labels(ui.document(), Stage::kQ);
  if (!ui.problem().cross()) return names;
  for (std::string& key : row_labels(ui.document(), Stage::kK)) names.push_back(std::move(key));
  return names;
}

auto find_name(std::vector<TokenName>& names, const TokenName& token) {
  return std::ranges::find_if(names, [&](const TokenName& name) {
    return name.second == token.second && name.position == token.position;
  });
}

void choose_name(std::vector<TokenName>& names, TokenName token, std::optional<std::string> text) {
  if (const auto found = find_name(names, token); found != names.end()) names.erase(found);
  if (!text) return;
  token.text = std::move(*text);
  names.push_back(std::move(token));
}

// "7 it", and "7 it: pronoun" when it is renamed.
std::vector<std::string> listed_names(const Ui& ui, std::vector<TokenName>& names) {
  std::vector<std::string> list = own_names(ui);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const TokenName token = token_at(ui, i);
    const auto found = find_name(names, token);
    list[i] = std::to_string(token.position) + " " + isolated(list[i]);
    if (found != names.end()) list[i] += ": " + (found->text.empty() ? "–" : isolated(found->text));
  }
  return list;
}

void choice_row(Ui& ui) {
  ExportState& exporting = ui.state.dialog.exporting;
  const bool cross = ui.problem().cross();
  begin_row(ui, tr("Tokens"));
  row_text(ui, tr("all, or such as 2-7, 9"), "dialog/queries", exporting.queries, 160);
  begin_row(ui, tr("keys"));
  row_text(ui, cross ? tr("all##keys") : tr("the same"), "dialog/keys", exporting.keys, 110);
  end_row();
  if (const std::string problem = chosen_tokens(ui).problem; !problem.empty()) {
    begin_row(ui, "");
    row_note(ui, problem);
    end_row();
  }
}

void name_row(Ui& ui) {
  DialogState& dialog = ui.state.dialog;
  std::vector<TokenName>& names = dialog.exporting.figure.names;
  const std::vector<std::string> tokens = own_names(ui), list = listed_names(ui, names);
  dialog.renamed = std::min(dialog.renamed, tokens.size() - 1);
  const TokenName token = token_at(ui, dialog.renamed);
  const auto found = find_name(names, token);
  const bool hidden = found != names.end() && found->text.empty();
  std::string text = found == names.end() ? "" : found->text;
  begin_row(ui, tr("Name of"));
  if (const auto taken = row_list(ui, "dialog/renamed", list, dialog.renamed, 160))
    dialog.renamed = *taken;
  const std::string before = text;
  row_text(ui, tokens[static_cast<std::size_t>(dialog.renamed)],
           "dialog/name" + std::to_string(dialog.renamed), text, 110);
  bool hide = hidden;
  row_tick(ui, tr("none##label"), "dialog/no_name", hide);
  end_row();
  if (text != before) choose_name(names, token, text.empty() ? std::nullopt : std::optional(text));
  if (hide != hidden)
    choose_name(names, token, hide ? std::optional<std::string>("") : std::nullopt);
}

void labels_row(Ui& ui) {
  begin_row(ui, tr("Labels"));
  look_widgets(ui, figure::LookRow::kLabels);
  end_row();
}

}  // namespace

void token_rows(Ui& ui) {
  choice_row(ui);
  name_row(ui);
  labels_row(ui);
}

}  // namespace lab::view
