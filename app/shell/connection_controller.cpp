#include "app/shell/connection_controller.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/connection/array_spec.h"
#include "app/document/arrays/rebase.h"
#include "app/document/arrays/shown_arrays.h"
#include "app/document/batch/sentences.h"
#include "app/document/workspace.h"
#include "app/files/problem/problem_file.h"
#include "app/files/problem/stage_numbers.h"
#include "core/layer/evaluator.h"

namespace lab::shell {
namespace {

using connection::ArrayType;

// Showing another sentence edits nothing.
bool is_edited(const Document& document, const Document& base) {
  return !same_document(document, sharing_matrices(seen_as(base, document.batch), document));
}

files::TensorFile tensors_of(const Document& document, ArrayType type,
                             const attention::Trace& trace) {
  if (type == ArrayType::kWeights)
    return {{files::stage_tensor(document, trace, attention::Stage::kWeights, std::nullopt)}, {}};
  files::TensorFile file = files::answer_tensors(document, trace);
  if (type != ArrayType::kLayer) return file;
  for (files::Tensor& tensor : files::problem_tensors(document).tensors)
    if (file.find(tensor.name) == nullptr) file.tensors.push_back(std::move(tensor));
  return file;
}

/// What is said about the numbers of `work`: "edited", "layer", "tokens", "key_tokens" where these
/// are others, and of a batch the "sentence" that is shown, from 1, of so many "sentences".
/// Precondition: work.arrays.
nlohmann::json shown_members(const Work& work) {
  const Document& document = work.history.document();
  nlohmann::json members{{"edited", is_edited(document, *work.arrays->base)},
                         {"layer", work.arrays->layer},
                         {"tokens", texts_of(document.tokens)}};
  if (const std::size_t sentences = document.batch.sentences.size(); sentences > 1) {
    members["sentence"] = document.batch.current + 1;
    members["sentences"] = sentences;
  }
  if (document.problem.cross()) members["key_tokens"] = texts_of(document.kv_tokens);
  return members;
}

/// The numbers of `work` as it is edited, as a safetensors file: of ready weights the weights, else
/// every stage, and of a layer also X, its weights and biases. `trace` is that of its document;
/// null: it is computed.
std::string shown_tensors(const Work& work, connection::ArrayType type,
                          const attention::Trace* trace) {
  const Document& document = work.history.document();
  attention::Evaluator evaluator(1);
  const attention::Trace& stages = trace != nullptr ? *trace : evaluator.evaluate(document.problem);
  return files::write_safetensors(tensors_of(document, type, stages));
}

}  // namespace

namespace request = connection::request;

ConnectionController::ConnectionController(connection::Connection& connection, Workspace& workspace,
                                           view::MainView& view,
                                           std::function<void()> bring_to_front)
    : connection_(connection),
      workspace_(workspace),
      view_(view),
      bring_to_front_(std::move(bring_to_front)) {}

Arrived ConnectionController::take_requests() {
  arrived_ = Arrived::kNothing;
  follow_user();
  for (Request& request : connection_.take()) execute(request);
  follow_choice();
  workspace_.drain();
  if (workspace_.settle()) arrived_ = std::max(arrived_, Arrived::kNumbers);
  answer_numbers();
  note_shown();
  return arrived_;
}

// For the next numbers that come, and for those who wait until these are on the screen.
void ConnectionController::note_shown() {
  note_left();
  drawn_ = workspace_.behind() ? nullptr : workspace_.arrays();
  opened_ = workspace_.behind() ? -1 : workspace_.opened();
  const auto& arrays = workspace_.own().arrays;
  shown_name_ = arrays ? arrays->name : std::string();
  connection_.set_shown(arrays ? arrays->name : std::string(), arrays ? arrays->layer : 0);
}

void ConnectionController::end_frame() {
  answer_opened();
  on_screen_ = drawn_;
  opened_on_screen_ = opened_;
  std::erase_if(waiting_, [this](const Request& request) { return answer_waiting(request); });
}

// False while it has to wait.
bool ConnectionController::answer_waiting(const Request& request) {
  const std::string& name = std::get<request::WaitShown>(request.content).name;
  if (shown(name) != nullptr) {
    const bool visible = on_screen_ != nullptr && workspace_.own().arrays == on_screen_;
    if (visible) connection_.answer(request);
    return visible;
  }
  if (is_model_shown(name)) {
    const bool visible = opened_on_screen_ == model_;
    if (visible) connection_.answer(request);
    return visible;
  }
  if (is_coming(name) && !is_asking()) return false;
  connection_.refuse(request, is_coming(name) ? "the window asks about unsaved changes first"
                                              : name + " is not shown in the window");
  return true;
}

void ConnectionController::execute(Request& request) {
  const bool asks = std::holds_alternative<request::Numbers>(request.content) ||
                    std::holds_alternative<request::WaitShown>(request.content);
  const auto* show = std::get_if<request::Show>(&request.content);
  const bool updates = show != nullptr && shown(show->spec.name) != nullptr;
  const bool is_offered = show != nullptr && offered_ && show->spec.name == left_;
  arrived_ = std::max(arrived_, asks || is_offered ? Arrived::kQuestions
                                : updates          ? Arrived::kNumbers
                                                   : Arrived::kMore);
  std::visit([&](auto& what) { execute(request, what); }, request.content);
}

bool ConnectionController::is_model_shown(const std::string& name) const {
  return !name.empty() && name == model_name_ && workspace_.own().opened == model_;
}

// --- files

void ConnectionController::execute(Request& request, request::Open& open) {
  view::ViewState& state = view_.state();
  state.error.clear();
  state.requests.ask(view::request::Leave{view::destination::Source{open.source}});
  bring_to_front_();
  opening_.push_back(std::move(request));
}

// Once the file was read, or the user is asked about the document before it.
void ConnectionController::answer_opened() {
  const view::ViewState& state = view_.state();
  const bool reads = view_.jobs().busy() || state.requests.waiting<view::request::Leave>();
  if (reads && !is_asking()) return;
  for (const Request& request : std::exchange(opening_, {})) {
    if (state.error.empty())
      connection_.answer(request);
    else
      connection_.refuse(request, state.error);
  }
}

// --- numbers

void ConnectionController::execute(Request& request, request::Numbers&) {
  wanting_numbers_.push_back(std::move(request));
}

void ConnectionController::execute(Request& request, request::WaitShown&) {
  workspace_.drain();
  if (!answer_waiting(request)) waiting_.push_back(std::move(request));
}

// Once what the user edited is computed.
void ConnectionController::answer_numbers() {
  if (workspace_.behind()) return;
  for (const Request& request : std::exchange(wanting_numbers_, {}))
    send_numbers(request, std::get<request::Numbers>(request.content));
}

void ConnectionController::send_numbers(const Request& request, const request::Numbers& numbers) {
  const ShownArrays* const arrays = shown(numbers.name);
  if (arrays == nullptr)
    return connection_.refuse(request, numbers.name + " is not shown in the window");
  const int layer = numbers.layer.value_or(arrays->layer);
  if (layer >= arrays->layers)
    return connection_.refuse(request, "there is no layer " + std::to_string(layer) + "; " +
                                           numbers.name + " has " + std::to_string(arrays->layers));
  Work work = workspace_.own();
  if (layer != arrays->layer) {
    const auto base = layer_of_source(layer);
    if (!base || !*base)
      return connection_.refuse(request,
                                "layer " + std::to_string(layer) + " was not shown in the window");
    show_array_layer(work, layer, *base);
  }
  const bool visible = !workspace_.work_suspended() && layer == arrays->layer;
  connection_.answer(
      request, shown_members(work),
      shown_tensors(work, source_.spec.type, visible ? &workspace_.trace() : nullptr));
}

}  // namespace lab::shell
