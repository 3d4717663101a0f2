#include "app/figure/cairo/pdf_finish.h"

#include <qpdf/Buffer.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFEFStreamObjectHelper.hh>
#include <qpdf/QPDFEmbeddedFileDocumentHelper.hh>
#include <qpdf/QPDFFileSpecObjectHelper.hh>
#include <qpdf/QPDFWriter.hh>

#include "app/embedded_session/session_formats.h"
#include "app/figure/cairo/source_date.h"

namespace lab::figure {
namespace {

QPDFObjectHandle about(const std::string& title) {
  QPDFObjectHandle info = QPDFObjectHandle::newDictionary();
  if (!title.empty()) info.replaceKey("/Title", QPDFObjectHandle::newUnicodeString(title));
  info.replaceKey("/Creator", QPDFObjectHandle::newString("Attention Lab"));
  const auto date = source_date();
  if (!date) return info;
  for (const char* key : {"/CreationDate", "/ModDate"})
    info.replaceKey(key, QPDFObjectHandle::newString(pdf_date(*date)));
  return info;
}

void attach(QPDF& pdf, const std::string& session) {
  auto stream = QPDFEFStreamObjectHelper::createEFStream(pdf, session);
  stream.setSubtype("application/json");
  const std::string name(embedded_session::kPdfAttachment);
  auto file = QPDFFileSpecObjectHelper::createFileSpec(pdf, name, stream);
  file.setDescription("What the figure was made of; Attention Lab opens it, and this PDF");
  file.getObjectHandle().replaceKey("/AFRelationship", QPDFObjectHandle::newName("/Source"));
  QPDFEmbeddedFileDocumentHelper(pdf).replaceEmbeddedFile(name, file);
  pdf.getRoot().replaceKey("/AF", QPDFObjectHandle::newArray({file.getObjectHandle()}));
}

}  // namespace

std::string finished_pdf(const std::string& pdf, const PdfForm& form) {
  QPDF file;
  file.setSuppressWarnings(true);
  file.processMemoryFile("figure", pdf.data(), pdf.size());
  file.getTrailer().replaceKey("/Info", file.makeIndirectObject(about(form.title)));
  if (!form.session.empty()) attach(file, form.session);
  QPDFWriter writer(file);
  writer.setOutputMemory();
  writer.setMinimumPDFVersion("1.7");
  writer.setObjectStreamMode(qpdf_o_disable);  // so that session_in_pdf reads it
  writer.setDeterministicID(true);
  writer.write();
  const auto bytes = writer.getBufferSharedPointer();
  return {reinterpret_cast<const char*>(bytes->getBuffer()), bytes->getSize()};
}

}  // namespace lab::figure
