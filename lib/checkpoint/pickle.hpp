// SPDX-License-Identifier: MIT
// A restricted unpickler: reads what torch.save writes for a state dict, and runs nothing.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "genomamba/checkpoint/tensor.hpp"

namespace genomamba::checkpoint {

struct PickleValue;

/// Children belong to the Pickle that made them; there may be cycles.
using PickleItems = std::vector<const PickleValue*>;

struct PickleStorage {
  std::string key;  ///< names the zip entry data/<key>
  Dtype dtype = Dtype::kF32;
  std::uint64_t n_elements = 0;
};

struct PickleTensor {
  const PickleStorage* storage = nullptr;
  std::uint64_t offset = 0;  ///< in elements
  std::vector<std::size_t> shape;
  std::vector<std::size_t> strides;
};

struct PickleValue {
  enum class Kind {
    kNone,
    kBool,
    kInt,
    kFloat,
    kString,
    kSequence,  ///< tuple, list or set
    kDict,
    kGlobal,  ///< a name that the reader knows
    kStorage,
    kTensor,
    kInert,  ///< anything made with a global that the reader does not know: never looked up, never
             ///< called
  };
  Kind kind = Kind::kNone;
  std::int64_t integer = 0;
  std::string text;  ///< a string, or the "module name" of a global or inert node
  PickleItems items;
  std::vector<std::pair<const PickleValue*, const PickleValue*>> pairs;  ///< of a dict
  PickleStorage storage;
  PickleTensor tensor;
};

/// The objects of one pickle. Held in an arena, so that destroying them needs no recursion.
struct Pickle {
  std::deque<PickleValue> arena;
  const PickleValue* top = nullptr;
};

/// Work and memory are bounded by the size of `bytes`. Throws CheckpointError (`path` and `where`
/// are what messages call it): damaged, an opcode that a state dict does not need, or a global of
/// builtins, os, posix, nt, sys, subprocess, shutil, importlib or runpy, which is refused wherever
/// it stands.
Pickle read_pickle(std::string_view bytes, const std::string& path, const std::string& where);

}  // namespace genomamba::checkpoint
