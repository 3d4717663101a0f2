#include "app/platform/dialog_portal.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>

#include "app/platform/glib_pointers.h"

namespace lab::platform {
namespace {

constexpr const char* kPortal = "org.freedesktop.portal.Desktop";
constexpr const char* kPortalPath = "/org/freedesktop/portal/desktop";
constexpr const char* kRequest = "org.freedesktop.portal.Request";
constexpr int kCloseTimeout = 500;  // milliseconds

// A main context for this thread, which receives its signals.
class PrivateContext {
 public:
  PrivateContext() : context_(g_main_context_new()), loop_(g_main_loop_new(context_.get(), FALSE)) {
    g_main_context_push_thread_default(context_.get());
  }
  ~PrivateContext() { g_main_context_pop_thread_default(context_.get()); }
  PrivateContext(const PrivateContext&) = delete;
  PrivateContext& operator=(const PrivateContext&) = delete;

  void run(GCancellable* stop) {
    GSource* source = g_cancellable_source_new(stop);
    // GLib takes the callback of a source through this cast.
    g_source_set_callback(source, G_SOURCE_FUNC(+[](GCancellable*, gpointer loop) -> gboolean {
                            g_main_loop_quit(static_cast<GMainLoop*>(loop));
                            return G_SOURCE_REMOVE;
                          }),
                          loop_.get(), nullptr);
    g_source_attach(source, context_.get());
    g_main_loop_run(loop_.get());
    g_source_destroy(source);
    g_source_unref(source);
  }
  void quit() { g_main_loop_quit(loop_.get()); }

 private:
  GlibPointer<GMainContext> context_;
  GlibPointer<GMainLoop> loop_;
};

GlibPointer<GDBusConnection> connect(const std::string& address, GCancellable* stop) {
  constexpr auto kFlags =
      static_cast<GDBusConnectionFlags>(G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                        G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION);
  return GlibPointer<GDBusConnection>(
      g_dbus_connection_new_for_address_sync(address.c_str(), kFlags, nullptr, stop, nullptr));
}

// Texts on the bus must be UTF-8; paths are bytes.
std::string as_text(const std::string& bytes) {
  return GlibPointer<char>(g_filename_display_name(bytes.c_str())).get();
}

GVariant* filters_of(const view::FileQuestion& question) {
  GVariantBuilder filters;
  g_variant_builder_init(&filters, G_VARIANT_TYPE("a(sa(us))"));
  for (const view::FileFilter& filter : question.filters) {
    GVariantBuilder patterns;
    g_variant_builder_init(&patterns, G_VARIANT_TYPE("a(us)"));
    for (const std::string& pattern : filter.patterns)
      g_variant_builder_add(&patterns, "(us)", 0U, pattern.c_str());
    g_variant_builder_add(&filters, "(sa(us))", filter.name.c_str(), &patterns);
  }
  return g_variant_builder_end(&filters);
}

GVariant* arguments_of(const view::FileQuestion& question, unsigned long x11_window,
                       const std::string& token) {
  GVariantBuilder options;
  g_variant_builder_init(&options, G_VARIANT_TYPE_VARDICT);
  const auto add = [&](const char* name, GVariant* value) {
    g_variant_builder_add(&options, "{sv}", name, value);
  };
  add("handle_token", g_variant_new_string(token.c_str()));
  add("modal", g_variant_new_boolean(TRUE));
  if (question.type == view::FileQuestion::Type::kFolder)
    add("directory", g_variant_new_boolean(TRUE));
  if (!question.filters.empty()) add("filters", filters_of(question));
  if (!question.folder.empty())
    add("current_folder", g_variant_new_bytestring(question.folder.c_str()));
  if (!question.name.empty())
    add("current_name", g_variant_new_string(as_text(question.name).c_str()));
  const GlibPointer<char> parent(x11_window == 0 ? g_strdup("")
                                                 : g_strdup_printf("x11:%lx", x11_window));
  return g_variant_new("(ssa{sv})", parent.get(), question.title.c_str(), &options);
}

// The path in the results of the portal; the dialog may offer locations that are not files of this
// machine.
view::FileAnswer answer_of(GVariant* results) {
  const GlibPointer<GVariant> uris(
      g_variant_lookup_value(results, "uris", G_VARIANT_TYPE_STRING_ARRAY));
  if (!uris || g_variant_n_children(uris.get()) == 0) return {};
  const GlibPointer<GVariant> uri(g_variant_get_child_value(uris.get(), 0));
  const char* text = g_variant_get_string(uri.get(), nullptr);
  const GlibPointer<char> path(g_filename_from_uri(text, nullptr, nullptr));
  if (path) return {view::FileAnswer::Type::kChosen, path.get(), {}};
  return view::no_dialog(std::string(text) + " is no file of this computer");
}

// One request to the portal. The answer is a signal of an object that represents the request, under
// a path that both sides know in advance.
class Question {
 public:
  Question(GDBusConnection* bus, PrivateContext& context) : bus_(bus), context_(context) {
    static std::atomic<int> count = 0;
    token_ = "attention_lab_" + std::to_string(getpid()) + "_" + std::to_string(++count);
    std::string sender = g_dbus_connection_get_unique_name(bus) + 1;  // without its colon
    std::ranges::replace(sender, '.', '_');
    handle_ = std::string(kPortalPath) + "/request/" + sender + "/" + token_;
    listen(kPortal, kRequest, "Response", nullptr, on_response);
    listen("org.freedesktop.DBus", "org.freedesktop.DBus", "NameOwnerChanged", kPortal,
           on_owner_changed);
    g_signal_connect_swapped(
        bus, "closed", G_CALLBACK(+[](Question* self) { self->end(view::no_dialog()); }), this);
  }
  ~Question() {
    for (const guint id : subscriptions_) g_dbus_connection_signal_unsubscribe(bus_, id);
    g_signal_handlers_disconnect_by_data(bus_, this);
  }
  Question(const Question&) = delete;
  Question& operator=(const Question&) = delete;

  view::FileAnswer ask(const view::FileQuestion& question, unsigned long x11_window,
                       const GlibStop& stop) {
    const GlibPointer<GVariant> reply(g_dbus_connection_call_sync(
        bus_, kPortal, kPortalPath, "org.freedesktop.portal.FileChooser",
        question.type == view::FileQuestion::Type::kSave ? "SaveFile" : "OpenFile",
        arguments_of(question, x11_window, token_), G_VARIANT_TYPE("(o)"), G_DBUS_CALL_FLAGS_NONE,
        -1, stop.get(), nullptr));
    if (reply) {
      const char* handle = nullptr;
      g_variant_get(reply.get(), "(&o)", &handle);
      handle_ = handle;  // older portals choose another path
      context_.run(stop.get());
    }
    if (stop.stopped()) close();
    return answer_;
  }

 private:
  void listen(const char* sender, const char* interface, const char* member, const char* argument,
              GDBusSignalCallback call) {
    subscriptions_.push_back(
        g_dbus_connection_signal_subscribe(bus_, sender, interface, member, nullptr, argument,
                                           G_DBUS_SIGNAL_FLAGS_NONE, call, this, nullptr));
  }

  static void on_response(GDBusConnection*, const char*, const char* path, const char*, const char*,
                          GVariant* parameters, gpointer self) {
    auto& question = *static_cast<Question*>(self);
    const bool fits = g_variant_is_of_type(parameters, G_VARIANT_TYPE("(ua{sv})")) != 0;
    if (question.handle_ != path || !fits) return;
    guint32 code = 0;
    GVariant* results = nullptr;
    g_variant_get(parameters, "(u@a{sv})", &code, &results);
    const GlibPointer<GVariant> owned(results);
    // 1 is Cancel; some portals report a dialog whose window was closed as 2.
    question.end(code == 0 ? answer_of(results) : view::FileAnswer{});
  }

  static void on_owner_changed(GDBusConnection*, const char*, const char*, const char*, const char*,
                               GVariant* parameters, gpointer self) {
    const char* owner = nullptr;
    g_variant_get(parameters, "(&s&s&s)", nullptr, nullptr, &owner);
    if (*owner == '\0') static_cast<Question*>(self)->end(view::no_dialog());
  }

  void end(view::FileAnswer answer) {
    answer_ = std::move(answer);
    context_.quit();
  }

  void close() {
    const GlibPointer<GVariant> reply(g_dbus_connection_call_sync(
        bus_, kPortal, handle_.c_str(), kRequest, "Close", nullptr, nullptr, G_DBUS_CALL_FLAGS_NONE,
        kCloseTimeout, nullptr, nullptr));
  }

  GDBusConnection* bus_;
  PrivateContext& context_;
  std::string token_, handle_;
  std::vector<guint> subscriptions_;
  view::FileAnswer answer_ = view::no_dialog();
};

}  // namespace

std::string session_bus_address() {
  if (const char* address = std::getenv("DBUS_SESSION_BUS_ADDRESS"); address && *address)
    return address;
  const char* folder = std::getenv("XDG_RUNTIME_DIR");
  if (folder == nullptr || *folder == '\0') return {};
  const std::string socket = std::string(folder) + "/bus";
  std::error_code error;
  return std::filesystem::is_socket(socket, error) ? "unix:path=" + socket : std::string();
}

view::FileAnswer ask_portal(const std::string& bus_address, const view::FileQuestion& question,
                            unsigned long x11_window, const std::stop_token& stop) {
  const GlibStop stopping(stop);
  PrivateContext context;
  const auto bus = connect(bus_address, stopping.get());
  return bus ? Question(bus.get(), context).ask(question, x11_window, stopping) : view::no_dialog();
}

}  // namespace lab::platform
