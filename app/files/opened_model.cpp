#include "app/files/opened_model.h"
#include "app/files/tokenizer/tokenizer_file.h"

#include <algorithm>
#include <filesystem>

#include "app/base/bad_input.h"
#include "app/document/model/shown_layer.h"
#include "app/document/model/text_limit.h"
#include "app/document/model/token_name.h"
#include "app/document/training/task_title.h"
#include "app/document/training/training_document.h"
#include "app/files/examples_index.h"
#include "app/files/import/import_file.h"
#include "app/files/io/paths.h"
#include "app/files/journal/journal.h"
#include "app/files/model/model_list.h"
#include "app/files/training/run_folder.h"

namespace lab::files {
namespace {

// The folder of a config.json; other paths stay as they are.
std::string without_config(const std::string& source) {
  const std::filesystem::path path(source);
  if (path.filename() != "config.json") return source;
  const std::string folder = path.parent_path().string();
  return folder.empty() ? "." : folder;
}

// True for the built-in model of that name.
bool is_built_in(const ModelSource& source, const std::string& name) {
  std::error_code none;
  return source.name == name &&
         std::filesystem::equivalent(source.folder, assets_folder() + "/models/" + name, none);
}

// A text that shows something in most models: a name that came before is likely to come again, and
// letters that repeat show induction. A model of everyday words knows how a story begins.
std::string example_text(const ModelSource& source) {
  if (is_built_in(source, "words")) return "Once upon a time there was a little";
  if (source.network.encoder) return "The house is wonderful.";
  if (const auto mask = mask_token(source); mask && !source.causal)
    return "The capital of France is " + *mask + ".";
  const auto vocabulary = source.network.stack.embedding.tokens.rows();
  constexpr attention::Index kLettersAlone = 100;
  if (vocabulary <= kLettersAlone) return "abcdefg abcdefg abcd";
  return "When Mary and John went to the store, John gave a drink to";
}

// Ids of the first tokens of the vocabulary, for a model without a tokenizer.
std::vector<std::uint32_t> example_ids(const ModelSource& source) {
  constexpr attention::Index kMany = 8;
  std::vector<std::uint32_t> ids;
  for (attention::Index id = 0; id < std::min(kMany, source.network.stack.embedding.tokens.rows());
       ++id)
    ids.push_back(static_cast<std::uint32_t>(id));
  return ids;
}

Expected<ModelDocument> example_document(std::shared_ptr<const Model> model,
                                         const std::optional<std::string>& text) {
  ModelText read{text, {}};
  if (!text && model->tokenizer)
    read.text = example_text(*model);
  else if (!text)
    read.ids = example_ids(*model);
  return make_model_document(std::move(model), std::move(read));
}

Expected<Opened> opened_layer(ModelDocument document) {
  const attention::network::LayerId at =
      document.layer.value_or(nearest_layer(document.network, {}));
  if (auto fits = check_shown_memory(document, nullptr); !fits)
    return tl::make_unexpected(fits.error());
  return guarded([&] {
    Opened opened;
    opened.document = shown_layer(std::make_shared<const ModelDocument>(std::move(document)), at);
    return opened;
  });
}

Expected<Opened> opened_run(const std::string& folder, const std::optional<std::string>& text) {
  std::vector<std::string> notes;
  auto run = open_run(folder, notes);
  if (!run) return tl::make_unexpected(run.error());
  const std::string example = lab::example_text(**run, 0);
  const auto type = (*run)->options().task.type;
  auto model = run_source(std::move(*run), task_title(type));
  if (!model) return tl::make_unexpected(model.error());
  auto document = make_model_document(std::move(*model), ModelText{text.value_or(example), {}});
  if (!document) return tl::make_unexpected(document.error());
  auto shown = opened_layer(std::move(*document));
  if (shown) shown->notes = std::move(notes);
  return shown;
}

Expected<Opened> opened_folder(const std::string& source, const std::optional<std::string>& text,
                               attention::WorkWatch* watch) {
  if (is_saved_run(source)) return opened_run(source, text);
  const auto folder = model_folder(without_config(source));
  if (!folder) return tl::make_unexpected(folder.error());
  attention::expect_work(watch, work_of_opening(*folder));
  auto opened = open_model(*folder, watch);
  if (!opened) return tl::make_unexpected(opened.error());
  const auto model = std::make_shared<const Model>(std::move(*opened));
  auto document = example_document(model, text);
  if (!document) return tl::make_unexpected(document.error());
  auto shown = opened_layer(std::move(*document));
  if (!shown) return shown;
  shown->notes.insert(shown->notes.end(), model->notes.begin(), model->notes.end());
  if (!model->tokenizer)
    shown->notes.push_back(
        no_tokenizer_in(model->folder) +
        "; without one no text can be typed, and the first tokens of the vocabulary are "
        "read, by their numbers");
  return shown;
}

Expected<Opened> opened_model_session(const std::string& path,
                                      const std::optional<std::string>& text,
                                      const ModelChoice& choice, attention::WorkWatch* watch) {
  const auto change = last_change(path);
  auto session = open_model_session(path, {without_config(choice.folder), choice.changed}, watch);
  if (!session) return tl::make_unexpected(session.error());
  if (text) {
    auto changed =
        with_texts(session->document, ModelText{*text, {}}, session->document.decoder_text);
    if (!changed) return tl::make_unexpected(changed.error());
    session->document = std::move(*changed);
  }
  auto shown = opened_layer(std::move(session->document));
  if (!shown) return shown;
  shown->notes = session->notes;
  shown->view = std::move(session->view);
  shown->is_session = file_type_at(path) == FileType::kModelSession;
  shown->path = path;
  shown->change = change;
  return shown;
}

}  // namespace

bool is_model_source(const std::string& source) {
  if (source.empty() || source == "-") return false;
  if (is_saved_run(source) || is_model_path(without_config(source)) || is_model_session(source))
    return true;
  if (!is_missing(source)) return false;
  const auto known = examples();
  if (std::ranges::any_of(known, [&](const ExampleInfo& info) {
        return same_title(info.name, source) || same_title(info.title, source);
      }))
    return false;
  const auto models = list_models();
  return std::ranges::find(models, source, &ModelInfo::name) != models.end();
}

const CatalogueModel* missing_model(const std::string& source) {
  const CatalogueModel* const known = find_in_catalogue(source);
  if (known == nullptr || !is_missing(source)) return nullptr;
  const auto models = list_models();
  const bool here = std::ranges::any_of(
      models, [&](const ModelInfo& model) { return is_listed_as(*known, model.name); });
  return here ? nullptr : known;
}

bool is_large_model(const std::string& source) {
  constexpr attention::Index kLarge = 16 << 20;  // bytes
  if (is_model_session(source)) return true;
  if (is_saved_run(source)) return false;
  const auto folder = model_folder(without_config(source));
  return folder && size_of_weights(*folder) > kLarge;
}

Expected<Opened> open_model_source(const std::string& source,
                                   const std::optional<std::string>& text,
                                   const ModelChoice& choice, attention::WorkWatch* watch) {
  return is_model_session(source) ? opened_model_session(source, text, choice, watch)
                                  : opened_folder(source, text, watch);
}

Expected<Opened> open_anything(const std::string& source, attention::WorkWatch* watch,
                               const ModelChoice& choice) {
  return is_model_source(source) ? open_model_source(source, {}, choice, watch)
                                 : open_whole(source, watch);
}

}  // namespace lab::files
