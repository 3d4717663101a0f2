#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "app/connection/frame.h"
#include "app/connection/listening_socket.h"
#include "app/files/tensors/tensors.h"

namespace lab::connection {

/// The program at the other end of a connection. Nothing waits longer than two seconds.
class Client {
 public:
  /// Connects, and says hello unless the test does not want that.
  explicit Client(const std::string& path, bool says_hello = true);

  /// Sends bytes as they are; false when the other end is closed.
  bool send(std::string_view bytes) const;
  /// Sends a request with the next id.
  void ask(nlohmann::json request, const std::string& payload = {});
  /// The next message; nothing when the connection was closed, or none came in time.
  std::optional<nlohmann::json> receive();
  /// True when there is something to receive.
  bool has_answer() const;
  /// The payload of the last message.
  const std::string& payload() const { return payload_; }
  /// The error in the next message; empty when there is none.
  std::string error();
  /// True when the other end closes the connection in time.
  bool is_closed();
  /// Ends the connection.
  void close() { socket_ = {}; }

 private:
  files::Descriptor socket_;
  int newest_id_ = 0;
  FrameReader reader_;
  std::vector<Frame> frames_;
  std::string payload_;
};

/// Weights of `heads` heads whose rows sum to 1, [heads × n × n]; another `seed`, other numbers.
files::Tensor sample_weights(int heads, int n, int seed = 0);
/// A safetensors file of them, called "weights".
std::string weights_file(int heads, int n, int seed = 0);

}  // namespace lab::connection
