// SPDX-License-Identifier: MIT
#include "run_app.hpp"

#include <sys/wait.h>

#include <cstdlib>

#include "tmp_dir.hpp"

namespace genomamba::test {
namespace {

std::string quote(const std::string& word) {
  std::string quoted = "'";
  for (char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  quoted += '\'';
  return quoted;
}

}  // namespace

AppResult run_shell(const std::string& command, const std::string& work_dir) {
  const TmpDir tmp;
  std::string script = "export PATH=" + quote(GENOMAMBA_BIN_DIR) + ":\"$PATH\"\n";
  if (!work_dir.empty()) script += "cd " + quote(work_dir) + " || exit 99\n";
  script += command + "\n";
  const std::string script_path = tmp.write("script.sh", script);
  const std::string line = "bash " + quote(script_path) + " >" + quote(tmp.file("out")) + " 2>" +
                           quote(tmp.file("err")) + " </dev/null";
  const int status = std::system(line.c_str());
  AppResult result;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = read_file(tmp.file("out"));
  result.err = read_file(tmp.file("err"));
  return result;
}

AppResult run_app(const std::vector<std::string>& arguments, const std::string& work_dir) {
  std::string command = "exec";
  for (const std::string& argument : arguments)
    command.append(" ").append(quote(argument));
  return run_shell(command, work_dir);
}

}  // namespace genomamba::test
