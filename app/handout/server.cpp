#include "app/handout/server.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>

#include <atomic>
#include <new>

#include "app/base/bad_input.h"

namespace lab::handout {

struct Server::State {
  Answer answer;
  std::atomic<std::uint16_t> port = 0;  // set while requests are answered already
  MHD_Daemon* daemon = nullptr;

  ~State() {
    if (daemon != nullptr) MHD_stop_daemon(daemon);
  }
};

namespace {

constexpr unsigned kMostConnections = 32, kIdleSeconds = 30;
constexpr std::size_t kMemoryOfConnection = 32 * 1024;  // its request line and headers

void add_header(MHD_Response* response, const char* name, const std::string& value) {
  MHD_add_response_header(response, name, value.c_str());
}

MHD_Result send(MHD_Connection* connection, const Reply& reply) {
  MHD_Response* response = MHD_create_response_from_buffer(
      reply.content.size(), const_cast<char*>(reply.content.data()), MHD_RESPMEM_MUST_COPY);
  if (response == nullptr) return MHD_NO;
  add_header(response, "Content-Type", reply.type);
  if (!reply.policy.empty()) add_header(response, "Content-Security-Policy", reply.policy);
  if (reply.status == MHD_HTTP_METHOD_NOT_ALLOWED) add_header(response, "Allow", "GET, HEAD");
  add_header(response, "Cache-Control", "no-cache");
  add_header(response, "X-Content-Type-Options", "nosniff");
  add_header(response, "X-Frame-Options", "SAMEORIGIN");
  add_header(response, "Cross-Origin-Resource-Policy", "same-origin");
  add_header(response, "Referrer-Policy", "no-referrer");
  const MHD_Result queued = MHD_queue_response(connection, reply.status, response);
  MHD_destroy_response(response);
  return queued;
}

Reply plain(unsigned status, std::string text) {
  return {status, "text/plain; charset=utf-8", std::move(text) + "\n"};
}

// Another host's name that leads to this machine belongs to a page of that host.
bool names_this_machine(const char* host, std::uint16_t port) {
  if (host == nullptr) return false;
  const std::string end = ":" + std::to_string(port);
  for (const char* name : {"127.0.0.1", "localhost"}) {
    if (host == name + end) return true;
    if (port == 80 && std::string_view(host) == name) return true;  // browsers leave it out
  }
  return false;
}

Reply answer_to(MHD_Connection* connection, const char* path, std::string_view method,
                const Answer& answer, std::uint16_t port) {
  const char* host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
  if (!names_this_machine(host, port))
    return plain(403, "This server answers only to this machine.");
  if (method != "GET" && method != "HEAD") return plain(405, "There is nothing to be changed.");
  try {
    return answer(path);
  } catch (const std::bad_alloc&) {
    return plain(500, "There is not enough memory.");
  } catch (const std::exception& error) {
    return plain(500, error.what());
  }
}

}  // namespace

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}
Server::Server(Server&&) noexcept = default;
Server& Server::operator=(Server&&) noexcept = default;
Server::~Server() = default;

std::uint16_t Server::port() const { return state_->port; }
std::string Server::address() const { return "http://127.0.0.1:" + std::to_string(state_->port); }

Expected<Server> Server::start(std::uint16_t port, Answer answer) {
  auto state = std::make_unique<State>();
  state->answer = std::move(answer);
  sockaddr_in loopback{};
  loopback.sin_family = AF_INET;
  loopback.sin_port = htons(port);
  loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto handle = [](void* context, MHD_Connection* connection, const char* url,
                         const char* method, const char* /*version*/, const char* /*upload*/,
                         std::size_t* upload_size, void** seen) -> MHD_Result {
    // The first call is before the body of a request, which nothing here has a use for.
    if (*seen == nullptr) {
      *seen = context;
      return MHD_YES;
    }
    if (*upload_size != 0) {
      *upload_size = 0;
      return MHD_YES;
    }
    const auto& of = *static_cast<const State*>(context);
    return send(connection, answer_to(connection, url, method, of.answer, of.port));
  };
  state->daemon =
      MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD, port, nullptr, nullptr, handle, state.get(),
                       MHD_OPTION_SOCK_ADDR, &loopback, MHD_OPTION_CONNECTION_LIMIT,
                       kMostConnections, MHD_OPTION_CONNECTION_TIMEOUT, kIdleSeconds,
                       MHD_OPTION_CONNECTION_MEMORY_LIMIT, kMemoryOfConnection, MHD_OPTION_END);
  if (state->daemon == nullptr)
    return fail(ErrorType::kFailed,
                port == 0 ? "the page cannot be served: there is no free port"
                          : "port " + std::to_string(port) +
                                " cannot be used; without --port a free one is taken");
  const MHD_DaemonInfo* info = MHD_get_daemon_info(state->daemon, MHD_DAEMON_INFO_BIND_PORT);
  state->port = info != nullptr && info->port != 0 ? info->port : port;
  return Server(std::move(state));
}

}  // namespace lab::handout
