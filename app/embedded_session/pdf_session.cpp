#include "app/embedded_session/session_formats.h"

#include <qpdf/Pipeline.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFEFStreamObjectHelper.hh>
#include <qpdf/QPDFEmbeddedFileDocumentHelper.hh>
#include <qpdf/QPDFFileSpecObjectHelper.hh>
#include <qpdf/QPDFLogger.hh>

#include <algorithm>
#include <stdexcept>

#include "app/embedded_session/embedded_session.h"

namespace lab::embedded_session {
namespace {

constexpr std::size_t kLargest = 64'000'000;  // bytes, of the file and of the session

/// Collects text, up to a limit.
class Collector : public Pipeline {
 public:
  Collector() : Pipeline("session", nullptr) {}
  void write(unsigned char const* data, std::size_t size) override {
    if (size > kLargest - text_.size()) throw std::length_error("the session is too large");
    text_.append(reinterpret_cast<const char*>(data), size);
  }
  void finish() override {}
  std::string& text() { return text_; }

 private:
  std::string text_;
};

/// Streams may be compressed only once: each further time multiplies what a few bytes can expand
/// to.
bool is_plain(QPDFObjectHandle stream) {
  QPDFObjectHandle filter = stream.getDict().getKey("/Filter");
  return filter.isNull() || (filter.isNameAndEquals("/FlateDecode") &&
                             stream.getDict().getKey("/DecodeParms").isNull());
}

std::string checksum_of(const std::string& text) {
  QPDF file;
  file.emptyPDF();
  return QPDFEFStreamObjectHelper::createEFStream(file, text).getChecksum();
}

/// The text of an attached file, if its checksum is right.
std::optional<std::string> text_of(QPDFObjectHandle stream) {
  Collector collector;
  if (!stream.isStream() || !is_plain(stream) ||
      !stream.pipeStreamData(&collector, 0, qpdf_dl_generalized, true))
    return std::nullopt;
  // qpdf does not verify the checksum of a stream.
  if (QPDFEFStreamObjectHelper(stream).getChecksum() != checksum_of(collector.text()))
    return std::nullopt;
  return std::move(collector.text());
}

std::optional<std::string> attachment(QPDF& file) {
  const auto found =
      QPDFEmbeddedFileDocumentHelper(file).getEmbeddedFile(std::string(kPdfAttachment));
  return found ? text_of(found->getEmbeddedFileStream()) : std::nullopt;
}

/// Some complaints about damaged files go to the logger that all of qpdf shares, which is standard
/// error unless it is told otherwise.
void silence_qpdf() {
  static const bool kSilent = [] {
    const auto logger = QPDFLogger::defaultLogger();
    logger->setError(logger->discard());
    logger->setWarn(logger->discard());
    return true;
  }();
  static_cast<void>(kSilent);
}

/// Finds it in the table of objects. Throws std::exception when that cannot be read.
std::optional<std::string> by_table(std::string_view pdf) {
  silence_qpdf();
  QPDF file;
  file.setSuppressWarnings(true);
  file.setAttemptRecovery(false);
  file.setIgnoreXRefStreams(true);
  file.processMemoryFile("figure", pdf.data(), pdf.size());
  return file.isEncrypted() ? std::nullopt : attachment(file);
}

/// The dictionary between "obj" and the keyword "stream" at `keyword`, if it is an attached file;
/// else nothing.
std::string_view file_dictionary(std::string_view pdf, std::size_t keyword) {
  constexpr std::size_t kLongest = 2000;
  const std::size_t from = keyword - std::min(keyword, kLongest);
  const std::string_view before = pdf.substr(from, keyword - from);
  const std::size_t object = before.rfind("obj");
  if (object == before.npos) return {};
  const std::string_view text = before.substr(object + 3);
  return text.find("/EmbeddedFile") == text.npos ? std::string_view() : text;
}

/// The text of the attached file, when it is JSON and has the check sum that it says. `data` begins
/// after the keyword "stream". Throws std::exception when it is damaged.
std::optional<std::string> attached_json(QPDF& file, std::string_view dictionary,
                                         std::string_view data) {
  QPDFObjectHandle about = QPDFObjectHandle::parse(&file, std::string(dictionary), "figure");
  QPDFObjectHandle length = about.getKey("/Length");
  data.remove_prefix(data.substr(0, 2) == "\r\n" ? 2 : std::min<std::size_t>(1, data.size()));
  if (!about.getKey("/Subtype").isNameAndEquals("/application/json") || !length.isInteger() ||
      length.getUIntValue() > data.size())
    return std::nullopt;
  auto stream =
      QPDFObjectHandle::newStream(&file, std::string(data.substr(0, length.getUIntValue())));
  stream.replaceDict(about);
  return text_of(stream);
}

/// The last attached file of JSON, without the table of objects.
std::optional<std::string> by_search(std::string_view pdf) {
  constexpr std::string_view kStream = "stream";
  constexpr int kMostTries = 8;
  QPDF file;
  file.emptyPDF();
  file.setSuppressWarnings(true);
  int tries = 0;
  for (std::size_t at = pdf.size(); at > 0 && tries < kMostTries;) {
    at = pdf.rfind(kStream, at - 1);
    if (at == pdf.npos) break;
    const std::string_view dictionary = file_dictionary(pdf, at);
    if (dictionary.empty()) continue;
    ++tries;
    try {
      const std::string_view data = pdf.substr(at + kStream.size());
      if (auto text = attached_json(file, dictionary, data)) return text;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception&) {
      continue;  // damaged, or too large
    }
  }
  return std::nullopt;
}

}  // namespace

bool is_pdf(std::string_view bytes) { return bytes.substr(0, 5) == "%PDF-"; }

std::optional<std::string> session_in_pdf(std::string_view pdf) {
  if (pdf.size() > kLargest) return std::nullopt;
  const bool is_compressed = pdf.find("/ObjStm") != pdf.npos;  // the name of the attachment, too
  try {
    if (!is_compressed) return pdf.find(kSessionMark) == pdf.npos ? std::nullopt : by_table(pdf);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    return std::nullopt;
  }
  return by_search(pdf);
}

}  // namespace lab::embedded_session
