// SPDX-License-Identifier: MIT
#include "torch_file.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "genomamba/core/error.hpp"
#include "json_text.hpp"
#include "pickle.hpp"
#include "tensor_table.hpp"
#include "weight_map.hpp"
#include "zip_archive.hpp"

namespace genomamba::checkpoint {
namespace {

using Kind = PickleValue::Kind;

constexpr std::uint64_t kMaxPickleBytes = std::uint64_t{64} << 20;
constexpr std::string_view kPickleName = "data.pkl";

std::string read_head(const ByteSource& file) {
  std::string head(static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), 64)), '\0');
  file.read_at(0, std::as_writable_bytes(std::span<char>(head)));
  return head;
}

void refuse_other_formats(const ByteSource& file) {
  const std::string head = read_head(file);
  if (is_git_lfs_pointer(head)) throw_git_lfs_pointer(file.path());
  if (head.substr(0, 4) == std::string_view("PK\x03\x04", 4)) return;
  const bool is_pickle = !head.empty() && head[0] == '\x80';
  throw CheckpointError(
      file.path(), "",
      is_pickle
          ? "is a pickle of PyTorch before 1.6, not a zip file; re-save it with a newer PyTorch: "
            "torch.save(torch.load(file, weights_only=True), file)"
          : "is not a PyTorch file (no zip file)");
}

/// "archive/" of the one entry archive/data.pkl.
std::string find_folder(const ZipArchive& archive, const std::string& path) {
  std::optional<std::string> folder;
  for (const auto& [name, entry] : archive.entries()) {
    const std::size_t slash = name.rfind('/');
    if (slash == std::string::npos || name.find('/') != slash) continue;
    if (std::string_view(name).substr(slash + 1) != kPickleName) continue;
    if (folder) throw CheckpointError(path, "", "holds more than one data.pkl");
    folder = name.substr(0, slash + 1);
  }
  if (!folder) throw CheckpointError(path, "", "holds no data.pkl: not a PyTorch file");
  return *folder;
}

const PickleValue* find_key(const PickleValue& dict, std::string_view key) {
  const PickleValue* found = nullptr;  // the last one counts, as in Python
  for (const auto& [name, value] : dict.pairs) {
    if (name->kind == Kind::kString && name->text == key) found = value;
  }
  return found;
}

[[noreturn]] void refuse_inert(const PickleValue& value, const std::string& path,
                               const std::string& where) {
  throw CheckpointError(path, where,
                        "refused: holds an object of " + value.text +
                            "; re-save the weights alone: torch.save(model.state_dict(), file)");
}

/// Everything that can be reached from `root`. There may be cycles.
void refuse_inert_below(const PickleValue& root, const std::string& path) {
  std::vector<const PickleValue*> to_visit = {&root};
  std::unordered_set<const PickleValue*> seen;
  while (!to_visit.empty()) {
    const PickleValue* value = to_visit.back();
    to_visit.pop_back();
    if (!seen.insert(value).second) continue;
    if (value->kind == Kind::kInert) refuse_inert(*value, path, "state_dict");
    to_visit.insert(to_visit.end(), value->items.begin(), value->items.end());
    for (const auto& [key, item] : value->pairs)
      to_visit.insert(to_visit.end(), {key, item});
  }
}

/// The dict of tensors: the top object, or what a Lightning checkpoint holds under `state_dict`.
/// Inert nodes are harmless beside a state_dict and refused anywhere else, even where nothing
/// refers to them.
const PickleValue& find_state_dict(const Pickle& pickle, const std::string& path) {
  const PickleValue& top = *pickle.top;
  const PickleValue* inner = top.kind == Kind::kDict ? find_key(top, "state_dict") : nullptr;
  if (inner == nullptr) {
    for (const PickleValue& value : pickle.arena) {
      if (value.kind == Kind::kInert) refuse_inert(value, path, "");
    }
    if (top.kind != Kind::kDict) throw CheckpointError(path, "", "holds no dict of tensors");
    return top;
  }
  if (inner->kind != Kind::kDict) throw CheckpointError(path, "state_dict", "is not a dict");
  refuse_inert_below(*inner, path);
  return *inner;
}

/// Row-major without gaps; dimensions of 1 may have any stride.
bool is_contiguous(const PickleTensor& tensor) {
  std::size_t expected = 1;
  for (std::size_t d = tensor.shape.size(); d-- > 0;) {
    if (tensor.shape[d] == 1) continue;
    if (tensor.strides[d] != expected) return false;
    expected *= tensor.shape[d];
  }
  return true;
}

/// Highest element that the tensor touches plus one, checked against the storage; throws when it
/// lies outside, or when the tensor repeats elements so that it is larger than its storage.
void check_extent(const PickleTensor& tensor, const std::string& path, const std::string& name) {
  const std::uint64_t available = tensor.storage->n_elements;
  std::uint64_t n_elements = 1;
  for (const std::size_t dim : tensor.shape) {
    if (dim == 0) return;
    if (dim > available || n_elements > available / dim) {
      throw CheckpointError(path, name,
                            "shape " + shape_to_string(tensor.shape) +
                                " is larger than its storage of " + std::to_string(available) +
                                " elements");
    }
    n_elements *= dim;
  }
  std::uint64_t last = tensor.offset;
  for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
    const std::uint64_t steps = tensor.shape[d] - 1;
    if (last >= available || (steps > 0 && tensor.strides[d] > (available - last) / steps)) {
      last = available;
      break;
    }
    last += steps * tensor.strides[d];
  }
  if (last >= available) {
    throw CheckpointError(
        path, name, "reaches outside its storage of " + std::to_string(available) + " elements");
  }
}

class TorchReader {
 public:
  explicit TorchReader(std::shared_ptr<const ByteSource> file)
      : file_(std::move(file)), archive_(file_), folder_(find_folder(archive_, file_->path())) {
    const std::string order = folder_ + "byteorder";
    if (archive_.find(order) != nullptr && archive_.read(order, 64) != "little") {
      throw CheckpointError(file_->path(), order, "only little-endian files can be read");
    }
  }

  std::unique_ptr<TensorSource> read() {
    const std::string name = folder_ + std::string(kPickleName);
    const std::string bytes = archive_.read(name, kMaxPickleBytes);
    const Pickle pickle = read_pickle(bytes, file_->path(), name);
    auto table = std::make_unique<TensorTable>(file_->path());
    std::string others;
    for (const auto& [key, value] : find_state_dict(pickle, file_->path()).pairs) {
      if (key->kind != Kind::kString) fail("a key of the state dict", "is not a string");
      if (value->kind != Kind::kTensor) {
        others += " " + printable(key->text);
        continue;
      }
      if (!table->add(to_tensor(key->text, value->tensor)))
        fail(printable(key->text), "is there twice");
    }
    if (table->tensors().empty()) {
      fail("", "holds no tensors at its top level" +
                   (others.empty() ? "" : "; its keys are" + printable(others)));
    }
    table->add_file(file_);
    return table;
  }

 private:
  [[noreturn]] void fail(const std::string& where, const std::string& reason) const {
    throw CheckpointError(file_->path(), where, reason);
  }

  Tensor to_tensor(const std::string& name, const PickleTensor& source) const {
    const std::string shown = printable(name);
    const PickleStorage& storage = *source.storage;
    const std::string entry_name = folder_ + "data/" + storage.key;
    const ZipEntry* entry = archive_.find(entry_name);
    if (entry == nullptr) fail(shown, "its storage " + printable(entry_name) + " is missing");
    const std::uint64_t width = size_bytes(storage.dtype);
    if (entry->size % width != 0 || entry->size / width != storage.n_elements) {
      fail(shown, "its storage " + printable(entry_name) + " has " + std::to_string(entry->size) +
                      " bytes, not " + std::to_string(storage.n_elements) + " elements of " +
                      std::string(to_string(storage.dtype)));
    }
    check_extent(source, file_->path(), shown);
    Tensor tensor;
    tensor.name = name;
    tensor.dtype = storage.dtype;
    tensor.shape = source.shape;
    tensor.path = file_->path();
    tensor.source = file_;
    tensor.offset = entry->offset + source.offset * width;
    if (!is_contiguous(source)) tensor.strides = source.strides;
    return tensor;
  }

  std::shared_ptr<const ByteSource> file_;
  ZipArchive archive_;
  std::string folder_;
};

}  // namespace

std::unique_ptr<TensorSource> open_torch_file(const std::string& path) {
  auto file = open_file(path);
  refuse_other_formats(*file);
  return TorchReader(std::move(file)).read();
}

std::unique_ptr<TensorSource> open_sharded_torch_files(const std::string& index_path) {
  return merge_shards(index_path, open_torch_file);
}

}  // namespace genomamba::checkpoint
