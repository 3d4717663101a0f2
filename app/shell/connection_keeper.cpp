#include "app/shell/connection_keeper.h"

#include <algorithm>
#include <utility>

#include "app/document/arrays/array_work.h"
#include "app/shell/shown_numbers.h"
#include "app/translation/words.h"
#include "app/view/session/file_actions.h"

namespace lab::shell {

namespace asked = connection::asked;

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

std::string layer_is_gone(int layer, const ShownArrays& arrays) {
  return tr("layer {} cannot be had: {} is no longer connected",
            {"L" + std::to_string(layer), arrays.program});
}

}  // namespace

ConnectionKeeper::ConnectionKeeper(connection::Connection& connection, Workspace& workspace,
                                   view::MainView& view, std::function<void()> bring_to_front)
    : connection_(connection),
      workspace_(workspace),
      view_(view),
      bring_to_front_(std::move(bring_to_front)) {}

Arrived ConnectionKeeper::take_requests() {
  arrived_ = Arrived::kNothing;
  forget_declined();
  for (Request& request : connection_.take()) carry_out(request);
  follow_choice();
  workspace_.drain();
  if (workspace_.settle()) arrived_ = std::max(arrived_, Arrived::kNumbers);
  answer_numbers();
  note_shown();
  return arrived_;
}

// For the next numbers that come, and for those who wait until these are on the screen.
void ConnectionKeeper::note_shown() {
  drawn_ = workspace_.behind() ? nullptr : workspace_.arrays();
  const auto& own = workspace_.own().arrays;
  connection_.look_at(own ? own->name : std::string(), own ? own->layer : 0);
}

void ConnectionKeeper::end_frame() {
  answer_opened();
  on_screen_ = drawn_;
  std::erase_if(waiting_, [this](const Request& request) { return answer_waiting(request); });
}

// False while it has to wait.
bool ConnectionKeeper::answer_waiting(const Request& request) {
  const std::string& name = std::get<asked::WaitShown>(request.what).name;
  if (shown(name) != nullptr) {
    const bool seen = on_screen_ != nullptr && workspace_.own().arrays == on_screen_;
    if (seen) connection_.answer(request);
    return seen;
  }
  if (is_coming(name) && !is_asking()) return false;
  connection_.refuse(request, is_coming(name) ? "the window asks about unsaved changes first"
                                              : name + " is not shown in the window");
  return true;
}

void ConnectionKeeper::carry_out(Request& request) {
  const bool asks = std::holds_alternative<asked::Numbers>(request.what) ||
                    std::holds_alternative<asked::WaitShown>(request.what);
  const auto* show = std::get_if<asked::Show>(&request.what);
  const bool updates = show != nullptr && shown(show->spec.name) != nullptr;
  arrived_ = std::max(arrived_, asks      ? Arrived::kQuestions
                                : updates ? Arrived::kNumbers
                                          : Arrived::kMore);
  std::visit([&](auto& what) { carry_out(request, what); }, request.what);
}

// --- files

void ConnectionKeeper::carry_out(Request& request, asked::Open& open) {
  view::ViewState& state = view_.state();
  state.error.clear();
  state.requests.ask(view::request::Leave{view::destination::Source{open.source}});
  bring_to_front_();
  opening_.push_back(std::move(request));
}

// Once the file was read, or the user is asked about the document before it.
void ConnectionKeeper::answer_opened() {
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

// --- documents of other programs

const ShownArrays* ConnectionKeeper::shown(const std::string& name) const {
  const auto& arrays = workspace_.own().arrays;
  return arrays && arrays->name == name ? arrays.get() : nullptr;
}

bool ConnectionKeeper::is_coming(const std::string& name) const {
  return coming_ && !coming_->shown && coming_->source.spec.name == name;
}

bool ConnectionKeeper::is_asking() const {
  return view_.state().dialog.open != view::Dialog::kNone;
}

// A document that was asked about and is not wanted.
void ConnectionKeeper::forget_declined() {
  if (!workspace_.modified()) declined_.clear();
  if (!coming_) return;
  const bool waits = is_asking() || view_.jobs().busy() ||
                     view_.state().requests.waiting<view::request::Leave>() != nullptr;
  if (!coming_->shown && waits) return;
  if (!coming_->shown) declined_ = coming_->source.spec.name;
  coming_.reset();
}

void ConnectionKeeper::carry_out(Request& request, asked::Show& show) {
  if (shown(show.spec.name) != nullptr) return update(request, show);
  const std::string name = show.spec.name;
  if (name == declined_)
    return connection_.refuse(request, "the window keeps the document that is not saved yet; save "
                                       "it there before " + name + " is shown");
  files::Opened opened{std::move(show.document), {}, std::move(show.notes), true, {}, {}};
  this->show(request, std::move(opened),
             {request.client, std::move(show.spec), std::move(show.arrays)}, show.layer);
  connection_.answer(request);
}

void ConnectionKeeper::carry_out(Request& request, asked::ShowModel& model) {
  show(request, std::move(model.opened), {}, 0);
  connection_.answer(request);
}

// Nothing would be lost, and nothing is asked.
bool ConnectionKeeper::may_replace() const {
  return !workspace_.modified() && !workspace_.work_suspended() && !view_.jobs().busy() &&
         !is_asking() && view_.state().requests.waiting<view::request::Leave>() == nullptr;
}

void ConnectionKeeper::show(const Request& request, files::Opened opened, Source source,
                            int layer) {
  const std::string& name = source.spec.name;
  const bool is_asked = is_coming(name) && !name.empty();
  if (!is_asked) coming_ = std::make_shared<Coming>();
  coming_->program = request.program;
  coming_->opened = std::move(opened);
  coming_->source = std::move(source);
  coming_->layer = layer;
  if (is_asked) return;
  if (!may_replace()) return leave_for_coming();
  workspace_.queue(show_coming(*coming_, source_, view_.state()));
  workspace_.drain();
}

// Asks about the document that is shown, as opening a file does.
void ConnectionKeeper::leave_for_coming() {
  const auto show = [this, coming = coming_](view::Ui& ui) {
    ui.queue(show_coming(*coming, source_, ui.state));
  };
  view_.state().requests.ask(view::request::Leave{view::destination::Ready{show}});
}

intent::Replace ConnectionKeeper::show_coming(Coming& coming, Source& source,
                                              view::ViewState& state) {
  coming.shown = true;
  const connection::ArraySpec& spec = coming.source.spec;
  state.notice = tr("From {}: {}", {coming.program, coming.opened.document.title});
  if (spec.name.empty()) return view::show_opened(state, coming.opened);
  auto base = std::make_shared<const Document>(coming.opened.document);
  auto replace =
      view::show_opened(state, coming.opened,
                        std::make_shared<const ShownArrays>(
                            arrays_of(spec, coming.program, coming.layer, std::move(base))));
  state.arrays.connected = true;
  source = coming.source;
  return replace;
}

void ConnectionKeeper::update(const Request& request, asked::Show& show) {
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
  connection_.answer(request);
}

void ConnectionKeeper::update_layer(const std::string& program, int layer, Document document) {
  workspace_.queue(intent::UpdateArrays{std::make_shared<const ShownArrays>(
      arrays_of(source_.spec, program, layer,
                std::make_shared<const Document>(std::move(document))))});
  workspace_.drain();
  const auto& arrays = workspace_.own().arrays;
  if (arrays && !arrays->lost.empty()) view_.state().notice = arrays->lost;
}

// --- layers

void ConnectionKeeper::follow_choice() {
  const auto wanted = std::exchange(view_.state().arrays.wanted_layer, std::nullopt);
  if (wanted && workspace_.arrays() && shown(source_.spec.name) != nullptr) look_at_layer(*wanted);
}

void ConnectionKeeper::look_at_layer(int layer) {
  view::ArraysState& state = view_.state().arrays;
  state.problem.clear();
  state.waiting_for.reset();
  if (layer == shown(source_.spec.name)->layer) return;
  const auto document = layer_of_source(layer);
  if (document && *document) return show_layer(layer, *document);
  if (!document) {
    state.problem = document.error().message;
  } else if (!state.connected) {
    state.problem = layer_is_gone(layer, *workspace_.own().arrays);
  } else {
    state.waiting_for = layer;
    ask_for_layer(layer);
  }
}

// Null when the program must be asked for it.
Expected<std::shared_ptr<const Document>> ConnectionKeeper::layer_of_source(int layer) {
  if (const auto known = source_.layers.find(layer); known != source_.layers.end())
    return known->second;
  if (source_.spec.lazy && layer != 0) return nullptr;
  std::vector<std::string> notes;
  auto document = connection::document_of_arrays(source_.spec, *source_.arrays, layer, notes);
  if (!document) return tl::make_unexpected(document.error());
  return std::make_shared<const Document>(std::move(*document));
}

void ConnectionKeeper::ask_for_layer(int layer) {
  connection_.ask_for_layer(source_.client, source_.spec, layer);
}

void ConnectionKeeper::show_layer(int layer, const std::shared_ptr<const Document>& document) {
  arrived_ = Arrived::kMore;
  workspace_.queue(intent::ShowArrayLayer{layer, document});
}

void ConnectionKeeper::carry_out(Request& request, asked::LayerArrived& arrived) {
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

void ConnectionKeeper::carry_out(Request& request, asked::Gone&) {
  const auto of_client = [&](const Request& one) { return one.client == request.client; };
  for (auto* list : {&opening_, &waiting_, &wanting_numbers_}) std::erase_if(*list, of_client);
  if (source_.client != request.client) return;
  view::ArraysState& state = view_.state().arrays;
  state.connected = false;
  if (!state.waiting_for) return;
  const int layer = *std::exchange(state.waiting_for, std::nullopt);
  if (const auto& arrays = workspace_.own().arrays)
    state.problem = layer_is_gone(layer, *arrays);
}

// --- numbers

void ConnectionKeeper::carry_out(Request& request, asked::Numbers&) {
  wanting_numbers_.push_back(std::move(request));
}

void ConnectionKeeper::carry_out(Request& request, asked::WaitShown&) {
  workspace_.drain();
  if (!answer_waiting(request)) waiting_.push_back(std::move(request));
}

// Once what the user edited is computed.
void ConnectionKeeper::answer_numbers() {
  if (workspace_.behind()) return;
  for (const Request& request : std::exchange(wanting_numbers_, {}))
    send_numbers(request, std::get<asked::Numbers>(request.what));
}

void ConnectionKeeper::send_numbers(const Request& request, const asked::Numbers& numbers) {
  const ShownArrays* const arrays = shown(numbers.name);
  if (arrays == nullptr)
    return connection_.refuse(request, numbers.name + " is not shown in the window");
  const int layer = numbers.layer.value_or(arrays->layer);
  if (layer >= arrays->layers)
    return connection_.refuse(request, "there is no layer " + std::to_string(layer) + "; " +
                                           numbers.name + " has " +
                                           std::to_string(arrays->layers));
  Work work = workspace_.own();
  if (layer != arrays->layer) {
    const auto base = layer_of_source(layer);
    if (!base || !*base)
      return connection_.refuse(request, "layer " + std::to_string(layer) +
                                             " was not looked at in the window");
    show_array_layer(work, layer, *base);
  }
  const bool seen = !workspace_.work_suspended() && layer == arrays->layer;
  const ShownNumbers sent =
      shown_numbers(work, source_.spec.kind, seen ? &workspace_.trace() : nullptr);
  connection_.answer(request, sent.members, sent.tensors);
}

}  // namespace lab::shell
