#include "app/view/export/sentence_exports.h"

#include <memory>

#include "app/base/bad_input.h"
#include "app/document/background_evaluator.h"
#include "app/document/batch/sentence_list.h"
#include "app/document/commands/reducer.h"
#include "app/figure/figure_writers.h"
#include "app/files/document_session.h"
#include "app/files/io/paths.h"
#include "app/files/number_formats.h"
#include "app/translation/words.h"
#include "app/view/export/figure_actions.h"
#include "app/view/export/figure_work.h"
#include "app/view/export/model_figures.h"
#include "app/view/export/number_actions.h"
#include "app/view/maps/sensitivity.h"
#include "app/view/widgets/option_rows.h"

namespace lab::view {
namespace {

using MadeFile = Expected<ExportedFile>;

bool is_of_one_state(const Ui& ui) {
  using figure::FigureType;
  const ExportState& exporting = ui.state.dialog.exporting;
  const FigureType type = exporting.figure.type;
  const bool figure = exporting.mode == ExportMode::kFigure && type != FigureType::kArithmetic &&
                      type != FigureType::kTwoStates;
  return figure || exporting.mode == ExportMode::kNumbers;
}

// The document at one of its sentences, computed; of a model all layers are.
Expected<Snapshot> at_sentence(const Document& document, std::size_t number) {
  const auto at = apply(document, GoToSentence{static_cast<int>(number)});
  if (!at) return tl::make_unexpected(at.error());
  return guarded([&] {
    BackgroundEvaluator evaluator(1);
    const Evaluation computed = evaluator.run(*at);
    return Snapshot{computed.completed ? *computed.completed : *at, evaluator.trace(),
                    computed.network};
  });
}

// What is chosen of the tokens and cells of the sentence that is shown is not of the others.
figure::FigureOptions options_of_any_sentence(const Ui& ui) {
  figure::FigureOptions options = export_options(ui);
  options.queries.clear(), options.keys.clear();
  options.row.reset();
  options.marks.pins.clear(), options.marks.selected.reset();
  return options;
}

MadeFile figure_of(const Snapshot& sentence, const figure::FigureOptions& options,
                   const std::string& ending, attention::WorkWatch& watch) {
  const figure::FigureFormat& format = *figure::figure_format(ending);
  const FigureWork work(sentence, options);
  auto bytes =
      work.file(format, {0, files::embedded_document_session(work.session_document()), &watch});
  if (!bytes) return tl::make_unexpected(bytes.error());
  return ExportedFile{std::move(*bytes), format.write ? work.numbers_note() : ""};
}

MadeFile numbers_of(const Snapshot& sentence, const files::NumberRequest& request,
                    const std::string& ending) {
  auto bytes =
      files::find_number_format(ending)->encode(sentence.document, sentence.trace, request);
  if (!bytes) return tl::make_unexpected(bytes.error());
  return ExportedFile{std::move(*bytes)};
}

using MakeOfSentence =
    std::function<MadeFile(const Snapshot&, const std::string&, attention::WorkWatch&)>;

MakeOfSentence chosen_make(const Ui& ui) {
  if (ui.state.dialog.exporting.mode == ExportMode::kNumbers)
    return [request = number_request(ui)](const Snapshot& sentence, const std::string& ending,
                                          attention::WorkWatch&) {
      return numbers_of(sentence, request, ending);
    };
  return [options = options_of_any_sentence(ui)](
             const Snapshot& sentence, const std::string& ending, attention::WorkWatch& watch) {
    return figure_of(sentence, options, ending, watch);
  };
}

}  // namespace

bool offers_all_sentences(const Ui& ui) {
  return sentence_count(ui.document()) > 1 && chosen_whole_model(ui) == WholeModel::kNone &&
         ui.kept == nullptr && !shows_sensitivity(ui) && is_of_one_state(ui);
}

bool exports_all_sentences(const Ui& ui) {
  return ui.state.dialog.exporting.all_sentences && offers_all_sentences(ui);
}

void sentences_row(Ui& ui) {
  if (!offers_all_sentences(ui)) return;
  bool& all = ui.state.dialog.exporting.all_sentences;
  begin_row(ui, tr("Of"));
  if (row_choice(ui, tr("this sentence"), "dialog/sentences/one", !all)) all = false;
  if (row_choice(ui, tr("all {}, a file for each", {std::to_string(sentence_count(ui.document()))}),
                 "dialog/sentences/all", all))
    all = true;
  end_row();
}

std::vector<std::string> sentence_paths(const Ui& ui, const std::string& path) {
  std::vector<std::string> paths;
  for (std::size_t i = 1; i <= sentence_count(ui.document()); ++i)
    paths.push_back(files::numbered_path(path, i));
  return paths;
}

std::vector<ExportMaker> sentence_makers(const Ui& ui) {
  const auto document = std::make_shared<const Document>(ui.document());
  std::vector<ExportMaker> makers;
  for (std::size_t number = 0; number < sentence_count(ui.document()); ++number)
    makers.emplace_back([document, number, make = chosen_make(ui)](
                            const std::string& ending, attention::WorkWatch& watch) -> MadeFile {
      const auto sentence = at_sentence(*document, number);
      if (!sentence) return tl::make_unexpected(sentence.error());
      return make(*sentence, ending, watch);
    });
  return makers;
}

}  // namespace lab::view
