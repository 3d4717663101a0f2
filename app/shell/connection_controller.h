#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/connection/connection.h"
#include "app/document/workspace.h"
#include "app/view/main_view.h"

namespace lab::shell {

/// What came from other programs.
enum class Arrived {
  kNothing,
  kQuestions,  ///< that were answered and changed nothing
  kNumbers,    ///< new numbers of arrays that were shown before
  kMore,       ///< something else that is visible
};

/// Executes what other programs ask of the window: a second start of this one, which hands its
/// file over, and programs that show their arrays.
class ConnectionController {
 public:
  /// Executes the requests of `connection` in `workspace` and `view`; all must outlive this.
  /// Calls `bring_to_front` when a second start handed a file over.
  ConnectionController(connection::Connection& connection, Workspace& workspace,
                       view::MainView& view, std::function<void()> bring_to_front);

  /// Call this before each frame: executes what came in, except what only the frame can do.
  Arrived take_requests();
  /// Call this after each frame, when it is on the screen: answers those who wait for it.
  void end_frame();

 private:
  using Request = connection::Request;

  // Who gave the arrays that are shown, or will be.
  struct Source {
    connection::ClientId client = 0;
    connection::ArraySpec spec;
    std::shared_ptr<const files::TensorFile> arrays;
    std::map<int, std::shared_ptr<const Document>> layers = {};  // that it was asked for
  };
  // A document that waits until the one before it is left.
  struct Coming {
    Source source;
    std::string program;
    files::Opened opened;
    int layer = 0;
    bool is_model = false;
    bool shown = false;
  };

  void execute(Request& request);
  void execute(Request& request, connection::request::Open& open);
  void execute(Request& request, connection::request::Show& show);
  void execute(Request& request, connection::request::ShowModel& show);
  void execute(Request& request, connection::request::Numbers& numbers);
  void execute(Request& request, connection::request::WaitShown& wait);
  void execute(Request& request, connection::request::LayerArrived& arrived);
  void execute(Request& request, connection::request::Disconnected& disconnected);

  void show(std::shared_ptr<Coming> coming);
  intent::Replace show_coming(Coming& coming, view::ViewState& state);
  void leave_for_coming();
  bool may_replace() const;
  bool answer_waiting(const Request& request);
  void update(const Request& request, connection::request::Show& show);
  void update_layer(const std::string& program, int layer, Document document);
  void follow_choice();
  void go_to_layer(int layer);
  void show_layer(int layer, const std::shared_ptr<const Document>& document);
  Expected<std::shared_ptr<const Document>> layer_of_source(int layer);
  void ask_for_layer(int layer);
  void follow_user();
  void leave_arrays(const std::string& name);
  void follow_offer();
  void answer_numbers();
  void note_shown();
  void note_left();
  bool is_model_shown(const std::string& name) const;
  void answer_opened();
  void send_numbers(const Request& request, const connection::request::Numbers& numbers);
  bool is_coming(const std::string& name) const;
  bool is_asking() const;
  const ShownArrays* shown(const std::string& name) const;

  connection::Connection& connection_;
  Workspace& workspace_;
  view::MainView& view_;
  std::function<void()> bring_to_front_;
  Source source_;
  std::shared_ptr<Coming> coming_;
  std::shared_ptr<Coming> offered_;  // the newest of arrays that the user left, see ArraysOffer
  std::string left_;                 // their name; empty: none were left
  std::string shown_name_;           // of the arrays that were shown in the last frame
  std::string model_name_;           // of the model that a program showed last
  int model_ = -1;                   // Work::opened of it
  int opened_ = -1, opened_on_screen_ = -1;  // Workspace::opened, as drawn_ and on_screen_
  std::vector<Request> opening_, waiting_, wanting_numbers_;
  Arrived arrived_ = Arrived::kNothing;
  std::shared_ptr<const ShownArrays> drawn_, on_screen_;  // in the next frame, in the last one
};

}  // namespace lab::shell
