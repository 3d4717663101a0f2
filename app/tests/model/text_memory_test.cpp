// A text for which there is not enough memory is refused before it is computed.
#include "app/document/model/text_limit.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "app/document/available_memory.h"
#include "app/document/model/layer_command.h"
#include "app/files/model/model_folder.h"
#include "app/tests/memory_peak.h"
#include "app/tests/model/support.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"
#include "core/analysis/memory_need.h"
#include "core/network/generation/continuation.h"
#include "core/tests/random_network.h"

namespace lab {
namespace {

using attention::Index;
using attention::network::Network;
using attention::network::NetworkEvaluator;
using attention::network::PassSize;

// Sets ATTENTION_LAB_MEMORY for a moment.
class GivenMemory {
 public:
  explicit GivenMemory(const std::string& value) {
    setenv("ATTENTION_LAB_MEMORY", value.c_str(), 1);
  }
  ~GivenMemory() { unsetenv("ATTENTION_LAB_MEMORY"); }
};

// Never below what is taken, and at most a quarter and a mebibyte above it: how much products pack
// depends on the processor.
void expect_estimate_of(const Network& network, Index n, int threads) {
  attention::network::Tokens tokens;
  tokens.ids.assign(static_cast<std::size_t>(n), 1);
  const double estimate = static_cast<double>(evaluation_bytes(network, {n, 0, threads}));
  NetworkEvaluator evaluator(threads);
  const MemoryPeak peak;
  evaluator.evaluate(network, tokens);
  const auto taken = static_cast<double>(peak.bytes());
  EXPECT_GE(estimate, taken) << n << " tokens, " << threads << " threads";
  EXPECT_LE(estimate, 1.25 * taken + (1 << 20)) << n << " tokens, " << threads << " threads";
}

TEST(TextMemory, IsThatWhichAnEvaluationTakes) {
  if (!MemoryPeak::is_measured()) GTEST_SKIP() << "allocations cannot be seen";
  attention::PortableRandom random(5);
  attention::test::NetworkSizes sizes;
  sizes.layers = 4, sizes.heads = 6, sizes.kv_heads = 6, sizes.head_dim = 16;
  sizes.d_model = 96, sizes.d_mlp = 384, sizes.positions = 1200;
  const Network gpt2 = attention::test::random_network(sizes, random);
  sizes.kv_heads = 2;
  const Network llama = attention::test::random_rotary_network(sizes, random);
  Network unscaled = llama;  // computed in double precision
  for (auto& block : unscaled.stack.blocks) block.attention.score_factor = 1;
  for (const Index n : {200, 500, 1100})
    for (const int threads : {1, 2})
      for (const Network& network : {gpt2, llama, unscaled})
        expect_estimate_of(network, n, threads);
}

// A text that grows needs less than a whole pass of it, because no weights of attention are kept.
TEST(TextMemory, IsThatWhichAContinuationTakes) {
  if (!MemoryPeak::is_measured()) GTEST_SKIP() << "allocations cannot be seen";
  attention::PortableRandom random(5);
  attention::test::NetworkSizes sizes;
  sizes.layers = 4, sizes.heads = 6, sizes.kv_heads = 2, sizes.head_dim = 16;
  sizes.d_model = 96, sizes.d_mlp = 384, sizes.positions = 1200;
  const Network network = attention::test::random_rotary_network(sizes, random);
  constexpr Index kTokens = 700, kAdded = 30;
  for (const int threads : {1, 2}) {
    const PassSize size{kTokens + kAdded, 0, threads};
    const auto estimate = static_cast<double>(continuation_bytes(network, size));
    EXPECT_LT(estimate, 0.5 * static_cast<double>(evaluation_bytes(network, size)));
    attention::network::Tokens tokens;
    tokens.ids.assign(kTokens, 1);
    attention::network::Continuation continuation(threads);
    const MemoryPeak peak;
    for (Index i = 0; i <= kAdded; ++i, tokens.ids.push_back(2))
      continuation.logits(network, tokens);
    const auto taken = static_cast<double>(peak.bytes());
    EXPECT_GE(estimate, taken) << threads << " threads";
    // There is room for half as many rows again, and for what products pack.
    EXPECT_LE(estimate, 1.5 * taken + (2 << 20)) << threads << " threads";
  }
}

TEST(TextMemory, RefusesATextAndTakesAShorterOne) {
  const auto model = files::open_model("words");
  ASSERT_TRUE(model);
  const auto source = std::make_shared<const files::Model>(*model);
  const auto of = [&](std::size_t n) {
    ModelText text;
    text.ids.assign(n, 1);
    return make_model_document(source, text).value();
  };
  const ModelDocument small = of(4), large = of(128);
  const GivenMemory memory("3M");
  EXPECT_TRUE(check_pass_memory(small, 1));
  const auto refused = check_pass_memory(large, 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().type, ErrorType::kBadInput);
  EXPECT_NE(refused.error().message.find("128 tokens"), std::string::npos);
  const ModelDocument between = of(16);
  EXPECT_TRUE(check_pass_memory(between, 1));
  EXPECT_FALSE(check_pass_memory(between, 1, {.stages = false, .copies = 20}));
  EXPECT_FALSE(check_shown_memory(large, &small));
  EXPECT_TRUE(check_shown_memory(large, &large)) << "its memory becomes free";
}

TEST(TextMemory, AttributionNeedsMoreThanThePass) {
  const auto model = files::open_model("words");
  ASSERT_TRUE(model);
  ModelText text;
  text.ids.assign(128, 1);
  const auto document =
      make_model_document(std::make_shared<const files::Model>(*model), text).value();
  // A rollout holds at least its product and two factors.
  constexpr int kMap = 128 * 128 * sizeof(float) / 1024;
  int enough = 1024;  // KiB
  const auto fits = [&](int kilobytes, PassUse use) {
    const GivenMemory memory(std::to_string(kilobytes) + "K");
    return check_pass_memory(document, 1, use).has_value();
  };
  while (!fits(enough, {})) enough += 16;
  EXPECT_FALSE(fits(enough + 3 * kMap, {.attribution = true}));
  EXPECT_TRUE(fits(enough + 30 * kMap, {.attribution = true}));
}

void write_file(const TemporaryFolder& folder, const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(folder / path).parent_path());
  std::ofstream(folder / path) << text;
}

TEST(AvailableMemory, IsTheLeastOfTheMachineAndItsControlGroups) {
  const TemporaryFolder folder;
  const std::string root = folder / "";
  write_file(folder, "proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:    5000 kB\n");
  EXPECT_EQ(available_memory(root), 5000 * 1024);
  write_file(folder, "proc/self/cgroup", "0::/user/shell\n");
  write_file(folder, "sys/fs/cgroup/user/shell/memory.max", "max\n");
  write_file(folder, "sys/fs/cgroup/user/shell/memory.current", "1000000\n");
  EXPECT_EQ(available_memory(root), 5000 * 1024);
  write_file(folder, "sys/fs/cgroup/user/memory.max", "3000000\n");
  write_file(folder, "sys/fs/cgroup/user/memory.current", "2500000\n");
  write_file(folder, "sys/fs/cgroup/user/memory.stat",
             "anon 1\ninactive_file 300000\nactive_file 7\n");
  EXPECT_EQ(available_memory(root), 500000 + 300007);
  write_file(folder, "proc/self/cgroup", "4:cpu,memory:/box\n");
  write_file(folder, "sys/fs/cgroup/memory/box/memory.limit_in_bytes", "2000000\n");
  write_file(folder, "sys/fs/cgroup/memory/box/memory.usage_in_bytes", "1500000\n");
  EXPECT_EQ(available_memory(root), 500000);
}

TEST(AvailableMemory, CanBeGiven) {
  for (const auto& [text, bytes] : std::vector<std::pair<std::string, std::int64_t>>{
           {"123", 123}, {"2K", 2048}, {"3M", 3 << 20}, {"5G", 5LL << 30}}) {
    const GivenMemory memory(text);
    EXPECT_EQ(available_memory(), bytes);
  }
}

}  // namespace
}  // namespace lab
