#include <algorithm>
#include <utility>

#include "app/shell/connection_controller.h"
#include "app/translation/words.h"
#include "app/view/session/file_actions.h"

// The half of the controller that shows arrays: as documents, new numbers of them, and their
// layers.

namespace lab::shell {

namespace request = connection::request;

namespace {

// Numbers of layers that were asked for and are kept for the next time.
constexpr attention::Index kKeptNumbers = attention::Index{1} << 26;

attention::Index numbers_in(const Document& document) {
  const attention::Problem& problem = document.problem;
  return problem.config.n_heads * problem.seq_len() * problem.kv_len();
}

ShownArrays arrays_of(const connection::ArraySpec& spec, const std::string& program, int layer,
                      std::shared_ptr<const Document> base) {
  ShownArrays arrays;
  arrays.name = spec.name;
  arrays.program = program;
  arrays.layers = spec.layers;
  arrays.layer = layer;
  arrays.base = std::move(base);
  return arrays;
}

std::string missing_layer_text(int layer, const ShownArrays& arrays) {
  return tr("layer {} cannot be had: {} is no longer connected",
            {"L" + std::to_string(layer), arrays.program});
}

}  // namespace

// --- documents of other programs

const ShownArrays* ConnectionController::shown(const std::string& name) const {
  const auto& arrays = workspace_.own().arrays;
  return arrays && arrays->name == name ? arrays.get() : nullptr;
}

bool ConnectionController::is_coming(const std::string& name) const {
  return coming_ && !coming_->shown && coming_->source.spec.name == name;
}

bool ConnectionController::is_asking() const {
  return view_.state().dialog.open != view::Dialog::kNone;
}

// Arrays that the user left for another document, or did not want in place of one that is not
// saved, are offered from then on: a program that shows them again and again must not take its
// place.
void ConnectionController::follow_user() {
  note_left();
  if (coming_) {
    const bool waits = is_asking() || view_.jobs().busy() ||
                       view_.state().requests.waiting<view::request::Leave>() != nullptr;
    if (!coming_->shown && waits) return;
    const auto ended = std::exchange(coming_, nullptr);
    const std::string& name = ended->source.spec.name;
    if (!ended->shown && !name.empty()) leave_arrays(name), offered_ = ended;
  }
  follow_offer();
}

void ConnectionController::note_left() {
  if (!shown_name_.empty() && shown(shown_name_) == nullptr) leave_arrays(shown_name_);
}

void ConnectionController::leave_arrays(const std::string& name) {
  left_ = name;
  offered_.reset();
  shown_name_.clear();
}

void ConnectionController::follow_offer() {
  view::ViewState& state = view_.state();
  const bool accepts = std::exchange(state.accepts_arrays, false);
  state.arrays_offer.reset();
  if (!offered_) return;
  if (accepts)
    show(std::exchange(offered_, nullptr));
  else
    state.arrays_offer = view::ArraysOffer{offered_->program, offered_->source.spec.name};
}

void ConnectionController::execute(Request& request, request::Show& show) {
  const std::string name = show.spec.name;
  if (shown(name) != nullptr) return update(request, show);
  auto coming = std::make_shared<Coming>();
  coming->program = request.program;
  coming->opened = {std::move(show.document), {}, std::move(show.notes), true, {}, {}};
  coming->source = {request.client, std::move(show.spec), std::move(show.arrays)};
  coming->layer = show.layer;
  const bool is_left = name == left_;
  if (is_left)
    offered_ = std::move(coming);
  else if (is_coming(name))
    *coming_ = std::move(*coming);
  else
    this->show(std::move(coming));
  connection_.answer(request, {{"shown", !is_left}});
}

void ConnectionController::execute(Request& request, request::ShowModel& model) {
  auto coming = std::make_shared<Coming>();
  coming->program = request.program;
  coming->opened = std::move(model.opened);
  coming->source.client = request.client;
  coming->source.spec.name = model.name;
  coming->is_model = true;
  show(std::move(coming));
  connection_.answer(request, {{"shown", true}});
}

// Nothing would be lost, and nothing is asked.
bool ConnectionController::may_replace() const {
  return !workspace_.modified() && !workspace_.work_suspended() && !view_.jobs().busy() &&
         !is_asking() && view_.state().requests.waiting<view::request::Leave>() == nullptr;
}

// In place of the document, unless the user must be asked about that, as before a file is opened.
void ConnectionController::show(std::shared_ptr<Coming> coming) {
  coming_ = std::move(coming);
  left_.clear();
  if (!may_replace()) return leave_for_coming();
  workspace_.queue(show_coming(*coming_, view_.state()));
  workspace_.drain();
  shown_name_.clear();
}

void ConnectionController::leave_for_coming() {
  const auto show = [this, coming = coming_](view::Ui& ui) {
    ui.queue(show_coming(*coming, ui.state));
    shown_name_.clear();
  };
  view_.state().requests.ask(view::request::Leave{view::destination::Ready{show}});
}

intent::Replace ConnectionController::show_coming(Coming& coming, view::ViewState& state) {
  coming.shown = true;
  const connection::ArraySpec& spec = coming.source.spec;
  state.notice = tr("From {}: {}", {coming.program, coming.opened.document.title});
  if (coming.is_model) {
    model_name_ = spec.name;
    model_ = workspace_.own().opened + 1;
    return view::show_opened(state, coming.opened);
  }
  auto base = std::make_shared<const Document>(coming.opened.document);
  auto replace = view::show_opened(state, coming.opened,
                                   std::make_shared<const ShownArrays>(arrays_of(
                                       spec, coming.program, coming.layer, std::move(base))));
  state.arrays.connected = true;
  source_ = coming.source;
  return replace;
}

void ConnectionController::update(const Request& request, request::Show& show) {
  const int layer = shown(show.spec.name)->layer;
  source_ = {request.client, std::move(show.spec), std::move(show.arrays)};
  view_.state().arrays.connected = true;
  if (layer == show.layer) {
    update_layer(request.program, layer, std::move(show.document));
  } else if (layer >= source_.spec.layers) {
    show_layer(show.layer, std::make_shared<const Document>(show.document));
    update_layer(request.program, show.layer, std::move(show.document));
  } else if (source_.spec.lazy) {
    ask_for_layer(layer);
  } else if (auto document = layer_of_source(layer)) {
    update_layer(request.program, layer, **document);
  } else {
    return connection_.refuse(request, document.error().message);
  }
  connection_.answer(request, {{"shown", true}});
}

void ConnectionController::update_layer(const std::string& program, int layer, Document document) {
  workspace_.queue(intent::UpdateArrays{std::make_shared<const ShownArrays>(arrays_of(
      source_.spec, program, layer, std::make_shared<const Document>(std::move(document))))});
  workspace_.drain();
  const auto& arrays = workspace_.own().arrays;
  if (arrays && !arrays->lost.empty()) view_.state().notice = arrays->lost;
}

// --- layers

void ConnectionController::follow_choice() {
  const auto requested = std::exchange(view_.state().arrays.requested_layer, std::nullopt);
  if (requested && workspace_.arrays() && shown(source_.spec.name) != nullptr)
    go_to_layer(*requested);
}

void ConnectionController::go_to_layer(int layer) {
  view::ArraysState& state = view_.state().arrays;
  state.problem.clear();
  state.waiting_for.reset();
  if (layer == shown(source_.spec.name)->layer) return;
  const auto document = layer_of_source(layer);
  if (document && *document) return show_layer(layer, *document);
  if (!document) {
    state.problem = document.error().message;
  } else if (!state.connected) {
    state.problem = missing_layer_text(layer, *workspace_.own().arrays);
  } else {
    state.waiting_for = layer;
    ask_for_layer(layer);
  }
}

// Null when the program must be asked for it.
Expected<std::shared_ptr<const Document>> ConnectionController::layer_of_source(int layer) {
  if (const auto known = source_.layers.find(layer); known != source_.layers.end())
    return known->second;
  if (source_.spec.lazy && layer != 0) return nullptr;
  std::vector<std::string> notes;
  auto document = connection::document_of_arrays(source_.spec, *source_.arrays, layer, notes);
  if (!document) return tl::make_unexpected(document.error());
  return std::make_shared<const Document>(std::move(*document));
}

void ConnectionController::ask_for_layer(int layer) {
  connection_.ask_for_layer(source_.client, source_.spec, layer);
}

void ConnectionController::show_layer(int layer, const std::shared_ptr<const Document>& document) {
  arrived_ = Arrived::kMore;
  workspace_.queue(intent::ShowArrayLayer{layer, document});
}

void ConnectionController::execute(Request& request, request::LayerArrived& arrived) {
  const ShownArrays* const arrays = shown(arrived.name);
  if (arrays == nullptr || source_.client != request.client) return;
  view::ArraysState& state = view_.state().arrays;
  const bool waits = state.waiting_for == arrived.layer;
  if (waits) state.waiting_for.reset();
  if (!arrived.document) return void(state.problem = arrived.document.error().message);
  auto document = std::make_shared<const Document>(std::move(*arrived.document));
  attention::Index kept = numbers_in(*document);
  for (const auto& [layer, known] : source_.layers) kept += numbers_in(*known);
  if (kept > kKeptNumbers) source_.layers.clear();
  source_.layers[arrived.layer] = document;
  if (waits) return show_layer(arrived.layer, document);
  if (arrived.layer == arrays->layer) update_layer(request.program, arrived.layer, *document);
}

void ConnectionController::execute(Request& request, request::Disconnected&) {
  const auto of_client = [&](const Request& one) { return one.client == request.client; };
  for (auto* list : {&opening_, &waiting_, &wanting_numbers_}) std::erase_if(*list, of_client);
  const bool offers = offered_ && offered_->source.client == request.client;
  if (offers || source_.client == request.client) leave_arrays({});
  if (source_.client != request.client) return;
  view::ArraysState& state = view_.state().arrays;
  state.connected = false;
  if (!state.waiting_for) return;
  const int layer = *std::exchange(state.waiting_for, std::nullopt);
  if (const auto& arrays = workspace_.own().arrays)
    state.problem = missing_layer_text(layer, *arrays);
}

}  // namespace lab::shell
