// SPDX-License-Identifier: MIT
// config.json, tokenizer.json and shard indexes: parsed, then asked for what a loader asks.
#include "genomamba/checkpoint/config_file.hpp"
#include "genomamba/core/error.hpp"
#include "memory_file.hpp"

namespace {

using genomamba::checkpoint::ConfigFile;

/// A key of the wrong type is an Error of that look-up alone.
void look_up(const ConfigFile& config, const char* key) {
  const auto tried = [](const auto& look) {
    try {
      look();
    } catch (const genomamba::Error&) {
    }
  };
  tried([&] { config.find_int(key); });
  tried([&] { config.find_number(key); });
  tried([&] { config.find_bool(key); });
  tried([&] { config.find_string(key); });
  tried([&] { config.find_strings(key); });
  tried([&] { config.find_numbers(key); });
  tried([&] { config.find_int_map(key); });
  tried([&] { config.find_string_map(key); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace genomamba;  // NOLINT(google-build-using-namespace)
  try {
    const ConfigFile config = ConfigFile::parse(fuzz::as_text(data, size), "fuzz.json");
    for (const char* key : {"d_model", "vocab_size", "ssm_cfg", "ssm_cfg.d_state", "model_type",
                            "rms_norm", "complement_map", "model.vocab", "weight_map",
                            "architectures", "time_step_limit", "a", "a.b"})
      look_up(config, key);
  } catch (const Error&) {
  }
  return 0;
}
