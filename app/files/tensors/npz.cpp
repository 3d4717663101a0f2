#include <zip.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
#include "app/base/strict_json.h"
#include "app/files/tensors/elements.h"
#include "app/files/tensors/metadata.h"
#include "app/files/tensors/npy.h"
#include "app/files/tensors/tensors.h"
#include "app/files/tensors/zip_bytes.h"

namespace lab::files {
namespace {

constexpr zip_int64_t kMostEntries = 1024;
constexpr std::uint64_t kLongestList = 1 << 20;  // bytes, and a kilobyte for each entry
constexpr std::uint64_t kLargestInflated = std::uint64_t{1} << 30;
// Deflate compresses 1032 to 1 at most: an entry that claims more has a wrong size.
constexpr std::uint64_t kLargestRatio = 1032;
constexpr std::size_t kMostMetadataValues = 100'000;
constexpr std::string_view kMetadataEntry = "__metadata__";
constexpr std::string_view kEnding = ".npy";

using Archive = std::unique_ptr<zip_t, decltype(&zip_discard)>;
using EntryFile = std::unique_ptr<zip_file_t, decltype(&zip_fclose)>;

// One array in the archive.
struct ZipEntry {
  zip_uint64_t index = 0;
  std::string name;  // without the ending
  std::uint64_t size = 0;
};

// The error message of libzip.
class ZipError {
 public:
  ZipError() { zip_error_init(&error_); }
  ZipError(const ZipError&) = delete;
  ZipError& operator=(const ZipError&) = delete;
  ~ZipError() { zip_error_fini(&error_); }
  zip_error_t* get() { return &error_; }
  std::string text() { return zip_error_strerror(&error_); }

 private:
  zip_error_t error_{};
};

bool means_cut_off(int error) {
#ifdef ZIP_ER_TRUNCATED_ZIP  // since libzip 1.11
  if (error == ZIP_ER_TRUNCATED_ZIP) return true;
#endif
  return error == ZIP_ER_NOZIP;
}

Archive open_archive(ZipBytes& bytes) {
  ZipError error;
  zip_source_t* source = bytes.source(error.get());
  if (!source) throw std::bad_alloc();
  zip_t* archive = zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, error.get());
  if (!archive) zip_source_free(source);
  if (!archive && means_cut_off(zip_error_code_zip(error.get())))
    throw BadInput(
        "the archive is cut off or damaged: the list of arrays at its end cannot be read");
  if (!archive) throw BadInput("the archive cannot be read: " + error.text());
  return {archive, zip_discard};
}

void check_list_size(std::string_view bytes) {
  if (bytes.empty())
    throw BadInput("the file is empty");  // libzip takes it for an archive without files
  // libzip reads the whole list before its length can be queried.
  if (const std::uint64_t size = zip_list_size(bytes); size > kLongestList)
    throw BadInput("its list of arrays takes " + std::to_string(size) + " bytes; at most " +
                   std::to_string(kLongestList) + " are allowed");
}

std::string array_name(const std::string& file_name) {
  if (file_name.ends_with("data.pkl"))
    throw BadInput(
        "a PyTorch file: a pickle could run any program and is not read; save the "
        "tensors with safetensors.torch.save_file instead");
  if (!file_name.ends_with(kEnding))
    throw BadInput("it holds " + in_quotes(file_name) + ", which is not a .npy array");
  return file_name.substr(0, file_name.size() - kEnding.size());
}

ZipEntry read_entry(zip_t* archive, zip_uint64_t index) {
  zip_stat_t status;
  zip_stat_init(&status);
  if (zip_stat_index(archive, index, 0, &status) != 0)
    throw BadInput("the archive's list of files is damaged");
  constexpr zip_uint64_t kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE |
                                   ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  if ((status.valid & kNeeded) != kNeeded) throw BadInput("the archive's list of files is damaged");
  ZipEntry entry{index, array_name(status.name), status.size};
  if (status.encryption_method != ZIP_EM_NONE) throw BadInput("the archive is encrypted");
  if (status.comp_method != ZIP_CM_STORE && status.comp_method != ZIP_CM_DEFLATE)
    throw BadInput("array " + in_quotes(entry.name) + " is compressed with method " +
                   std::to_string(status.comp_method) + "; numpy.savez_compressed's is read");
  if (entry.size / kLargestRatio > status.comp_size)
    throw BadInput("array " + in_quotes(entry.name) + " claims to be " +
                   std::to_string(entry.size) + " bytes, which its " +
                   std::to_string(status.comp_size) + " cannot hold");
  return entry;
}

std::vector<ZipEntry> read_entries(zip_t* archive) {
  const zip_int64_t count = zip_get_num_entries(archive, 0);
  if (count > kMostEntries)
    throw BadInput(std::to_string(count) + " arrays; at most " + std::to_string(kMostEntries) +
                   " are allowed");
  std::vector<ZipEntry> entries;
  std::set<std::string> names;
  std::uint64_t total = 0;
  for (zip_int64_t i = 0; i < count; ++i) {
    entries.push_back(read_entry(archive, static_cast<zip_uint64_t>(i)));
    if (!names.insert(entries.back().name).second)
      throw BadInput("the array " + in_quotes(entries.back().name) + " is there twice");
    if (entries.back().size > kLargestInflated - total)
      throw BadInput("the arrays take more than " + std::to_string(kLargestInflated) + " bytes");
    total += entries.back().size;
  }
  return entries;
}

// "damaged: " and the reason; libzip stops reading where bytes of another array were requested.
std::string damage(const ZipBytes& bytes, const char* otherwise) {
  if (bytes.shared()) return "its bytes are another array's, too";
  return std::string("damaged: ") + otherwise;
}

std::string inflate(zip_t* archive, ZipBytes& source, const ZipEntry& entry) {
  source.begin_file();
  const EntryFile file(zip_fopen_index(archive, entry.index, 0), zip_fclose);
  if (!file) throw BadInput(damage(source, zip_strerror(archive)));
  constexpr std::size_t kFirstBytes = 1 << 20;
  std::string bytes;
  std::size_t filled = 0;
  zip_int64_t count = 1;
  while (filled < entry.size && count > 0) {
    // Memory is allocated while it is filled, in case the size is wrong.
    if (filled == bytes.size())
      bytes.resize(std::min<std::size_t>(entry.size, std::max(kFirstBytes, 2 * filled)));
    count = zip_fread(file.get(), bytes.data() + filled, bytes.size() - filled);
    if (count > 0) filled += static_cast<std::size_t>(count);
  }
  // The checksum is verified when the end has been read.
  char more = 0;
  if (count >= 0) count = zip_fread(file.get(), &more, 1);
  if (count < 0) throw BadInput(damage(source, zip_file_strerror(file.get())));
  if (count > 0 || filled != entry.size) throw BadInput("its size is not what the archive says");
  return bytes;
}

Metadata read_metadata(const Tensor& tensor) {
  std::string text;
  for (const float value : tensor.values) {
    if (!(value >= 0 && value <= 255) || value != static_cast<float>(static_cast<int>(value)))
      throw BadInput("should be an array of bytes (uint8) that spell a JSON object");
    text += static_cast<char>(static_cast<unsigned char>(value));
  }
  return metadata_from_json(parse_json(text, kMostMetadataValues));
}

// A JSON list of strings, as metadata holds tokens.
std::string texts_to_json(const std::vector<std::string>& texts) {
  std::string list = "[";
  for (const std::string& text : texts) list += (list.size() > 1 ? "," : "") + json_string(text);
  return list + "]";
}

void read_array(zip_t* archive, ZipBytes& bytes, const ZipEntry& entry, TensorFile& file) {
  try {
    const std::string array = inflate(archive, bytes, entry);
    if (const auto texts = parse_npy_texts(array))
      return (void)file.metadata.emplace(entry.name, texts_to_json(*texts));
    Tensor tensor = parse_npy(array);
    tensor.name = entry.name;
    if (tensor.name == kMetadataEntry) {
      for (auto& [name, value] : read_metadata(tensor))
        file.metadata.insert_or_assign(name, std::move(value));
    } else {
      file.tensors.push_back(std::move(tensor));
    }
  } catch (const BadInput& error) {
    throw BadInput("array " + in_quotes(entry.name) + ": " + error.what());
  }
}

void check_total(const TensorFile& file) {
  std::size_t count = 0;
  for (const Tensor& tensor : file.tensors) count += tensor.values.size();
  if (count > static_cast<std::size_t>(kMostElements))
    throw BadInput("more than " + std::to_string(kMostElements) + " numbers in all");
}

TensorFile read_archive(std::string_view bytes, attention::WorkWatch* watch) {
  check_list_size(bytes);
  ZipBytes source(bytes);
  const Archive archive = open_archive(source);
  TensorFile file;
  for (const ZipEntry& entry : read_entries(archive.get())) {
    read_array(archive.get(), source, entry, file);
    check_total(file);
    attention::report_work(watch, static_cast<attention::Index>(entry.size));
  }
  return file;
}

// A stored entry, dated 1980-01-01 so that the same arrays give the same file. `bytes` must outlive
// the archive.
bool add_entry(zip_t* archive, const std::string& name, const std::string& bytes) {
  zip_source_t* source = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
  const zip_int64_t index =
      source ? zip_file_add(archive, (storable(name) + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8)
             : -1;
  if (index < 0) {
    zip_source_free(source);
    return false;
  }
  constexpr zip_uint16_t kFirstOfJanuary1980 = (1 << 5) | 1;
  const auto zip_index = static_cast<zip_uint64_t>(index);
  return zip_set_file_compression(archive, zip_index, ZIP_CM_STORE, 0) == 0 &&
         zip_file_set_dostime(archive, zip_index, 0, kFirstOfJanuary1980, 0) == 0;
}

using Source = std::unique_ptr<zip_source_t, decltype(&zip_source_free)>;

// The bytes of the archive from the buffer that libzip wrote.
std::optional<std::string> contents(zip_source_t* source) {
  zip_stat_t status;
  zip_stat_init(&status);
  if (zip_source_stat(source, &status) != 0 || zip_source_open(source) != 0) return std::nullopt;
  std::string bytes(status.size, '\0');
  const zip_int64_t count = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  if (count != static_cast<zip_int64_t>(bytes.size())) return std::nullopt;
  return bytes;
}

// Every array as the bytes of its .npy file, by name; the metadata first.
std::vector<std::pair<std::string, std::string>> encoded(const TensorFile& file) {
  std::vector<std::pair<std::string, std::string>> arrays;
  if (!file.metadata.empty())
    arrays.emplace_back(kMetadataEntry, write_npy_text(metadata_to_json(file.metadata)));
  for (const Tensor& tensor : file.tensors) arrays.emplace_back(tensor.name, write_npy(tensor));
  return arrays;
}

tl::unexpected<Error> cannot_write(const char* why) {
  return fail(ErrorType::kFailed, std::string("the NPZ archive cannot be written: ") + why);
}

}  // namespace

Expected<TensorFile> read_npz(std::string_view bytes, attention::WorkWatch* watch) {
  return guarded([&] { return read_archive(bytes, watch); });
}

Expected<std::string> write_npz(const TensorFile& file) {
  const auto arrays = encoded(file);
  // libzip treats an archive without files as none and writes nothing.
  if (arrays.empty()) return std::string("PK\x05\x06").append(18, '\0');
  ZipError error;
  const Source source(zip_source_buffer_create(nullptr, 0, 0, error.get()), zip_source_free);
  if (!source) return cannot_write(error.text().c_str());
  zip_source_keep(source.get());  // the archive takes one reference, the bytes are read later
  Archive archive(zip_open_from_source(source.get(), ZIP_TRUNCATE, error.get()), zip_discard);
  if (!archive) {
    zip_source_free(source.get());
    return cannot_write(error.text().c_str());
  }
  for (const auto& [name, bytes] : arrays)
    if (!add_entry(archive.get(), name, bytes)) return cannot_write(zip_strerror(archive.get()));
  if (zip_close(archive.get()) != 0) return cannot_write(zip_strerror(archive.get()));
  (void)archive.release();
  std::optional<std::string> bytes = contents(source.get());
  if (!bytes) return cannot_write("its bytes are not there");
  return std::move(*bytes);
}

}  // namespace lab::files
