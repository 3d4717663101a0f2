#pragma once

#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "app/platform/glib_pointers.h"
#include "app/tests/rooms.h"

namespace lab {

/// A D-Bus bus of the test's own.
class PrivateBus {
 public:
  PrivateBus();
  ~PrivateBus();
  PrivateBus(const PrivateBus&) = delete;
  PrivateBus& operator=(const PrivateBus&) = delete;
  /// Where it listens; empty when there is no dbus-daemon to start.
  const std::string& address() const { return address_; }

 private:
  GlibPointer<GSubprocess> daemon_;
  std::string address_;
};

/// A desktop portal with a file chooser that does what the test told it beforehand.
class FakePortal {
 public:
  enum class Manner { kAnswers, kWaits, kLacksFileChooser };
  struct Call {
    std::string method, parent, title;
    std::string options;  ///< as GLib writes variants
  };

  /// Owns the portal's name on `bus` when this returns.
  explicit FakePortal(const PrivateBus& bus, Manner manner = Manner::kAnswers);
  ~FakePortal();
  FakePortal(const FakePortal&) = delete;
  FakePortal& operator=(const FakePortal&) = delete;

  guint32 code = 0;               ///< how it answers: 0 chosen, 1 cancelled, 2 ended otherwise
  std::vector<std::string> uris;  ///< what was chosen

  /// What it was asked.
  std::vector<Call> calls();
  /// How many dialogs it was told to close.
  int closed();

 private:
  static void on_call(GDBusConnection*, const char* sender, const char* path, const char*,
                      const char* method, GVariant* arguments, GDBusMethodInvocation* invocation,
                      gpointer self);
  void file_chooser(const char* sender, const char* method, GVariant* arguments,
                    GDBusMethodInvocation* invocation);
  void offer(const char* path, const char* interface);

  Manner manner_;
  GlibPointer<GMainContext> context_;
  GlibPointer<GMainLoop> loop_;
  GlibPointer<GDBusConnection> bus_;
  std::mutex mutex_;
  std::vector<Call> calls_;
  int closed_ = 0;
  std::thread thread_;
};

}  // namespace lab
