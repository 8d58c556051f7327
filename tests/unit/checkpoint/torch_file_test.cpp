// SPDX-License-Identifier: MIT
// PyTorch files made by hand: zip archives of pickles that are right, or wrong in one way.
#include "torch_file.hpp"

#include <cstring>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "pickle.hpp"
#include "safetensors_text.hpp"
#include "tmp_dir.hpp"

using namespace genomamba;
using namespace genomamba::checkpoint;
using test::contains;

namespace {

std::string little(std::uint64_t value, int width) {
  std::string bytes;
  for (int i = 0; i < width; ++i, value >>= 8)
    bytes += static_cast<char>(value & 0xFF);
  return bytes;
}

struct Entry {
  std::string name;
  std::string data;
  unsigned method = 0;
};

/// A zip file of stored entries, checksums left at zero (nothing reads them).
std::string zip_bytes(const std::vector<Entry>& entries) {
  std::string file;
  std::string directory;
  for (const Entry& entry : entries) {
    const std::string shared = little(0, 2) + little(entry.method, 2) + little(0, 8) +
                               little(entry.data.size(), 4) + little(entry.data.size(), 4) +
                               little(entry.name.size(), 2) + little(0, 2);
    directory += "PK\x01\x02" + little(20, 2) + little(20, 2) + shared + little(0, 10) +
                 little(file.size(), 4) + entry.name;
    file += "PK\x03\x04" + little(20, 2) + shared + entry.name + entry.data;
  }
  const std::size_t offset = file.size();
  return file + directory + "PK\x05\x06" + little(0, 4) + little(entries.size(), 2) +
         little(entries.size(), 2) + little(directory.size(), 4) + little(offset, 4) + little(0, 2);
}

std::string text(std::string_view value) {
  return "X" + little(value.size(), 4) + std::string(value);
}
std::string integer(std::uint64_t value) {
  return "J" + little(value, 4);
}
std::string tuple(const std::string& items) {
  return "(" + items + "t";
}
std::string global(const std::string& module, const std::string& name) {
  return "c" + module + "\n" + name + "\n";
}
std::string sizes(const std::vector<std::uint64_t>& values) {
  std::string items;
  for (const std::uint64_t value : values)
    items += integer(value);
  return tuple(items);
}

struct TensorSpec {
  std::string key = "0";
  std::uint64_t n_elements = 6;
  std::uint64_t offset = 0;
  std::vector<std::uint64_t> shape = {2, 3};
  std::vector<std::uint64_t> strides = {3, 1};
  std::string storage = "FloatStorage";
};

std::string tensor(const TensorSpec& spec) {
  const std::string storage = tuple(text("storage") + global("torch", spec.storage) +
                                    text(spec.key) + text("cpu") + integer(spec.n_elements)) +
                              "Q";
  return global("torch._utils", "_rebuild_tensor_v2") +
         tuple(storage + integer(spec.offset) + sizes(spec.shape) + sizes(spec.strides) + "\x89" +
               global("collections", "OrderedDict") + ")R") +
         "R";
}

std::string dict(const std::string& items) {
  return global("collections", "OrderedDict") + ")R(" + items + "u";
}
std::string pickle(const std::string& value) {
  return std::string("\x80\x02") + value + ".";
}

std::string floats(const std::vector<float>& values) {
  std::string bytes(values.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

const std::string kSix = floats({0, 1, 2, 3, 4, 5});

std::string torch_bytes(const std::string& value, const std::string& storage = kSix) {
  return zip_bytes({{"archive/data.pkl", pickle(value)},
                    {"archive/byteorder", "little"},
                    {"archive/data/0", storage},
                    {"archive/version", "3\n"}});
}

std::vector<float> values_of(const std::string& bytes, const std::string& name = "w") {
  const test::TmpDir dir;
  const auto source = open_torch_file(dir.write("pytorch_model.bin", bytes));
  const Tensor* found = source->find(name);
  REQUIRE(found != nullptr);
  const AlignedBuffer<float> values = to_float(*found);
  return {values.data(), values.data() + values.size()};
}

std::string error_of_bytes(const std::string& bytes) {
  const test::TmpDir dir;
  const std::string path = dir.write("pytorch_model.bin", bytes);
  const std::string message = test::error_of([&] { open_torch_file(path); });
  CHECK(contains(message, "pytorch_model.bin"));
  return message;
}

std::string error_of_tensor(const TensorSpec& spec) {
  return error_of_bytes(torch_bytes(dict(text("w") + tensor(spec))));
}

}  // namespace

TEST_CASE("tensors, views and parameters of a state dict are read") {
  CHECK(values_of(torch_bytes(dict(text("w") + tensor({})))) ==
        std::vector<float>{0, 1, 2, 3, 4, 5});
  TensorSpec view;
  view.offset = 1;
  view.shape = {2, 2};
  view.strides = {1, 2};
  CHECK(values_of(torch_bytes(dict(text("w") + tensor(view)))) == std::vector<float>{1, 3, 2, 4});
  const std::string parameter =
      global("torch._utils", "_rebuild_parameter") +
      tuple(tensor({}) + "\x88" + global("collections", "OrderedDict") + ")R") + "R";
  CHECK(values_of(torch_bytes(dict(text("w") + parameter)))[5] == 5.0F);
  // _metadata is set by BUILD on the dict, plain numbers stand beside the tensors.
  const std::string built = dict(text("w") + tensor({}) + text("step") + integer(7)) + "}" +
                            text("_metadata") + dict("") + "sb";
  CHECK(values_of(torch_bytes(built)).size() == 6);
}

TEST_CASE("a Lightning checkpoint gives its state_dict, whatever stands beside it") {
  const std::string other = global("lightning.fabric", "Thing") + ")R";
  const std::string value = dict(text("state_dict") + dict(text("w") + tensor({})) +
                                 text("callbacks") + other + text("epoch") + integer(3));
  CHECK(values_of(torch_bytes(value)).size() == 6);
  const std::string inside =
      dict(text("state_dict") + dict(text("w") + tensor({}) + text("x") + other));
  CHECK(contains(error_of_bytes(torch_bytes(inside)), "lightning.fabric.Thing"));
}

TEST_CASE("globals are never called: unknown ones are refused by name, dangerous ones anywhere") {
  const std::string state = dict(text("w") + tensor({}));
  const auto with = [&](const std::string& module, const std::string& name) {
    return global(module, name) + text("PICKLE_RAN") + "\x85R0";
  };
  CHECK(contains(error_of_bytes(torch_bytes(with("builtins", "open") + state)), "builtins.open"));
  CHECK(contains(error_of_bytes(torch_bytes(with("io", "open") + state)), "io.open"));
  for (const char* module :
       {"os", "posix", "nt", "sys", "subprocess", "shutil", "importlib.util", "runpy"}) {
    const std::string beside =
        dict(text("state_dict") + state + text("x") + global(module, "run") + ")R");
    CHECK(contains(error_of_bytes(torch_bytes(beside)), std::string(module) + ".run"));
  }
  // The same by STACK_GLOBAL.
  CHECK(contains(error_of_bytes(torch_bytes(text("os") + text("system") + "\x93" + "0" + state)),
                 "os.system"));
  CHECK(contains(error_of_bytes(torch_bytes(global("models", "Net") + ")\x81")), "models.Net"));
}

TEST_CASE("a tensor must lie inside its storage, and the storage in its entry") {
  TensorSpec spec;
  spec.shape = {3, 3};
  CHECK(contains(error_of_tensor(spec), "w: shape [3, 3]"));
  spec = {};
  spec.offset = 1;
  CHECK(contains(error_of_tensor(spec), "outside its storage"));
  spec = {};
  spec.strides = {2147483647, 1};
  CHECK(contains(error_of_tensor(spec), "outside its storage"));
  spec = {};
  spec.shape = {2147483647, 2147483647};
  CHECK(contains(error_of_tensor(spec), "larger than its storage"));
  spec = {};
  spec.key = "../../etc/passwd";
  CHECK(contains(error_of_tensor(spec), "is missing"));
  spec = {};
  spec.storage = "ComplexFloatStorage";
  CHECK(contains(error_of_tensor(spec), "ComplexFloatStorage"));
  spec = {};
  spec.n_elements = 8;
  CHECK(contains(error_of_tensor(spec), "archive/data/0 has 24 bytes, not 8 elements"));
}

TEST_CASE("damaged or strange archives are refused") {
  const std::string good = torch_bytes(dict(text("w") + tensor({})));
  CHECK(contains(error_of_bytes(good.substr(0, good.size() / 2)), "not a complete zip"));
  CHECK(contains(error_of_bytes(good.substr(0, good.size() - 30)), "not a complete zip"));
  CHECK(contains(error_of_bytes(""), "no zip"));
  CHECK(contains(error_of_bytes("\x80\x02\x8a\x0a"), "before 1.6"));
  CHECK(contains(error_of_bytes("version https://git-lfs.github.com/spec/v1\n"), "Git LFS"));
  CHECK(contains(error_of_bytes(zip_bytes({{"a/version", "3"}})), "no data.pkl"));
  const Entry entry = {"a/data.pkl", pickle(dict(""))};
  CHECK(contains(error_of_bytes(zip_bytes({entry, entry})), "twice"));
  CHECK(contains(error_of_bytes(zip_bytes({entry, {"b/data.pkl", entry.data}})), "more than one"));
  CHECK(contains(error_of_bytes(zip_bytes({{"a/data.pkl", entry.data, 8}})), "compressed"));
  CHECK(contains(error_of_bytes(zip_bytes({entry, {"a/byteorder", "big"}})), "little-endian"));
  CHECK(contains(error_of_bytes(zip_bytes({entry})), "no tensors"));
  CHECK(contains(
      error_of_bytes(zip_bytes({{"a/data.pkl", pickle(dict(text("model") + integer(1)))}})),
      "its keys are model"));
}

TEST_CASE("any cut or changed byte of a file gives an error or a result, never a crash") {
  const std::string good = torch_bytes(dict(text("w") + tensor({})));
  const test::TmpDir dir;
  const auto try_bytes = [&](const std::string& bytes) {
    try {
      const auto source = open_torch_file(dir.write("m.bin", bytes));
      for (const Tensor& found : source->tensors())
        to_float(found);
    } catch (const Error&) {
    }
  };
  for (std::size_t n = 0; n < good.size(); n += 3)
    try_bytes(good.substr(0, n));
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const char change : {'\x01', '\x80', '\x7F'}) {
      std::string bytes = good;
      bytes[i] = static_cast<char>(bytes[i] ^ change);
      try_bytes(bytes);
    }
  }
  SUCCEED();
}

TEST_CASE("a pickle cannot make more work than its bytes") {
  const auto message = [](const std::string& bytes) {
    return test::error_of([&] { read_pickle(bytes, "m.bin", "data.pkl"); });
  };
  CHECK(contains(message(""), "truncated"));
  CHECK(contains(message(std::string(2'000'000, ')')), "too many objects"));
  CHECK(contains(message("X\xFF\xFF\xFF\xFFshort"), "truncated"));
  CHECK(contains(message("t."), "no mark"));
  CHECK(contains(message("."), "empty"));
  CHECK(contains(message("h\x05."), "before it is made"));
  CHECK(contains(message("P0\n."), "no place"));
  CHECK(contains(message("\x8a\x09"
                         "123456789."),
                 "too large"));
  // Deep nesting and cycles are destroyed without recursion.
  const Pickle deep = read_pickle(")" + std::string(500'000, '\x85') + ".", "m.bin", "data.pkl");
  CHECK(deep.top->items.size() == 1);
  const Pickle cycle = read_pickle(
      "]q\x01h\x01"
      "a.",
      "m.bin", "data.pkl");
  CHECK(cycle.top->items[0] == cycle.top);
  const Pickle number = read_pickle("\x8a\x02\xFE\xFF.", "m.bin", "data.pkl");
  CHECK(number.top->integer == -2);
}
