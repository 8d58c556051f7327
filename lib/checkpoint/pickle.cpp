// SPDX-License-Identifier: MIT
#include "pickle.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <unordered_map>

#include "genomamba/core/error.hpp"
#include "json_text.hpp"

namespace genomamba::checkpoint {
namespace {

using Kind = PickleValue::Kind;

constexpr std::array<std::string_view, 10> kRefusedModules = {
    "builtins", "__builtin__", "os",     "posix",     "nt",
    "sys",      "subprocess",  "shutil", "importlib", "runpy"};

struct StorageType {
  std::string_view name;
  Dtype dtype;
};
constexpr std::array<StorageType, 10> kStorageTypes = {{{"FloatStorage", Dtype::kF32},
                                                        {"HalfStorage", Dtype::kF16},
                                                        {"BFloat16Storage", Dtype::kBF16},
                                                        {"DoubleStorage", Dtype::kF64},
                                                        {"LongStorage", Dtype::kI64},
                                                        {"IntStorage", Dtype::kI32},
                                                        {"ShortStorage", Dtype::kI16},
                                                        {"CharStorage", Dtype::kI8},
                                                        {"ByteStorage", Dtype::kU8},
                                                        {"BoolStorage", Dtype::kBool}}};

constexpr std::string_view kOrderedDict = "collections OrderedDict";
constexpr std::string_view kRebuildTensor = "torch._utils _rebuild_tensor_v2";
constexpr std::string_view kRebuildParameter = "torch._utils _rebuild_parameter";
constexpr std::size_t kMaxDims = 16;
/// A state dict makes about ten objects a tensor; more than this many only cost memory.
constexpr std::size_t kMaxObjects = 1'000'000;

std::optional<Dtype> storage_dtype(std::string_view global) {
  for (const StorageType& type : kStorageTypes) {
    if (global == "torch " + std::string(type.name)) return type.dtype;
  }
  return std::nullopt;
}

/// The stack machine of Python's pickle, protocols 0 to 5, as far as a state dict needs it.
class Machine {
 public:
  Machine(std::string_view bytes, const std::string& path, const std::string& where)
      : bytes_(bytes), path_(path), where_(where) {}

  Pickle run() {
    while (!step(static_cast<unsigned char>(take(1)[0]))) {
    }
    return std::move(pickle_);
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw CheckpointError(path_, where_ + " byte " + std::to_string(at_), reason);
  }

  // Input.
  std::string_view take(std::uint64_t n) {
    if (n > bytes_.size() - at_) fail("the pickle is truncated");
    const std::string_view part = bytes_.substr(at_, static_cast<std::size_t>(n));
    at_ += static_cast<std::size_t>(n);
    return part;
  }
  std::uint64_t number(std::size_t width) {
    const std::string_view part = take(width);
    std::uint64_t value = 0;
    for (std::size_t i = width; i-- > 0;)
      value = (value << 8) | static_cast<unsigned char>(part[i]);
    return value;
  }
  std::string_view line() {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) fail("the pickle is truncated");
    const std::string_view text = take(end - at_);
    take(1);
    return text;
  }
  /// Two's complement, little-endian, as long as it is.
  std::int64_t long_number(std::uint64_t width) {
    if (width > 8) fail("an integer of " + std::to_string(width) + " bytes is too large");
    const std::uint64_t value = number(static_cast<std::size_t>(width));
    if (width == 0 || width == 8) return static_cast<std::int64_t>(value);
    const std::uint64_t sign = std::uint64_t{1} << (8 * width - 1);
    return static_cast<std::int64_t>((value ^ sign) - sign);
  }

  // Values.
  PickleValue& make(Kind kind) {
    if (pickle_.arena.size() == kMaxObjects) fail("too many objects");
    PickleValue& value = pickle_.arena.emplace_back();
    value.kind = kind;
    return value;
  }
  void push(PickleValue& value) { stack_.push_back(&value); }
  void push_int(Kind kind, std::int64_t integer) {
    PickleValue& value = make(kind);
    value.integer = integer;
    push(value);
  }
  void push_text(std::string_view text) {
    PickleValue& value = make(Kind::kString);
    value.text = text;
    push(value);
  }
  void push_inert(const std::string& text) {
    PickleValue& value = make(Kind::kInert);
    value.text = text;
    push(value);
  }
  PickleValue* pop() {
    if (stack_.size() <= floor()) fail("the stack is empty");
    PickleValue* value = stack_.back();
    stack_.pop_back();
    return value;
  }
  PickleValue& top() {
    if (stack_.size() <= floor()) fail("the stack is empty");
    return *stack_.back();
  }
  std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }
  std::vector<PickleValue*> pop_to_mark() {
    if (marks_.empty()) fail("there is no mark");
    std::vector<PickleValue*> items(stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back()),
                                    stack_.end());
    stack_.resize(marks_.back());
    marks_.pop_back();
    return items;
  }

  // Opcodes.
  bool step(unsigned char opcode);
  bool step_text(unsigned char opcode);
  bool step_container(unsigned char opcode);
  bool step_memo(unsigned char opcode);
  bool step_object(unsigned char opcode);

  void make_sequence(std::vector<PickleValue*> items) {
    PickleValue& value = make(Kind::kSequence);
    value.items.assign(items.begin(), items.end());
    push(value);
  }
  void tuple_of(std::size_t n) {
    std::vector<PickleValue*> items(n);
    for (std::size_t i = n; i-- > 0;)
      items[i] = pop();
    make_sequence(std::move(items));
  }
  void append(PickleValue& target, const std::vector<PickleValue*>& items) {
    if (target.kind == Kind::kInert) return;
    if (target.kind != Kind::kSequence) fail("a list is expected");
    target.items.insert(target.items.end(), items.begin(), items.end());
  }
  void set_items(PickleValue& target, const std::vector<PickleValue*>& items) {
    if (target.kind == Kind::kInert) return;
    if (target.kind != Kind::kDict || items.size() % 2 != 0) fail("a dict is expected");
    for (std::size_t i = 0; i < items.size(); i += 2)
      target.pairs.emplace_back(items[i], items[i + 1]);
  }
  void remember(std::uint64_t key) { memo_[key] = &top(); }
  void recall(std::uint64_t key) {
    const auto found = memo_.find(key);
    if (found == memo_.end()) fail("an object is used before it is made");
    stack_.push_back(found->second);
  }

  void global(std::string_view module, std::string_view name);
  void reduce(const PickleValue& callable, const PickleValue& arguments);
  void persistent_id(const PickleValue& id);
  PickleValue& rebuild_tensor(const PickleValue& arguments);
  std::vector<std::size_t> sizes(const PickleValue& value);

  std::string_view bytes_;
  std::string path_;
  std::string where_;
  std::size_t at_ = 0;
  Pickle pickle_;
  std::vector<PickleValue*> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, PickleValue*> memo_;
};

void Machine::global(std::string_view module, std::string_view name) {
  const std::string_view package = module.substr(0, module.find('.'));
  const std::string shown = printable(module) + "." + printable(name);
  if (std::find(kRefusedModules.begin(), kRefusedModules.end(), package) != kRefusedModules.end()) {
    throw CheckpointError(
        path_, where_,
        "refused: it would call " + shown + ", which no weights need; the file may be malicious");
  }
  const std::string full = std::string(module) + " " + std::string(name);
  const bool is_known = full == kOrderedDict || full == kRebuildTensor ||
                        full == kRebuildParameter || storage_dtype(full).has_value();
  if (!is_known) {
    push_inert(shown);
    return;
  }
  PickleValue& value = make(Kind::kGlobal);
  value.text = full;
  push(value);
}

std::vector<std::size_t> Machine::sizes(const PickleValue& value) {
  if (value.kind != Kind::kSequence || value.items.size() > kMaxDims) fail("not a tensor's shape");
  std::vector<std::size_t> result;
  for (const PickleValue* item : value.items) {
    if (item->kind != Kind::kInt || item->integer < 0) fail("not a tensor's shape");
    result.push_back(static_cast<std::size_t>(item->integer));
  }
  return result;
}

/// _rebuild_tensor_v2(storage, storage_offset, size, stride, requires_grad, backward_hooks, ...).
PickleValue& Machine::rebuild_tensor(const PickleValue& arguments) {
  const PickleItems& items = arguments.items;
  if (items.size() < 4 || items[0]->kind != Kind::kStorage || items[1]->kind != Kind::kInt ||
      items[1]->integer < 0) {
    fail("not a tensor's arguments");
  }
  PickleValue& value = make(Kind::kTensor);
  value.tensor.storage = &items[0]->storage;
  value.tensor.offset = static_cast<std::uint64_t>(items[1]->integer);
  value.tensor.shape = sizes(*items[2]);
  value.tensor.strides = sizes(*items[3]);
  if (value.tensor.shape.size() != value.tensor.strides.size()) fail("not a tensor's shape");
  return value;
}

void Machine::reduce(const PickleValue& callable, const PickleValue& arguments) {
  if (callable.kind == Kind::kInert) return push_inert(callable.text);
  if (callable.kind != Kind::kGlobal || arguments.kind != Kind::kSequence) fail("not a known call");
  if (callable.text == kOrderedDict) {
    if (!arguments.items.empty()) fail("an OrderedDict with arguments is not known");
    push(make(Kind::kDict));
  } else if (callable.text == kRebuildTensor) {
    push(rebuild_tensor(arguments));
  } else if (callable.text == kRebuildParameter) {
    const bool is_tensor = !arguments.items.empty() && arguments.items[0]->kind == Kind::kTensor;
    if (!is_tensor) fail("not a parameter's arguments");
    PickleValue& value = make(Kind::kTensor);
    value.tensor = arguments.items[0]->tensor;
    push(value);
  } else {
    fail("a storage cannot be called");
  }
}

/// ('storage', storage type, key, location, number of elements).
void Machine::persistent_id(const PickleValue& id) {
  const PickleItems& items = id.items;
  if (id.kind != Kind::kSequence || items.size() < 5 || items[0]->text != "storage" ||
      items[2]->kind != Kind::kString || items[4]->kind != Kind::kInt || items[4]->integer < 0) {
    fail("not a storage");
  }
  const std::optional<Dtype> dtype = storage_dtype(items[1]->text);
  if (items[1]->kind != Kind::kGlobal || !dtype) {
    fail("storages of " + items[1]->text + " are not known");
  }
  PickleValue& value = make(Kind::kStorage);
  value.storage = {items[2]->text, *dtype, static_cast<std::uint64_t>(items[4]->integer)};
  push(value);
}

/// Numbers and strings. False when the opcode is none of these.
bool Machine::step_text(unsigned char opcode) {
  switch (opcode) {
    case 'N':
      push(make(Kind::kNone));
      return true;
    case 0x88:
      push_int(Kind::kBool, 1);
      return true;
    case 0x89:
      push_int(Kind::kBool, 0);
      return true;
    case 'J':
      push_int(Kind::kInt, long_number(4));
      return true;
    case 'K':
      push_int(Kind::kInt, static_cast<std::int64_t>(number(1)));
      return true;
    case 'M':
      push_int(Kind::kInt, static_cast<std::int64_t>(number(2)));
      return true;
    case 0x8A:
      push_int(Kind::kInt, long_number(number(1)));
      return true;
    case 0x8B:
      push_int(Kind::kInt, long_number(number(4)));
      return true;
    case 'G':
      take(8);
      push(make(Kind::kFloat));
      return true;
    case 'X':
    case 'T':
    case 'B':
      push_text(take(number(4)));
      return true;
    case 'U':
    case 'C':
    case 0x8C:
      push_text(take(number(1)));
      return true;
    case 0x8D:
    case 0x8E:
    case 0x96:
      push_text(take(number(8)));
      return true;
    default:
      return false;
  }
}

bool Machine::step_container(unsigned char opcode) {
  switch (opcode) {
    case '(':
      marks_.push_back(stack_.size());
      return true;
    case ')':
    case ']':
    case 0x8F:
      push(make(Kind::kSequence));
      return true;
    case '}':
      push(make(Kind::kDict));
      return true;
    case 't':
    case 'l':
    case 0x91:
      make_sequence(pop_to_mark());
      return true;
    case 0x85:
      tuple_of(1);
      return true;
    case 0x86:
      tuple_of(2);
      return true;
    case 0x87:
      tuple_of(3);
      return true;
    case 'd': {
      const std::vector<PickleValue*> items = pop_to_mark();
      PickleValue& value = make(Kind::kDict);
      set_items(value, items);
      push(value);
      return true;
    }
    case 'a': {
      PickleValue* item = pop();
      append(top(), {item});
      return true;
    }
    case 'e':
    case 0x90: {
      const std::vector<PickleValue*> items = pop_to_mark();
      append(top(), items);
      return true;
    }
    case 's': {
      PickleValue* value = pop();
      PickleValue* key = pop();
      set_items(top(), {key, value});
      return true;
    }
    case 'u': {
      const std::vector<PickleValue*> items = pop_to_mark();
      set_items(top(), items);
      return true;
    }
    default:
      return false;
  }
}

bool Machine::step_memo(unsigned char opcode) {
  switch (opcode) {
    case 'q':
      remember(number(1));
      return true;
    case 'r':
      remember(number(4));
      return true;
    case 0x94:
      remember(memo_.size());
      return true;
    case 'h':
      recall(number(1));
      return true;
    case 'j':
      recall(number(4));
      return true;
    case '0':
      if (stack_.size() > floor()) {
        pop();
      } else {
        pop_to_mark();
      }
      return true;
    case '1':
      pop_to_mark();
      return true;
    case '2':
      stack_.push_back(&top());
      return true;
    default:
      return false;
  }
}

bool Machine::step_object(unsigned char opcode) {
  switch (opcode) {
    case 'c': {
      const std::string_view module = line();
      global(module, line());
      return true;
    }
    case 0x93: {
      const PickleValue* name = pop();
      const PickleValue* module = pop();
      if (name->kind != Kind::kString || module->kind != Kind::kString) fail("not a global's name");
      global(module->text, name->text);
      return true;
    }
    case 'R':
    case 0x81: {
      const PickleValue* arguments = pop();
      const PickleValue* callable = pop();
      reduce(*callable, *arguments);
      return true;
    }
    case 0x92: {
      pop();  // keyword arguments: only inert nodes have them
      const PickleValue* arguments = pop();
      const PickleValue* callable = pop();
      if (callable->kind != Kind::kInert) fail("not a known call");
      reduce(*callable, *arguments);
      return true;
    }
    case 'b':  // the attributes of a dict or tensor (_metadata, ...) are not wanted
      pop();
      top();
      return true;
    case 'Q': {
      const PickleValue* id = pop();
      persistent_id(*id);
      return true;
    }
    default:
      return false;
  }
}

/// True at the end of the pickle.
bool Machine::step(unsigned char opcode) {
  switch (opcode) {
    case 0x80:
      take(1);
      return false;  // PROTO
    case 0x95:
      take(8);
      return false;  // FRAME
    case '.':
      pickle_.top = pop();
      return true;
    default:
      break;
  }
  if (step_text(opcode) || step_container(opcode) || step_memo(opcode) || step_object(opcode)) {
    return false;
  }
  fail("opcode " + std::to_string(opcode) + " has no place in a state dict");
}

}  // namespace

Pickle read_pickle(std::string_view bytes, const std::string& path, const std::string& where) {
  return Machine(bytes, path, where).run();
}

}  // namespace genomamba::checkpoint
