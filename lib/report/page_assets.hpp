// SPDX-License-Identifier: MIT
// The files of page/, put into the program by CMake. Private to report.
#pragma once

#include <string_view>

namespace genomamba::report {

extern const std::string_view kFigureCss;     ///< page/figure.css: light, for figures everywhere
extern const std::string_view kPageCss;       ///< page/page.css
extern const std::string_view kPageJs;        ///< page/report.js
extern const std::string_view kPageJsSha256;  ///< of kPageJs, 64 hexadecimal digits

}  // namespace genomamba::report
