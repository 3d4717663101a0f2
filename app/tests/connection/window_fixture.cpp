#include "app/tests/connection/window_fixture.h"

#include <poll.h>
#include <unistd.h>

#include "app/files/open.h"

namespace lab::connection {

ReachableWindow::ReachableWindow() : screen_(*files::open_document("cat-sat")) {
  auto opened = Connection::open(path_, [] {});
  EXPECT_TRUE(opened) << (opened ? "" : opened.error().message);
  connection_ = std::move(*opened);
  controller_ = std::make_unique<shell::ConnectionController>(
      *connection_, screen_.workspace, screen_.view, [this] { ++brought_to_front_; });
  draw();
}

void ReachableWindow::draw() {
  controller_->take_requests();
  screen_.frames();
  controller_->end_frame();
  ::usleep(2000);
}

nlohmann::json ReachableWindow::answer_for(Client& client) {
  for (int i = 0; i < 400; ++i) {
    if (client.has_answer()) return *client.receive();
    draw();
  }
  ADD_FAILURE() << "no answer";
  return {};
}

nlohmann::json ReachableWindow::asked_by(Client& client, const nlohmann::json& request,
                                         const std::string& payload) {
  client.ask(request, payload);
  return answer_for(client);
}

void ReachableWindow::show(Client& client, const std::string& name, const std::string& payload,
                           nlohmann::json members) {
  members["do"] = "show";
  members["name"] = name;
  EXPECT_EQ(asked_by(client, members, payload).value("error", ""), "");
  EXPECT_EQ(asked_by(client, {{"do", "wait_shown"}, {"name", name}}).value("error", ""), "");
}

float ReachableWindow::weight(int head, int row, int col) const {
  return (*screen_.workspace.trace().heads.at(static_cast<std::size_t>(head)).weights)(row, col);
}

}  // namespace lab::connection
