#pragma once

#include <memory>
#include <string>

#include "app/connection/connection.h"
#include "app/shell/connection_controller.h"
#include "app/tests/connection/client.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/screen.h"

namespace lab::connection {

/// A window without a display, which other programs can reach by a real socket.
class ReachableWindow : public testing::Test {
 protected:
  ReachableWindow();

  /// Draws frames until `client` has an answer, and returns it; fails the test after two seconds.
  nlohmann::json answer_for(Client& client);
  /// The same for one request.
  nlohmann::json asked_by(Client& client, const nlohmann::json& request,
                          const std::string& payload = {});
  /// Shows weights under a name and draws them.
  void show(Client& client, const std::string& name, const std::string& payload,
            nlohmann::json members = nlohmann::json::object());
  /// Draws frames until `condition` holds; fails the test after two seconds.
  template <typename Condition>
  void draw_until(Condition condition) {
    for (int i = 0; i < 400 && !condition(); ++i) draw();
    EXPECT_TRUE(condition());
  }
  /// Draws one frame as the window's loop does.
  void draw();
  /// A number of the stage weights.
  float weight(int head, int row, int col) const;

  TemporaryFolder folder_;
  const std::string path_ = folder_ / "window.socket";
  Screen screen_;
  int brought_to_front_ = 0;
  std::unique_ptr<Connection> connection_;
  std::unique_ptr<shell::ConnectionController> controller_;
};

}  // namespace lab::connection
