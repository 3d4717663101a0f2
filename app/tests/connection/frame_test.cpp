#include "app/connection/frame.h"

#include <gtest/gtest.h>

#include <random>

namespace lab::connection {
namespace {

std::string changed(std::string bytes, std::size_t at, unsigned char value) {
  bytes[at] = static_cast<char>(value);
  return bytes;
}

TEST(Frames, AreReadBackHoweverTheyAreCut) {
  const std::string bytes = write_frame({"{\"id\":1}", "numbers"}) + write_frame({"{}", {}});
  for (std::size_t step = 1; step <= bytes.size(); ++step) {
    FrameReader reader;
    std::vector<Frame> frames;
    for (std::size_t at = 0; at < bytes.size(); at += step)
      ASSERT_TRUE(reader.read(std::string_view(bytes).substr(at, step), frames));
    ASSERT_EQ(frames.size(), 2u);
    EXPECT_EQ(frames[0].json, "{\"id\":1}");
    EXPECT_EQ(frames[0].payload, "numbers");
    EXPECT_EQ(frames[1].json, "{}");
    EXPECT_FALSE(reader.within_frame());
  }
}

TEST(Frames, OfAnotherKindVersionOrLengthAreRefusedByTheirHeader) {
  const std::string header = write_frame({{}, {}});
  const auto error_of = [](const std::string& bytes) {
    FrameReader reader;
    std::vector<Frame> frames;
    const auto read = reader.read(bytes, frames);
    return read ? std::string("none") : read.error().message;
  };
  EXPECT_EQ(error_of(header), "none");
  EXPECT_EQ(error_of(changed(header, 0, 'G')), "these bytes are not a message for Attention Lab");
  EXPECT_EQ(error_of(changed(header, 4, 9)),
            "the message is of version 9 of the protocol; this window understands version 1");
  EXPECT_EQ(error_of(changed(header, 11, 1)),
            "the JSON of the message has 16777216 bytes; at most 1 MiB is read");
  EXPECT_EQ(error_of(changed(header, 16, 1)),
            "the arrays of the message have 4294967296 bytes; at most 2 GiB are read");
}

TEST(Frames, TakeNoMemoryForWhatAHeaderOnlyAnnounces) {
  std::string header = write_frame({{}, {}});
  header[15] = 0x7f;  // almost 2 GiB
  FrameReader reader;
  std::vector<Frame> frames;
  ASSERT_TRUE(reader.read(header, frames));
  EXPECT_TRUE(frames.empty());
  EXPECT_TRUE(reader.within_frame());
  EXPECT_EQ(reader.announced(), std::uint64_t{0x7f} << 24);
}

TEST(Frames, OfRandomBytesNeverCrash) {
  std::mt19937 random(5);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = write_frame({"{\"id\":1,\"do\":\"hello\"}", "xyz"});
    for (int change = 0; change < 3; ++change)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    FrameReader reader;
    std::vector<Frame> frames;
    const auto read = reader.read(bytes, frames);
    EXPECT_TRUE(read || !read.error().message.empty());
  }
}

}  // namespace
}  // namespace lab::connection
