#include <webp/encode.h>
#include <webp/mux.h>

#include <new>
#include <stdexcept>

#include "app/figure/animation/frame_encoder.h"

namespace lab::figure {
namespace {

struct EncoderDeleter {
  void operator()(WebPAnimEncoder* encoder) const { WebPAnimEncoderDelete(encoder); }
};

/// Frees a WebP picture.
class Picture {
 public:
  explicit Picture(const FigureImage& frame) {
    if (WebPPictureInit(&picture_) == 0) throw std::runtime_error("WebP: another version");
    picture_.use_argb = 1;
    picture_.width = frame.width, picture_.height = frame.height;
    if (WebPPictureImportRGBA(&picture_, frame.rgba.data(), frame.width * 4) == 0)
      throw std::bad_alloc();
  }
  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;
  ~Picture() { WebPPictureFree(&picture_); }
  WebPPicture* get() { return &picture_; }

 private:
  WebPPicture picture_{};
};

WebPConfig lossless() {
  // From 0, fast, to 9, small: images of flat colours gain little from more.
  constexpr int kEffort = 1;
  WebPConfig config;
  if (WebPConfigInit(&config) == 0 || WebPConfigLosslessPreset(&config, kEffort) == 0)
    throw std::runtime_error("WebP: another version");
  return config;
}

WebPAnimEncoderOptions animation_options() {
  WebPAnimEncoderOptions options;
  if (WebPAnimEncoderOptionsInit(&options) == 0) throw std::runtime_error("WebP: another version");
  // Each frame stores only what changed, and is encoded at once.
  options.kmin = options.kmax = 0;
  return options;
}

class WebpEncoder : public FrameEncoder {
 public:
  WebpEncoder(int width, int height) : config_(lossless()) {
    const WebPAnimEncoderOptions options = animation_options();
    encoder_.reset(WebPAnimEncoderNew(width, height, &options));
    if (encoder_ == nullptr) throw std::bad_alloc();
  }

  void add(const FigureImage& frame, int milliseconds) override {
    Picture picture(frame);
    check(WebPAnimEncoderAdd(encoder_.get(), picture.get(), time_, &config_) != 0);
    time_ += milliseconds;
  }

  std::string finish() override {
    check(WebPAnimEncoderAdd(encoder_.get(), nullptr, time_, nullptr) != 0);
    WebPData data;
    WebPDataInit(&data);
    check(WebPAnimEncoderAssemble(encoder_.get(), &data) != 0);
    std::string bytes(reinterpret_cast<const char*>(data.bytes), data.size);
    WebPDataClear(&data);
    return bytes;
  }

 private:
  void check(bool done) const {
    if (!done)
      throw std::runtime_error("WebP: " + std::string(WebPAnimEncoderGetError(encoder_.get())));
  }

  WebPConfig config_;
  std::unique_ptr<WebPAnimEncoder, EncoderDeleter> encoder_;
  int time_ = 0;
};

}  // namespace

std::unique_ptr<FrameEncoder> webp_encoder(int width, int height) {
  return std::make_unique<WebpEncoder>(width, height);
}

}  // namespace lab::figure
