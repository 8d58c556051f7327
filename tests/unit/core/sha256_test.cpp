// SPDX-License-Identifier: MIT
#include "genomamba/core/sha256.hpp"

#include <string_view>

#include "catch.hpp"

using genomamba::Sha256;

namespace {

std::string sha256(std::string_view text, std::size_t piece = static_cast<std::size_t>(-1)) {
  Sha256 hash;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, piece);
    hash.update(std::as_bytes(std::span<const char>(part)));
    text.remove_prefix(part.size());
  }
  return hash.hex_digest();
}

}  // namespace

TEST_CASE("SHA-256 gives the published vectors") {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256(std::string(1000000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("SHA-256 does not depend on the pieces") {
  const std::string text(1000, 'x');
  for (const std::size_t piece : {1U, 55U, 56U, 63U, 64U, 65U, 129U}) {
    CHECK(sha256(text, piece) == sha256(text));
  }
}
