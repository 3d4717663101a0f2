#pragma once

#include <gio/gio.h>

#include <functional>
#include <memory>
#include <stop_token>

namespace lab::platform {

/// Frees what GLib allocated.
struct GlibDelete {
  void operator()(GError* error) const { g_error_free(error); }
  void operator()(GVariant* variant) const { g_variant_unref(variant); }
  void operator()(GBytes* bytes) const { g_bytes_unref(bytes); }
  void operator()(GMainLoop* loop) const { g_main_loop_unref(loop); }
  void operator()(GMainContext* context) const { g_main_context_unref(context); }
  void operator()(char* text) const { g_free(text); }
  template <typename Object>
  void operator()(Object* object) const {
    g_object_unref(object);
  }
};

/// Owns a GLib object, structure or text.
template <typename T>
using GlibPointer = std::unique_ptr<T, GlibDelete>;

/// A GCancellable that is cancelled when a stop token is.
class GlibStop {
 public:
  /// Follows `stop`.
  explicit GlibStop(const std::stop_token& stop)
      : cancellable_(g_cancellable_new()),
        callback_(stop, [this] { g_cancellable_cancel(cancellable_.get()); }) {}
  /// The cancellable, owned by this.
  GCancellable* get() const { return cancellable_.get(); }
  /// True once stopping was requested.
  bool stopped() const { return g_cancellable_is_cancelled(cancellable_.get()) != 0; }

 private:
  GlibPointer<GCancellable> cancellable_;
  std::stop_callback<std::function<void()>> callback_;
};

}  // namespace lab::platform
