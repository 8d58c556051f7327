// SPDX-License-Identifier: MIT
#include "tmp_dir.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

namespace genomamba::test {

TmpDir::TmpDir() {
  std::string name = (std::filesystem::temp_directory_path() / "genomamba_test_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed: " + name);
  path_ = name;
}

TmpDir::~TmpDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TmpDir::file(std::string_view name) const {
  return path_ + "/" + std::string(name);
}

std::string TmpDir::write(std::string_view name, std::string_view bytes) const {
  std::ofstream out(file(name), std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!out.flush()) throw std::runtime_error("cannot write " + file(name));
  return file(name);
}

std::vector<std::string> TmpDir::entries() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace genomamba::test
