#include "app/cli/model/model_run.h"

#include <algorithm>
#include <thread>

#include "app/base/bad_input.h"
#include "app/cli/batch/sentences.h"
#include "app/cli/model/shown_maps.h"
#include "app/cli/verb.h"
#include "app/document/batch/sentence_list.h"
#include "app/document/document.h"
#include "app/document/model/layer_document.h"
#include "app/document/model/layer_name.h"
#include "app/document/model/text_limit.h"
#include "app/document/model/text_tokens.h"
#include "app/document/splitting/unread_text.h"
#include "app/document/words/detached_text.h"
#include "app/files/io/paths.h"
#include "app/files/model/model_list.h"
#include "app/files/tokenizer/chat_template_file.h"
#include "app/files/tokenizer/tokenizer_file.h"
#include "core/analysis/non_finite.h"
#include "core/layer/evaluator.h"
#include "core/network/layer_problem.h"

namespace lab::cli {
namespace {

using attention::network::HeadGain;
using files::Model;

// What an option with a text or one with ids gives; std::nullopt when neither is there.
Expected<ModelText> text_of(const ModelSource& source, const char* option,
                            const std::optional<std::string>& text,
                            const std::optional<std::string>& ids) {
  if (text && ids)
    return fail(ErrorType::kUsage, std::string(option) + " is given as text and as ids");
  if (text && !source.tokenizer)
    return fail(ErrorType::kUsage, files::no_tokenizer_in(source.folder) + "; or use " + option);
  if (!ids) return ModelText{text, {}};
  const auto read = parse_ids(option, *ids);
  if (!read) return tl::make_unexpected(read.error());
  return ModelText{std::nullopt, *read};
}

// The chat in which a user says --text.
Expected<ModelText> chat_text(const Model& model, const ModelArguments& arguments) {
  if (!arguments.text) return fail(ErrorType::kUsage, "--chat needs --text");
  if (!model.tokenizer) return fail(ErrorType::kUsage, files::no_tokenizer_in(model.folder));
  const auto refuse = [&](const std::string& problem) {
    return fail(ErrorType::kBadInput, in_quotes(model.folder) + problem);
  };
  if (!model.chat_problem.empty()) return fail(ErrorType::kBadInput, model.chat_problem);
  if (!model.chat_template) return refuse(" has no chat template");
  const std::string* const system = arguments.system ? &*arguments.system : nullptr;
  auto text =
      rendered_chat(model, files::question_of(*arguments.text, system).turns, {arguments.text, {}});
  if (!text) return refuse(": " + text.error().message);
  return text;
}

bool is_set(const ModelText& text) { return text.text || !text.ids.empty(); }

// The texts that the arguments give.
struct EnteredTexts {
  ModelText text, decoder;
};

Expected<EnteredTexts> entered_texts(const Model& source, const ModelArguments& arguments) {
  if (arguments.system && !arguments.chat) return fail(ErrorType::kUsage, "--system is for --chat");
  if (arguments.chat && arguments.ids)
    return fail(ErrorType::kUsage, "--chat is for --text, not --ids");
  auto text = arguments.chat ? chat_text(source, arguments)
                             : text_of(source, "--ids", arguments.text, arguments.ids);
  if (!text) return tl::make_unexpected(text.error());
  auto decoder = text_of(source, "--decoder-ids", arguments.decoder_text, arguments.decoder_ids);
  if (!decoder) return tl::make_unexpected(decoder.error());
  if (is_set(*decoder) && !source.network.encoder)
    return fail(ErrorType::kUsage, "this model has no second stack");
  return EnteredTexts{std::move(*text), std::move(*decoder)};
}

tl::unexpected<Error> of_texts(const Error& error) {
  return fail(ErrorType::kUsage, "--text, --ids: " + error.message);
}

// A model without a text.
Expected<files::ModelSession> bare_session(const std::string& input,
                                           const ModelArguments& arguments) {
  if (!arguments.folder.empty() || arguments.changed_model)
    return fail(ErrorType::kUsage, "--model and --changed-model are for sessions of models; " +
                                       in_quotes(input) + " is a model itself");
  auto opened = files::open_model(input);
  if (!opened) return tl::make_unexpected(opened.error());
  files::ModelSession session;
  session.model = std::make_shared<const Model>(std::move(*opened));
  for (const std::string& note : session.model->notes) print_note(note);
  session.document.source = session.model;
  session.document.network = session.model->network;
  return session;
}

// At the sentence that --sentence names.
Expected<files::ModelSession> shown_sentence(files::ModelSession session,
                                             const ModelArguments& arguments) {
  return at_sentence(session.document, arguments.sentence).map([&](const ModelDocument& shown) {
    session.document = shown;
    return std::move(session);
  });
}

Expected<files::ModelSession> new_session(const std::string& input,
                                          const ModelArguments& arguments) {
  auto session = bare_session(input, arguments);
  if (!session) return session;
  auto texts = entered_texts(*session->model, arguments);
  if (!texts) return tl::make_unexpected(texts.error());
  if (!is_set(texts->text)) return fail(ErrorType::kUsage, "--text or --ids is missing");
  auto document =
      make_model_document(session->model, std::move(texts->text), std::move(texts->decoder));
  if (!document) return of_texts(document.error());
  print_unread(*document);
  session->document = std::move(*document);
  return shown_sentence(std::move(*session), arguments);
}

Expected<files::ModelSession> saved_session(const std::string& input,
                                            const ModelArguments& arguments) {
  auto session = files::open_model_session(input, {arguments.folder, arguments.changed_model});
  if (!session) return session;
  if (!session->model)
    return fail(ErrorType::kUsage, in_quotes(input) +
                                       " is about a network that is being trained: open it in the "
                                       "window, or give the folder that train wrote");
  for (const std::string& note : session->notes) print_note(note);
  session = shown_sentence(std::move(*session), arguments);
  if (!session) return session;
  ModelDocument& document = session->document;
  auto texts = entered_texts(*session->model, arguments);
  if (!texts) return tl::make_unexpected(texts.error());
  if (!is_set(texts->text) && !is_set(texts->decoder)) return session;
  auto changed = with_texts(document, is_set(texts->text) ? texts->text : document.text,
                            is_set(texts->decoder) ? texts->decoder : document.decoder_text);
  if (!changed) return of_texts(changed.error());
  if (const auto report = detached_or_returned_text(document, *changed); !report.empty())
    print_note(report);
  print_unread(*changed);
  document = std::move(*changed);
  return session;
}

// A muted head keeps its gain, which unmuting brings back; a gain that is set replaces all that is
// done.
void add_gain(const HeadGain& gain, std::vector<HeadGain>& all) {
  const auto at = std::ranges::find_if(
      all, [&](const HeadGain& other) { return other.at == gain.at && other.head == gain.head; });
  if (at == all.end())
    all.push_back(gain);
  else if (gain.mute)
    at->mute = true;
  else
    *at = gain;
}

// What `open` gives, with what is done to heads on the command line in place of what a session does
// to them.
template <typename Open>
Expected<files::ModelSession> with_gains(const ModelArguments& arguments, Open open) {
  const auto gains = parse_gains(arguments);
  if (!gains) return tl::make_unexpected(gains.error());
  Expected<files::ModelSession> session = open();
  if (!session) return session;
  auto& all = session->document.interventions.gains;
  for (const HeadGain& gain : *gains) add_gain(gain, all);
  return session;
}

Expected<Snapshot> weights_of_all_layers(const ModelRun& run,
                                         attention::network::Sublayer sublayer) {
  if (head_count(run.network(), sublayer) == 0)
    return fail(ErrorType::kUsage, "--layer: the model has no such layers");
  return all_layers(*run.model, run.tokens, run.trace(), run.document.interventions, sublayer);
}

void print_unread_of(const std::string& text, const std::vector<Token>& tokens,
                     const Splitting& splitting) {
  const std::string note = unread_note(unread_characters(text, tokens, splitting));
  if (!note.empty()) print_note(in_quotes(text) + ": " + note);
}

}  // namespace

Expected<ChatTokens> chat_tokens(const std::string& path, const tokenizer::Tokenizer& tokenizer,
                                 const ModelArguments& arguments) {
  const auto found = files::chat_template_at(path, tokenizer);
  if (!found) return tl::make_unexpected(found.error());
  if (*found == nullptr)
    return fail(ErrorType::kBadInput, in_quotes(path) + " has no chat template");
  const std::string* const system = arguments.system ? &*arguments.system : nullptr;
  auto rendered = (*found)->render(files::question_of(arguments.text.value_or(""), system));
  if (!rendered)
    return fail(rendered.error().type, in_quotes(path) + ": " + rendered.error().message);
  auto tokens = tokenizer.encode(rendered->text, {.add_special = false});
  if (!tokens) return tl::make_unexpected(tokens.error());
  return ChatTokens{std::move(*rendered), std::move(*tokens)};
}

int model_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

bool is_model(const std::string& input) {
  if (files::is_model_path(input) || files::is_model_session(input)) return true;
  if (!files::is_missing(input)) return false;
  const auto models = files::list_models();
  return std::ranges::find(models, input, &files::ModelInfo::name) != models.end();
}

Expected<files::ModelSession> open_model_input(const std::string& input,
                                               const ModelArguments& arguments) {
  return with_gains(arguments, [&] {
    return files::is_model_session(input) ? saved_session(input, arguments)
                                          : new_session(input, arguments);
  });
}

Expected<files::ModelSession> open_model_without_text(const std::string& input,
                                                      const ModelArguments& arguments) {
  return with_gains(arguments, [&] {
    return files::is_model_session(input) ? saved_session(input, arguments)
                                          : bare_session(input, arguments);
  });
}

Expected<std::unique_ptr<ModelRun>> run_model(const std::string& input,
                                              const ModelArguments& arguments, PassUse use) {
  auto session = open_model_input(input, arguments);
  if (!session) return tl::make_unexpected(session.error());
  if (auto fits = check_pass_memory(session->document, model_threads(), use); !fits)
    return tl::make_unexpected(fits.error());
  auto run =
      std::make_unique<ModelRun>(session->model, std::move(session->document), model_threads());
  run->weights = std::move(session->weights);
  run->config = std::move(session->config);
  const auto evaluated = guarded([&] {
    run->evaluator.evaluate(run->network(), run->tokens, run->document.interventions);
    return true;
  });
  if (!evaluated) return tl::make_unexpected(evaluated.error());
  if (auto readable = files::check_readable(*run->model); !readable)
    return tl::make_unexpected(readable.error());
  if (const std::string matrix = first_not_finite(run->trace()); !matrix.empty())
    print_note(in_quotes(input) + ": numbers are NaN or infinite from " + matrix + " on");
  return run;
}

Expected<std::string> session_of(const ModelRun& run, const std::string& layer) {
  files::ModelSession session{run.model, run.document, run.weights, run.config, {}, {}};
  if (auto hashed = files::add_hashes(session); !hashed) return tl::make_unexpected(hashed.error());
  if (const auto at = layer_from_name(layer)) session.document.layer = *at;
  return files::write_model_session(session.document, session.weights, session.config);
}

Expected<Document> open_layer(ModelRun& run, const std::string& layer) {
  const auto at = parse_layer(layer, run.network());
  if (!at) return tl::make_unexpected(at.error());
  return guarded([&] {
    const attention::Problem problem = layer_problem(
        run.network(), run.trace(), run.document.interventions, *at, run.evaluator.pool());
    return layer_document(*run.model, run.tokens, problem, *at);
  });
}

namespace {

// Says where the numbers of a document made by hand stop being finite; −∞ is what masks make.
void note_non_finite(const std::string& input, const Snapshot& snapshot) {
  for (const auto& count : count_non_finite(snapshot.document.problem, snapshot.trace)) {
    if (count.nan + count.positive_infinity == 0) continue;
    print_note(in_quotes(input) + ": numbers are NaN or infinite from " +
               std::string(stage_name(count.stage)) + " on");
    return;
  }
}

Expected<Snapshot> evaluated(Expected<Document> document) {
  if (!document) return tl::make_unexpected(document.error());
  attention::Evaluator evaluator;
  attention::Trace trace = evaluator.evaluate(document->problem);
  return Snapshot{std::move(*document), std::move(trace)};
}

Expected<Snapshot> snapshot_of_model(const std::string& input, const ModelArguments& arguments,
                                     std::string* session, std::string* caption) {
  if (arguments.layer.empty())
    return fail(ErrorType::kUsage, "--layer is missing: which layer of the model?");
  const bool all = parse_all_layers(arguments.layer).has_value();
  const auto run = run_model(input, arguments, {.stages = !all, .copies = all ? 1 : 0});
  if (!run) return tl::make_unexpected(run.error());
  if (session != nullptr) {
    auto written = session_of(**run, arguments.layer);
    if (!written) return tl::make_unexpected(written.error());
    *session = std::move(*written);
  }
  if (caption != nullptr) *caption = figure::caption_text(caption_of(**run));
  if (const auto sublayer = parse_all_layers(arguments.layer))
    return weights_of_all_layers(**run, *sublayer);
  return evaluated(open_layer(**run, arguments.layer));
}

}  // namespace

Expected<Snapshot> open_snapshot(const std::string& input, const ModelArguments& arguments,
                                 std::string* session, std::string* caption) {
  if (is_model(input)) return snapshot_of_model(input, arguments, session, caption);
  if (auto none = check_no_model_arguments(input, arguments); !none)
    return tl::make_unexpected(none.error());
  auto snapshot = evaluated(open_input(input).and_then(
      [&](const Document& document) { return at_sentence(document, arguments.sentence); }));
  if (snapshot) note_non_finite(input, *snapshot);
  return snapshot;
}

Expected<std::size_t> sentence_count_of(const std::string& input, const ModelArguments& arguments) {
  if (is_model(input)) {
    ModelArguments any = arguments;
    any.sentence.clear();
    return open_model_input(input, any).map([](const files::ModelSession& opened) {
      return sentence_count(opened.document);
    });
  }
  if (auto none = check_no_model_arguments(input, arguments); !none)
    return tl::make_unexpected(none.error());
  return open_input(input).map([](const Document& opened) { return sentence_count(opened); });
}

Expected<Snapshot> open_to_compare(const std::string& other, ModelArguments arguments) {
  if (!is_model(other)) {
    ModelArguments separate;
    const auto count = sentence_count_of(other, separate);
    if (count && *count > 1) separate.sentence = arguments.sentence;
    return open_snapshot(other, separate);
  }
  arguments.mute.reset();
  arguments.gain.reset();
  arguments.folder.clear();
  arguments.changed_model = false;
  return open_snapshot(other, arguments);
}

Expected<void> check_no_model_arguments(const std::string& input, const ModelArguments& arguments) {
  if (!arguments.any()) return {};
  return fail(ErrorType::kUsage,
              in_quotes(input) +
                  " is no model; --text, --ids, --layer, --mute, --gain and --model are for "
                  "trained models");
}

void print_unread(const Document& document) {
  print_unread_of(document.sentence, document.tokens, document.splitting);
  print_unread_of(document.kv_sentence, document.kv_tokens, document.splitting);
}

void print_unread(const ModelDocument& document) {
  print_unread_of(document.text.text.value_or(""), text_tokens(document),
                  splitting_of(document.source, document.text, false));
  print_unread_of(document.decoder_text.text.value_or(""), decoder_text_tokens(document),
                  splitting_of(document.source, true));
}

}  // namespace lab::cli
