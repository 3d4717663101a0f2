#include "app/carried/pdf_session.h"

#include <qpdf/Pipeline.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFEFStreamObjectHelper.hh>
#include <qpdf/QPDFEmbeddedFileDocumentHelper.hh>
#include <qpdf/QPDFFileSpecObjectHelper.hh>
#include <stdexcept>

#include "app/carried/carried_session.h"

namespace lab {
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

/// Compressed once at most: each further time multiplies what a few bytes can become.
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

std::optional<std::string> attachment(QPDF& file) {
  const auto found =
      QPDFEmbeddedFileDocumentHelper(file).getEmbeddedFile(std::string(kPdfAttachment));
  if (!found) return std::nullopt;
  QPDFObjectHandle stream = found->getEmbeddedFileStream();
  Collector collector;
  if (!stream.isStream() || !is_plain(stream) ||
      !stream.pipeStreamData(&collector, 0, qpdf_dl_generalized, true))
    return std::nullopt;
  // A stream's own check sum is not looked at by qpdf.
  if (QPDFEFStreamObjectHelper(stream).getChecksum() != checksum_of(collector.text()))
    return std::nullopt;
  return std::move(collector.text());
}

}  // namespace

bool is_pdf(std::string_view bytes) { return bytes.substr(0, 5) == "%PDF-"; }

std::optional<std::string> session_in_pdf(std::string_view pdf) {
  if (pdf.size() > kLargest || pdf.find(kSessionMark) == pdf.npos) return std::nullopt;
  try {
    QPDF file;
    file.setSuppressWarnings(true);
    file.setAttemptRecovery(false);
    file.setIgnoreXRefStreams(true);
    file.processMemoryFile("picture", pdf.data(), pdf.size());
    return file.isEncrypted() ? std::nullopt : attachment(file);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace lab
