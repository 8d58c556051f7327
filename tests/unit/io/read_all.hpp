// SPDX-License-Identifier: MIT
// read_all: a whole input as a list, with the reader's remarks.
#pragma once

#include <string>
#include <vector>

#include "genomamba/core/log.hpp"
#include "genomamba/io/record_reader.hpp"

namespace genomamba::test {

class RecordingLog final : public LogSink {
 public:
  void write(LogLevel, std::string_view line) override { lines.emplace_back(line); }
  std::vector<std::string> lines;
};

struct ReadResult {
  std::string format;
  std::vector<io::SequenceRecord> records;
  std::vector<std::string> remarks;
};

/// Throws what the reader throws.
inline ReadResult read_all(const std::string& path, io::OpenOptions options = {}) {
  ReadResult result;
  RecordingLog log;
  options.log = &log;
  const auto reader = io::open_record_reader(path, options);
  result.format = reader->format();
  io::SequenceRecord record;
  while (reader->read(record))
    result.records.push_back(record);
  // The end stays the end.
  if (reader->read(record)) throw std::runtime_error("a record after the end");
  result.remarks = log.lines;
  return result;
}

/// "id comment sequence" of each record, joined by '|'.
inline std::string to_text(const ReadResult& result) {
  std::string text;
  for (const io::SequenceRecord& record : result.records) {
    if (!text.empty()) text += "|";
    text += record.id + " " + record.comment + " " + record.sequence;
  }
  return text;
}

}  // namespace genomamba::test
