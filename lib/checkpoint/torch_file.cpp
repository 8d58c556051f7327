// SPDX-License-Identifier: MIT
#include "torch_file.hpp"

#include <algorithm>
#include <span>

#include "genomamba/core/error.hpp"
#include "json_text.hpp"
#include "weight_map.hpp"

namespace genomamba::checkpoint {

std::unique_ptr<TensorSource> open_torch_file(const std::string& path) {
  const auto file = open_file(path);
  std::string head(static_cast<std::size_t>(std::min<std::uint64_t>(file->size(), 64)), '\0');
  file->read_at(0, std::as_writable_bytes(std::span<char>(head)));
  if (is_git_lfs_pointer(head)) throw_git_lfs_pointer(path);
  throw CheckpointError(path, "",
                        "PyTorch pickle files cannot be read yet; re-save as safetensors: "
                        "safetensors.torch.save_file(torch.load(f, weights_only=True), ...)");
}

std::unique_ptr<TensorSource> open_sharded_torch_files(const std::string& index_path) {
  return merge_shards(index_path, open_torch_file);
}

}  // namespace genomamba::checkpoint
