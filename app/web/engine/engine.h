#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "app/document/snapshot.h"
#include "app/document/words/paired_tokens.h"
#include "app/document/workspace.h"
#include "app/files/session/session_view.h"

namespace lab::web {

class ModelQuestions;
struct LessonSession;
class TrainingSession;

/// A state that is compared, A, with the words that it shares with the one that is edited, B.
struct KeptState {
  Snapshot a;
  PairedTokens words;
};

/// What a page has open, and what it asks for: requests and answers are JSON objects. A page in a
/// browser calls it by the functions of exports.cpp; everything is computed before they return.
class Engine {
 public:
  /// Nothing is open.
  Engine();
  ~Engine();
  /// Can be neither copied nor moved: a page has one.
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Answers a request, {"do": name, …}. Its names are those of the table in requests.cpp. What
  /// cannot be done changes nothing, and is answered by {"error": a sentence for a person}.
  nlohmann::json answer(std::string_view request);

  /// Opens `document`, with a new history.
  void open(Document document, std::optional<files::SessionView> view);
  /// The same within a lesson, which goes on.
  void show(Document document);
  /// What is open. Throws BadInput when nothing is.
  Workspace& workspace();
  /// How the session was viewed when it was opened, which saving keeps; nothing if it did not say.
  const std::optional<files::SessionView>& view() const { return view_; }
  /// Sets what saving writes of how it is viewed.
  void set_view(std::optional<files::SessionView> view) { view_ = std::move(view); }

  /// Keeps what is shown as A, to be compared with it later.
  void keep();
  /// Ends the comparison.
  void forget_kept() { kept_.reset(); }
  /// A, paired with what is shown now; null when nothing is kept.
  const KeptState* kept();

  /// What is asked about a trained model; forgotten when something else is opened.
  ModelQuestions& model_questions();

  /// The lesson that is played; null when none is. Opening something else ends it.
  LessonSession* lesson() { return lesson_.get(); }
  /// Begins a lesson, or ends it (null).
  void set_lesson(std::unique_ptr<LessonSession> lesson);

  /// The training that goes on; null when none does.
  TrainingSession* training() { return training_.get(); }
  /// Begins training, or ends it (null).
  void set_training(std::unique_ptr<TrainingSession> training);

  /// Bytes that a request is about, such as those of a file; the page fills them before.
  std::string& input() { return input_; }
  /// Bytes that the last request has made, such as those of a session.
  std::string& output() { return output_; }

  /// The numbers of a stage of the document that is shown, by its index in attention::kAllStages,
  /// and of an editable matrix, by its MatrixId: what is used in its place when it is absent. They
  /// stay valid until the next call. Null when there are none.
  const attention::Matrix* stage(int stage, int head);
  /// See stage().
  const attention::Matrix* matrix(int id, int head);
  /// The weights of a head of a trained model, by sublayer (attention::network::Sublayer), layer
  /// and head: [n × its keys], row after row; null when there are none.
  attention::MatrixView model_weights(int sublayer, int layer, int head);
  /// The same stage of A, and B − A by the words of B; null also where A has none that fits.
  const attention::Matrix* kept_stage(int stage, int head);
  /// See kept_stage().
  const attention::Matrix* difference(int stage, int head);

 private:
  std::unique_ptr<Workspace> workspace_;
  std::optional<files::SessionView> view_;
  std::optional<KeptState> kept_;
  std::unique_ptr<ModelQuestions> model_questions_;
  std::unique_ptr<LessonSession> lesson_;
  std::unique_ptr<TrainingSession> training_;
  std::string input_, output_;
  attention::SharedMatrix asked_;
};

}  // namespace lab::web
