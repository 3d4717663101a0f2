#include "app/tests/platform/fake_portal.h"
#include "app/tests/rooms.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lab {
namespace {

constexpr const char* kInterfaces = R"(<node>
  <interface name="org.freedesktop.portal.FileChooser">
    <method name="OpenFile">
      <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/>
      <arg type="o" direction="out"/>
    </method>
    <method name="SaveFile">
      <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/>
      <arg type="o" direction="out"/>
    </method>
  </interface>
  <interface name="org.freedesktop.portal.Request">
    <method name="Close"/>
  </interface>
</node>)";

GDBusInterfaceInfo* interface_info(const char* name) {
  static GDBusNodeInfo* node = g_dbus_node_info_new_for_xml(kInterfaces, nullptr);
  return g_dbus_node_info_lookup_interface(node, name);
}

}  // namespace

PrivateBus::PrivateBus() {
  constexpr auto kFlags = static_cast<GSubprocessFlags>(G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                                        G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  daemon_.reset(g_subprocess_new(kFlags, nullptr, "dbus-daemon", "--session", "--nofork",
                                 "--print-address=1", nullptr));
  if (!daemon_) return;
  const GlibPointer<GDataInputStream> output(
      g_data_input_stream_new(g_subprocess_get_stdout_pipe(daemon_.get())));
  const GlibPointer<char> line(
      g_data_input_stream_read_line(output.get(), nullptr, nullptr, nullptr));
  if (line) address_ = line.get();
}

PrivateBus::~PrivateBus() {
  if (!daemon_) return;
  g_subprocess_force_exit(daemon_.get());
  g_subprocess_wait(daemon_.get(), nullptr, nullptr);
}

FakePortal::FakePortal(const PrivateBus& bus, Manner manner)
    : manner_(manner),
      context_(g_main_context_new()),
      loop_(g_main_loop_new(context_.get(), FALSE)) {
  g_main_context_push_thread_default(context_.get());
  constexpr auto kFlags =
      static_cast<GDBusConnectionFlags>(G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                        G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION);
  bus_.reset(g_dbus_connection_new_for_address_sync(bus.address().c_str(), kFlags, nullptr, nullptr,
                                                    nullptr));
  if (manner != Manner::kLacksFileChooser)
    offer("/org/freedesktop/portal/desktop", "org.freedesktop.portal.FileChooser");
  const GlibPointer<GVariant> owned(g_dbus_connection_call_sync(
      bus_.get(), "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
      "RequestName", g_variant_new("(su)", "org.freedesktop.portal.Desktop", 0U), nullptr,
      G_DBUS_CALL_FLAGS_NONE, -1, nullptr, nullptr));
  EXPECT_TRUE(owned);
  g_main_context_pop_thread_default(context_.get());
  thread_ = std::thread([this] {
    g_main_context_push_thread_default(context_.get());
    g_main_loop_run(loop_.get());
    g_main_context_pop_thread_default(context_.get());
  });
}

FakePortal::~FakePortal() {
  g_dbus_connection_close_sync(bus_.get(), nullptr, nullptr);
  while (!g_main_loop_is_running(loop_.get())) std::this_thread::yield();
  g_main_loop_quit(loop_.get());
  thread_.join();
}

std::vector<FakePortal::Call> FakePortal::calls() {
  const std::scoped_lock lock(mutex_);
  return calls_;
}

int FakePortal::closed() {
  const std::scoped_lock lock(mutex_);
  return closed_;
}

void FakePortal::offer(const char* path, const char* interface) {
  static const GDBusInterfaceVTable kTable{on_call, nullptr, nullptr, {}};
  g_dbus_connection_register_object(bus_.get(), path, interface_info(interface), &kTable, this,
                                    nullptr, nullptr);
}

void FakePortal::on_call(GDBusConnection*, const char* sender, const char*, const char*,
                         const char* method, GVariant* arguments, GDBusMethodInvocation* invocation,
                         gpointer self) {
  auto& portal = *static_cast<FakePortal*>(self);
  const std::scoped_lock lock(portal.mutex_);
  if (std::string(method) != "Close")
    return portal.file_chooser(sender, method, arguments, invocation);
  ++portal.closed_;
  g_dbus_method_invocation_return_value(invocation, nullptr);
}

void FakePortal::file_chooser(const char* sender, const char* method, GVariant* arguments,
                              GDBusMethodInvocation* invocation) {
  const char *parent = nullptr, *title = nullptr, *token = nullptr;
  GVariant* raw = nullptr;
  g_variant_get(arguments, "(&s&s@a{sv})", &parent, &title, &raw);
  const GlibPointer<GVariant> options(raw);
  g_variant_lookup(options.get(), "handle_token", "&s", &token);
  calls_.push_back(
      {method, parent, title, GlibPointer<char>(g_variant_print(options.get(), FALSE)).get()});
  std::string name = sender + 1;
  std::ranges::replace(name, '.', '_');
  const std::string handle = "/org/freedesktop/portal/desktop/request/" + name + "/" + token;
  offer(handle.c_str(), "org.freedesktop.portal.Request");
  g_dbus_method_invocation_return_value(invocation, g_variant_new("(o)", handle.c_str()));
  if (manner_ == Manner::kWaits) return;
  GVariantBuilder results, list;
  g_variant_builder_init(&results, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_init(&list, G_VARIANT_TYPE_STRING_ARRAY);
  for (const std::string& uri : uris) g_variant_builder_add(&list, "s", uri.c_str());
  g_variant_builder_add(&results, "{sv}", "uris", g_variant_builder_end(&list));
  g_dbus_connection_emit_signal(bus_.get(), sender, handle.c_str(),
                                "org.freedesktop.portal.Request", "Response",
                                g_variant_new("(ua{sv})", code, &results), nullptr);
}

}  // namespace lab
