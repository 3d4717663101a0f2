#include "app/view/export/number_actions.h"

#include <imgui.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "app/explain/stage_text.h"
#include "app/files/import/csv.h"
#include "app/files/problem/problem_file.h"
#include "app/files/problem/stage_numbers.h"
#include "app/translation/words.h"
#include "app/view/export/figure_actions.h"
#include "app/view/export/model_figures.h"
#include "app/view/maps/sensitivity.h"

namespace lab::view {
namespace {

using attention::Stage;

// Making the text of more numbers takes longer than a frame.
constexpr std::int64_t kMostNumbersPreviewed = 20000;

}  // namespace

files::NumberRequest number_request(const Ui& ui) {
  const NumberChoice chosen = chosen_numbers(ui);
  files::NumberRequest request;
  if (!chosen.all_stages) request.stage = ui.state.dialog.exporting.figure.stage;
  if (!chosen.all_heads) request.head = ui.state.head;
  return request;
}

namespace {

std::vector<Stage> stages_of(const Ui& ui, const files::NumberRequest& request) {
  return request.stage ? std::vector<Stage>{*request.stage} : files::answer_stages(ui.problem());
}

// As the maps show them.
Snapshot exported_numbers(const Ui& ui) {
  return shows_sensitivity(ui) ? sensitivity_snapshot(ui) : Snapshot{ui.document(), ui.trace()};
}

// "weights  3 × 11 × 11"
std::string array_line(Stage stage, const std::vector<std::int64_t>& shape) {
  std::string line(attention::stage_name(stage));
  line.resize(std::max<std::size_t>(line.size() + 2, 16), ' ');
  for (std::size_t i = 0; i < shape.size(); ++i)
    line += (i == 0 ? "" : " × ") + std::to_string(shape[i]);
  return line + "\n";
}

Expected<std::string> csv_of_whole(
    const std::optional<figure::ModelFigure>& figure,
    std::size_t most_rows = std::numeric_limits<std::size_t>::max()) {
  if (!figure) return fail(ErrorType::kUsage, numbers_pending_text());
  const figure::ModelTable table = figure::table_of(*figure, most_rows);
  return files::csv_text(table.header, table.rows);
}

std::string preview_of_whole(Ui& ui, WholeModel whole, std::size_t lines) {
  want_model_figure(ui, whole);
  const auto figure = model_figure_of(ui, whole);
  return figure ? *csv_of_whole(figure, lines) : tr("computing");
}

std::string first_lines(const std::string& text, std::size_t lines) {
  std::size_t end = 0;
  for (; lines > 0 && end < text.size(); --lines)
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  return text.substr(0, end);
}

}  // namespace

std::vector<NumberChoice> number_choices(const Ui& ui) {
  const Stage stage = ui.state.dialog.exporting.figure.stage;
  const bool several = ui.problem().config.n_heads > 1;
  const std::string head = head_number(ui.document(), ui.state.head);
  std::vector<NumberChoice> choices{{false, false, stage_and_head(ui, stage)}};
  if (several && attention::is_per_head(stage))
    choices.push_back({false, true, tr("{} of all heads", {explain::stage_title(stage)})});
  choices.push_back({true, false, tr("All stages of head {}", {head})});
  if (several) choices.push_back({true, true, tr("All stages of all heads")});
  for (const ModelFigureChoice& one : model_figure_choices(ui))
    if (one.whole != WholeModel::kAttention) choices.push_back({false, false, one.name, one.whole});
  return choices;
}

NumberChoice chosen_numbers(const Ui& ui) {
  const ExportState& exporting = ui.state.dialog.exporting;
  const std::vector<NumberChoice> choices = number_choices(ui);
  const WholeModel whole = chosen_whole_model(ui);
  const auto is_chosen = [&](const NumberChoice& choice) {
    if (choice.whole != WholeModel::kNone || whole != WholeModel::kNone)
      return choice.whole == whole;
    return choice.all_stages == exporting.all_stages && choice.all_heads == exporting.all_heads;
  };
  const auto chosen = std::ranges::find_if(choices, is_chosen);
  if (chosen != choices.end()) return *chosen;
  return *std::ranges::find(choices, exporting.all_stages, &NumberChoice::all_stages);
}

std::string numbers_stem(const Ui& ui) {
  const NumberChoice chosen = chosen_numbers(ui);
  if (chosen.whole != WholeModel::kNone) return whole_model_stem(chosen.whole);
  const Stage stage = ui.state.dialog.exporting.figure.stage;
  std::string stem = shows_sensitivity(ui) ? "sensitivity-" : "";
  stem += chosen.all_stages ? "all-stages" : std::string(stage_name(stage));
  if (!chosen.all_stages && !attention::is_per_head(stage)) return stem;
  return stem +
         (chosen.all_heads ? "-all-heads" : "-head-" + head_number(ui.document(), ui.state.head));
}

bool is_text_format(const std::string& ending) { return ending == ".csv" || ending == ".json"; }

std::string numbers_preview(Ui& ui, std::size_t lines) {
  if (const WholeModel whole = chosen_whole_model(ui); whole != WholeModel::kNone)
    return preview_of_whole(ui, whole, lines);
  const files::NumberRequest request = number_request(ui);
  std::string text;
  std::int64_t count = 0;
  for (const Stage stage : stages_of(ui, request)) {
    const auto shape = files::tensor_shape(ui.problem(), stage, request.head);
    count += std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
    text += array_line(stage, shape);
  }
  const std::string& ending = ui.state.dialog.exporting.ending();
  const files::NumberFormat* format = files::find_number_format(ending);
  if (format == nullptr || !is_text_format(ending) || count > kMostNumbersPreviewed)
    return first_lines(text, lines);
  const Snapshot shown = exported_numbers(ui);
  if (const auto bytes = format->encode(shown.document, shown.trace, request))
    text += "\n" + first_lines(*bytes, lines);
  return first_lines(text, lines);
}

ExportMaker numbers_maker(const Ui& ui) {
  if (const WholeModel whole = chosen_whole_model(ui); whole != WholeModel::kNone)
    return [figure = model_figure_of(ui, whole)](const std::string&, attention::WorkWatch&) {
      return csv_of_whole(figure).map(
          [](std::string bytes) { return ExportedFile{std::move(bytes)}; });
    };
  return [shown = exported_numbers(ui), request = number_request(ui)](
             const std::string& ending, attention::WorkWatch&) -> Expected<ExportedFile> {
    auto bytes = files::find_number_format(ending)->encode(shown.document, shown.trace, request);
    if (!bytes) return tl::make_unexpected(bytes.error());
    return ExportedFile{std::move(*bytes)};
  };
}

void copy_export_numbers(Ui& ui) {
  const files::NumberFormat& format =
      *files::find_number_format(ui.state.dialog.exporting.ending());
  const Snapshot shown = exported_numbers(ui);
  const WholeModel whole = chosen_whole_model(ui);
  const auto text = whole == WholeModel::kNone
                        ? format.encode(shown.document, shown.trace, number_request(ui))
                        : csv_of_whole(model_figure_of(ui, whole));
  if (!text) {
    ui.state.error = text.error().message;
    return;
  }
  ImGui::SetClipboardText(text->c_str());
  report_export(ui, tr("Copied the numbers"));
}

}  // namespace lab::view
