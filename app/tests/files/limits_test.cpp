#include <sys/mman.h>

#include "app/files/io/little_endian.h"
#include "app/files/session/session.h"
#include "app/files/tensors/npy.h"
#include "app/tests/files/support.h"
#include "app/tests/rooms.h"

// Each limit that readers hold: what is just within it is let through, what is just beyond it is
// refused, by headers that lie about files that are not there.

namespace lab {
namespace {

using namespace std::string_literals;
using ::testing::HasSubstr;
using ::testing::Not;

template <typename T>
std::string complaint(const Expected<T>& result) {
  return result ? "" : result.error().message;
}

std::string safetensors(const std::string& header, std::uint64_t length, const std::string& data) {
  std::string bytes;
  append_little_endian(bytes, length, 8);
  return bytes + header + data;
}

std::string with_tensors(int count, const std::string& before) {
  std::string header = "{" + before;
  for (int i = 0; i < count; ++i)
    header += (i ? ",\"" : "\"") + std::to_string(i) +
              R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  header += '}';
  return safetensors(header, header.size(), "");
}

std::string of_shape(const std::string& shape) {
  const std::string header =
      R"({"x":{"dtype":"U8","shape":)" + shape + R"(,"data_offsets":[0,1]}})";
  return safetensors(header, header.size(), "1");
}

std::string npy(std::size_t header_size) {
  std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }";
  header.resize(header_size - 1, ' ');
  std::string bytes = std::string(kNpyMagic) + "\2\0"s;
  append_little_endian(bytes, header_size, 4);
  return bytes + header + "\n7";
}

// A session with a member that it has no use for.
std::string session_with(const std::string& value) {
  std::string text = small_session();
  return text.insert(1, R"("extra": )" + value + ", ");
}

std::string nested_arrays(int depth) {
  return std::string(static_cast<std::size_t>(depth), '[') +
         std::string(static_cast<std::size_t>(depth), ']');
}

// Text of that many bytes that takes no memory as long as it is not read.
class Untouched {
 public:
  explicit Untouched(std::size_t size)
      : size_(size),
        text_(
            ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    if (text_ == MAP_FAILED) throw std::bad_alloc();
  }
  Untouched(const Untouched&) = delete;
  Untouched& operator=(const Untouched&) = delete;
  ~Untouched() { ::munmap(text_, size_); }
  std::string_view text() const { return {static_cast<const char*>(text_), size_}; }

 private:
  std::size_t size_;
  void* text_;
};

TEST(Limits, SafetensorsHeaderOf100Megabytes) {
  EXPECT_THAT(complaint(read_safetensors(safetensors("{}", 100'000'000, ""))),
              HasSubstr("cut off"));
  EXPECT_THAT(complaint(read_safetensors(safetensors("{}", 100'000'001, ""))),
              HasSubstr("header length 100000001; at most 100000000"));
}

TEST(Limits, SafetensorsOf100000Tensors) {
  EXPECT_EQ(value_of(read_safetensors(with_tensors(100'000, ""))).tensors.size(), 100'000u);
  EXPECT_EQ(complaint(read_safetensors(with_tensors(100'000, R"("__metadata__":{},)"))), "");
  EXPECT_THAT(complaint(read_safetensors(with_tensors(100'001, ""))),
              HasSubstr("100001 tensors; at most 100000"));
}

// The product is 2³², 2⁶³, 2⁶⁴ and beyond, with a 0 among the factors, too.
TEST(Limits, ProductsOfShapes) {
  EXPECT_THAT(complaint(read_safetensors(of_shape("[268435456]"))), HasSubstr("takes 268435456"));
  for (const char* shape :
       {"[268435457]", "[65536,65536]", "[4294967296,2147483648]", "[4294967296,4294967296]",
        "[3037000500,3037000500,9]", "[0,4294967296,4294967296]", "[4294967296,4294967296,0]"})
    EXPECT_THAT(complaint(read_safetensors(of_shape(shape))), HasSubstr("is too large")) << shape;
}

TEST(Limits, NpyHeaderOf10000Bytes) {
  EXPECT_EQ(value_of(read_npy(npy(10'000))).values, std::vector<float>{'7'});
  EXPECT_THAT(complaint(read_npy(npy(10'001))), HasSubstr("header length 10001; at most 10000"));
}

TEST(Limits, JsonOf256Megabytes) {
  constexpr std::size_t kLargest = std::size_t{1} << 28;
  EXPECT_THAT(complaint(read_session(Untouched(kLargest).text())), HasSubstr("a NUL byte"));
  EXPECT_THAT(complaint(read_session(Untouched(kLargest + 1).text())),
              HasSubstr("268435457 bytes; a session has at most 268435456"));
}

TEST(Limits, JsonOf64Levels) {
  EXPECT_THAT(complaint(read_session(session_with(nested_arrays(63)))), Not(HasSubstr("deeper")));
  EXPECT_THAT(complaint(read_session(session_with(nested_arrays(64)))),
              HasSubstr("deeper than 64"));
}

TEST(Limits, JsonWithoutNulsAndTwins) {
  EXPECT_THAT(complaint(read_session(session_with("1") + '\0')), HasSubstr("a NUL byte"));
  EXPECT_THAT(complaint(read_session(session_with(R"({"a": 1, "a": 1})"))),
              HasSubstr("\"a\" is there twice"));
  EXPECT_THAT(complaint(read_session(session_with(R"({"a": {"a": 1}, "b": {"a": 1}})"))),
              Not(HasSubstr("twice")));
}

}  // namespace
}  // namespace lab
