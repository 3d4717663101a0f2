#include "app/tests/figure/film.h"
#include "app/tests/rooms.h"

#include <gif_lib.h>
#include <webp/demux.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace lab {
namespace {

int take(GifFileType* file, GifByteType* to, int count) {
  auto& rest = *static_cast<std::string_view*>(file->UserData);
  const std::size_t length = std::min(rest.size(), static_cast<std::size_t>(count));
  std::memcpy(to, rest.data(), length);
  rest.remove_prefix(length);
  return static_cast<int>(length);
}

void paint(const SavedImage& part, const GraphicsControlBlock& control, const ColorMapObject& map,
           FigureImage& canvas) {
  const GifImageDesc& at = part.ImageDesc;
  for (int y = 0; y < at.Height; ++y)
    for (int x = 0; x < at.Width; ++x) {
      const int place = part.RasterBits[y * at.Width + x];
      if (place == control.TransparentColor) continue;
      std::uint8_t* pixel = canvas.rgba.data() + 4 * ((at.Top + y) * canvas.width + at.Left + x);
      const GifColorType& colour = map.Colors[place];
      pixel[0] = colour.Red, pixel[1] = colour.Green, pixel[2] = colour.Blue, pixel[3] = 255;
    }
}

int repeats_of(const GifFileType& gif) {
  const SavedImage& first = gif.SavedImages[0];
  for (int i = 0; i + 1 < first.ExtensionBlockCount; ++i) {
    const ExtensionBlock& name = first.ExtensionBlocks[i];
    if (name.Function != APPLICATION_EXT_FUNC_CODE) continue;
    const GifByteType* times = first.ExtensionBlocks[i + 1].Bytes;
    return times[1] + 256 * times[2];
  }
  return -1;
}

}  // namespace

Film film_in_webp(const std::string& bytes) {
  Film film;
  const WebPData data{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
  WebPAnimDecoder* decoder = WebPAnimDecoderNew(&data, nullptr);
  if (decoder == nullptr) return film;
  WebPAnimInfo info;
  WebPAnimDecoderGetInfo(decoder, &info);
  film.width = static_cast<int>(info.canvas_width);
  film.height = static_cast<int>(info.canvas_height);
  film.repeats = static_cast<int>(info.loop_count);
  std::uint8_t* pixels = nullptr;
  for (int end = 0, begin = 0; WebPAnimDecoderGetNext(decoder, &pixels, &end) != 0; begin = end) {
    film.frames.push_back(
        {film.width, film.height, {pixels, pixels + 4 * film.width * film.height}});
    film.milliseconds.push_back(end - begin);
  }
  WebPAnimDecoderDelete(decoder);
  return film;
}

Film film_in_gif(const std::string& bytes) {
  Film film;
  std::string_view rest = bytes;
  GifFileType* gif = DGifOpen(&rest, take, nullptr);
  if (gif == nullptr) return film;
  if (DGifSlurp(gif) == GIF_OK) {
    film.width = gif->SWidth, film.height = gif->SHeight, film.repeats = repeats_of(*gif);
    FigureImage canvas{film.width, film.height, {}};
    canvas.rgba.resize(4 * static_cast<std::size_t>(film.width) * film.height);
    for (int i = 0; i < gif->ImageCount; ++i) {
      GraphicsControlBlock control{};
      DGifSavedExtensionToGCB(gif, i, &control);
      paint(gif->SavedImages[i], control, *gif->SColorMap, canvas);
      film.frames.push_back(canvas);
      film.milliseconds.push_back(control.DelayTime * 10);
    }
  }
  DGifCloseFile(gif, nullptr);
  return film;
}

}  // namespace lab
