// SPDX-License-Identifier: MIT
// Readers of SAM, BAM and CRAM; decoding is htslib's. Private to io.
#pragma once

#include <memory>
#include <string>

#include "byte_source.hpp"
#include "genomamba/io/record_reader.hpp"
#include "text_scanner.hpp"

namespace genomamba::io {

/// SAM text, compressed in any way that a ByteSource reads. Throws InputError: malformed header.
std::unique_ptr<RecordReader> make_sam_reader(TextScanner scanner, const std::string& name);

/// BAM; `source` stands before the first byte of the data. Throws InputError: malformed header.
std::unique_ptr<RecordReader> make_bam_reader(std::unique_ptr<BgzfSource> source);

/// CRAM; the reference is looked for as cram_reference.hpp says. Throws InputError.
std::unique_ptr<RecordReader> make_cram_reader(OpenedInput input, const OpenOptions& options);

}  // namespace genomamba::io
