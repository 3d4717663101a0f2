#include "app/view/session/import_actions.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "app/base/wording.h"
#include "app/document/commands/reducer.h"
#include "app/files/io/paths.h"
#include "app/files/problem/attention_file.h"
#include "app/translation/words.h"
#include "app/view/editor/edit_block.h"
#include "app/view/editor/uncommitted_edit.h"
#include "app/view/session/dialog_parts.h"
#include "app/view/session/file_actions.h"
#include "app/view/session/session_panels.h"
#include "app/view/widgets/dialog_text.h"

namespace lab::view {
namespace {

using attention::Matrix;
using attention::Shape;

std::string sentences(const std::string& first, const std::vector<std::string>& notes) {
  std::string text = first;
  for (const std::string& note : notes) text += "; " + note;
  return text;
}

// Queues all commands as one step.
void execute(Ui& ui, const Expected<files::Import>& import, const StepLabel& label,
             const std::string& notice) {
  const auto changed =
      import.and_then([&](const files::Import& all) { return files::applied(ui.edited(), all); });
  if (!changed) {
    ui.state.error = changed.error().message;
    return;
  }
  const std::string key = "import " + std::to_string(ui.workspace.history().state_id());
  for (const Command& command : import->commands)
    ui.queue(intent::ApplyMerged{command, key, label});
  ui.state.notice = sentences(notice, import->notes);
}

void put_matrix(Ui& ui, const std::string& name, MatrixRef target, const Matrix& values) {
  execute(
      ui, files::import_matrix(ui.edited(), target, values, name),
      [name, target] {
        return tr("Read {} into {}", {name, matrix_label(target)});
      },
      tr("{} is now {}", {name, matrix_in_text(target)}));
}

void put_vectors(Ui& ui, const std::string& name, const files::WordVectors& vectors, bool resize) {
  const auto count = static_cast<attention::Index>(vectors.rows.size());
  execute(
      ui, files::import_vectors(ui.edited(), vectors, name, resize),
      [name] { return tr("Read vectors of {}", {name}); },
      count == 1 ? tr("One word has its vector of {}", {name})
                 : tr("{} words have their vectors of {}", {grouped(count), name}));
}

void ask(Ui& ui, ImportQuestion question) {
  open_dialog(ui, Dialog::kImport);
  ui.state.dialog.import = std::make_shared<const ImportQuestion>(std::move(question));
}

// The tabs of Edit into which a matrix of that shape would fit: "X or W_O"; empty when there is
// none.
std::string fitting_tabs(const Document& document, Shape shape) {
  constexpr std::array kTabs = {MatrixId::kX,  MatrixId::kXKv, MatrixId::kWQ,  MatrixId::kWK,
                                MatrixId::kWV, MatrixId::kWO,  MatrixId::kMask};
  std::string text;
  for (const MatrixId id : kTabs)
    if (shape_of(document, {id, 0}) == shape)
      text = text.empty() ? name_in_words(matrix_name(id))
                          : tr("{} or {}", {text, name_in_words(matrix_name(id))});
  return text;
}

void refuse_matrix(Ui& ui, const std::string& name, MatrixRef target, Shape shape) {
  const std::string tabs = fitting_tabs(ui.edited(), shape);
  const std::string misfit = files::mismatch_text(ui.edited(), target, shape, name);
  ui.state.error =
      tabs.empty() ? misfit : tr("{}; it would fit {}, if that is open in Edit", {misfit, tabs});
}

void take(Ui& ui, const std::string& name, const Matrix& values) {
  const MatrixRef target = edited_matrix(ui);
  const Shape shape{values.rows(), values.cols()};
  switch (files::matrix_fit(ui.edited(), target, shape)) {
    case files::MatrixFit::kAsItIs:
      return put_matrix(ui, name, target, values);
    case files::MatrixFit::kTransposed:
      return ask(ui, {name, target, values});
    case files::MatrixFit::kNot:
      return refuse_matrix(ui, name, target, shape);
  }
}

// Only asks about what is possible.
void take(Ui& ui, const std::string& name, const files::WordVectors& vectors) {
  const bool fits = vectors.dimension == ui.edited().problem.config.d_model;
  const auto import = files::import_vectors(ui.edited(), vectors, name, true);
  if (fits || !import) return put_vectors(ui, name, vectors, true);
  ask(ui, {name, {}, vectors});
}

// Weights of one head that fit no matrix that is open in Edit become a separate document.
bool is_ready_attention(const Ui& ui, const Matrix& values) {
  return files::is_attention(values) &&
         files::matrix_fit(ui.edited(), edited_matrix(ui), {values.rows(), values.cols()}) ==
             files::MatrixFit::kNot;
}

Job::Finish read_in_background(const std::string& path, const std::vector<std::string>& words,
                               attention::WorkWatch& watch) {
  const std::string name = files::file_name_of(path);
  auto read = files::read_import(path, words, &watch);
  if (!read) return report_failure({read.error().type, name + ": " + read.error().message});
  return [path, name, content = std::make_shared<const files::Imported>(std::move(*read))](Ui& ui) {
    const auto* matrix = std::get_if<Matrix>(content.get());
    if (matrix && is_ready_attention(ui, *matrix)) return open_source(ui, path);
    std::visit([&](const auto& values) { take(ui, name, values); }, *content);
  };
}

}  // namespace

bool import_source(Ui& ui, const std::string& source) {
  const auto type = files::file_type_at(source);
  if (!type || !files::is_import(*type)) return false;
  if (!commit_pending(ui)) return true;
  ui.state.notice.clear();
  ui.state.error.clear();
  const auto work = [source,
                     words = files::words_in_use(ui.edited())](attention::WorkWatch& watch) {
    return read_in_background(source, words, watch);
  };
  ui.jobs.start(ui, {tr("reading {}", {files::file_name_of(source)}), work});
  return true;
}

std::string import_question(const Ui& ui) {
  const ImportQuestion& question = *ui.state.dialog.import;
  if (const auto* values = std::get_if<Matrix>(&question.content))
    return tr("{}. Insert it transposed?",
              {files::mismatch_text(ui.edited(), question.target, {values->rows(), values->cols()},
                                    question.name)});
  const auto& vectors = std::get<files::WordVectors>(question.content);
  return tr(
      "{}. Change d_model to {}? Every matrix keeps what fits; missing numbers become random. Undo "
      "reverts all of it.",
      {files::vector_misfit_text(ui.edited(), vectors, question.name), grouped(vectors.dimension)});
}

std::string import_answer(const Ui& ui) {
  const bool matrix = std::holds_alternative<Matrix>(ui.state.dialog.import->content);
  return matrix ? tr("Transpose") : tr("Change");
}

void agree_to_import(Ui& ui) {
  const auto question = std::exchange(ui.state.dialog.import, nullptr);
  if (const auto* values = std::get_if<Matrix>(&question->content))
    return put_matrix(ui, question->name, question->target, values->transpose());
  put_vectors(ui, question->name, std::get<files::WordVectors>(question->content), true);
}

void import_dialog(Ui& ui) {
  constexpr std::array kNames{"dialog/import", "dialog/cancel"};
  const std::array labels{import_answer(ui), tr("Cancel")};
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + dialog_field_width(ui));
  write_text(ui, import_question(ui));
  ImGui::PopTextWrapPos();
  ImGui::Spacing();
  const int chosen = answer_row(ui, labels, kNames);
  if (chosen < 0) return;
  close_dialog(ui);
  if (chosen == 0) agree_to_import(ui);
}

}  // namespace lab::view
