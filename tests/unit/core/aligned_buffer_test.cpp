// SPDX-License-Identifier: MIT
#include "genomamba/core/aligned_buffer.hpp"

#include <cstdint>
#include <utility>

#include "catch.hpp"

using genomamba::AlignedBuffer;

TEST_CASE("AlignedBuffer is zeroed and aligned") {
  const AlignedBuffer<float> buffer(37);
  REQUIRE(buffer.size() == 37);
  CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % genomamba::kBufferAlignment == 0);
  for (std::size_t i = 0; i < buffer.size(); ++i)
    CHECK(buffer[i] == 0.0F);
}

TEST_CASE("A moved-from AlignedBuffer is empty") {
  AlignedBuffer<float> a(8);
  const AlignedBuffer<float> b = std::move(a);
  CHECK(b.size() == 8);
  CHECK(a.size() == 0);  // NOLINT(bugprone-use-after-move)
  CHECK(a.data() == nullptr);
}

TEST_CASE("resize_discard keeps the storage it has") {
  AlignedBuffer<int> buffer;
  buffer.resize_discard(100);
  const int* first = buffer.data();
  buffer.resize_discard(10);
  CHECK(buffer.size() == 10);
  CHECK(buffer.data() == first);
  buffer.resize_discard(100);
  CHECK(buffer.data() == first);
}

TEST_CASE("An impossible size throws") {
  CHECK_THROWS_AS(AlignedBuffer<double>(static_cast<std::size_t>(-1) / 2), std::bad_alloc);
}
