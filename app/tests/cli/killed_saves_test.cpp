#include "app/tests/killed_saves.h"

#include "app/files/io/bytes.h"
#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"

// What the program writes, of every kind, while it is killed at any moment.

namespace lab::test {
namespace {

using Arguments = std::vector<std::string>;

// How two different files of a kind are made.
struct Type {
  const char* ending;
  Arguments first, second;  // without -o
};
void PrintTo(const Type& type, std::ostream* out) { *out << type.ending; }

Type figure(const char* ending, const char* verb = "export") {
  return {ending, {verb, "refer"}, {verb, "cat-sat"}};
}

Type film(const char* ending) {
  const auto sweep = [](const char* range) {
    return Arguments{"export", "refer", "--sweep", range, "--frames", "3", "--dpi", "50"};
  };
  return {ending, sweep("temperature=0.5..2"), sweep("temperature=1..4")};
}

std::string made(Arguments arguments, const std::string& path) {
  arguments.insert(arguments.end(), {"-o", path});
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return whole_file(path);
}

class KilledSave : public ::testing::TestWithParam<Type> {};

TEST_P(KilledSave, LeavesTheOldFileOrTheNewOne) {
  const TempFolder folder;
  const Type& type = GetParam();
  SavedFile file{folder / (std::string("file.") + type.ending), {}, {}};
  file.contents = {made(type.first, file.path), made(type.second, file.path)};
  file.save = [&](int which) { (void)write_bytes(file.path, file.contents.at(which)); };
  expect_never_torn(file);
}

INSTANTIATE_TEST_SUITE_P(Kinds, KilledSave,
                         ::testing::Values(Type{"session",
                                                {"apply", "refer", "/dev/null"},
                                                {"apply", "cat-sat", "/dev/null"}},
                                           figure("safetensors", "compute"),
                                           figure("npz", "compute"), figure("json", "compute"),
                                           figure("npy"), figure("csv"), figure("png"),
                                           figure("svg"), figure("pdf"), figure("html"),
                                           figure("tex"), film("webp"), film("gif")),
                         [](const auto& test) { return std::string(test.param.ending); });

}  // namespace
}  // namespace lab::test
