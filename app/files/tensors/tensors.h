#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/error.h"
#include "core/numerics/work_watch.h"

namespace lab::files {

/// A named array of float32 in row-major order; other number types are converted on reading.
struct Tensor {
  std::string name;
  std::vector<std::int64_t> shape;  ///< product = values.size()
  std::vector<float> values;
};

/// The content of a safetensors or NPZ file.
struct TensorFile {
  std::vector<Tensor> tensors;                  ///< names are unique
  std::map<std::string, std::string> metadata;  ///< safetensors' __metadata__; in NPZ a JSON
                                                ///< object in the array "__metadata__" (U8)

  /// The tensor of that name, or null.
  const Tensor* find(std::string_view name) const;
};

/// Reads safetensors: F32, F64, F16, BF16, U8, BOOL, I8 … I64. Fails with kBadInput and what is
/// wrong; sizes are checked against the file before memory is allocated. Reports the bytes read to
/// `watch`, which may be null; throws as `watch` does.
Expected<TensorFile> read_safetensors(std::string_view bytes,
                                      attention::WorkWatch* watch = nullptr);
/// Writes safetensors, F32, tensors in the given order, header padded to 8 bytes.
std::string write_safetensors(const TensorFile& file);

/// Reads one .npy array (versions 1 – 3, f2 f4 f8 u1 … u8 i1 … i8 b1 in either byte order, C or
/// Fortran order); its name is empty. Object arrays are refused. Fails with kBadInput.
Expected<Tensor> read_npy(std::string_view bytes);
/// Writes one .npy array, version 1.0, '<f4', C order.
std::string write_npy(const Tensor& tensor);

/// Reads a .npz archive of at most 1024 entries, whose inflated size is checked first. A list of
/// texts in it becomes metadata of its name, a JSON list. Fails with kBadInput. Reports to `watch`
/// as read_safetensors does.
Expected<TensorFile> read_npz(std::string_view bytes, attention::WorkWatch* watch = nullptr);
/// Writes a .npz archive that numpy.load reads; the same bytes every time.
Expected<std::string> write_npz(const TensorFile& file);

/// All tensors as {"metadata": {…}, "tensors": {name: {"shape": […], "values": […]}}}. Numbers have
/// at most 9 significant digits and read back bit for bit; NaN and ±∞ are the strings "NaN",
/// "Infinity", "-Infinity".
std::string write_tensors_json(const TensorFile& file);

/// Fails with kUsage unless tensors can be written to `path`: "-" or a name that ends in
/// .safetensors, .npz or .json. `verb` is what would write them.
Expected<void> check_tensor_output(const std::string& path, const std::string& verb);

/// The tensors in the format of that name; JSON for "-". Precondition: check_tensor_output().
Expected<std::string> encode_tensors(const TensorFile& file, const std::string& path);

}  // namespace lab::files
