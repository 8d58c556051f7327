// SPDX-License-Identifier: MIT
// Text of others made fit for a page.
#include "text.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "axis.hpp"
#include "catch.hpp"

using namespace genomamba::report;

TEST_CASE("No text can leave its element or its attribute") {
  CHECK(escaped("<script>alert('x\"&')</script>") ==
        "&lt;script&gt;alert(&#39;x&quot;&amp;&#39;)&lt;/script&gt;");
  CHECK(escaped("a\tb\nc") == "a\tb\nc");
  CHECK(escaped(std::string("a\0b\x1b\x7f", 5)) ==
        "a\xef\xbf\xbd"
        "b\xef\xbf\xbd\xef\xbf\xbd");
}

TEST_CASE("Bytes that are no UTF-8 are replaced, those that are stay") {
  const std::string good = "\xc3\xa9\xe2\x82\xac\xf0\x9f\xa7\xac";
  CHECK(escaped(good) == good);
  const std::string bad = "\xef\xbf\xbd";
  CHECK(escaped("\xff") == bad);
  CHECK(escaped("\xc3") == bad);
  CHECK(escaped("\xc0\xbc") == bad + bad);            // an overlong '<'
  CHECK(escaped("\xed\xa0\x80") == bad + bad + bad);  // a surrogate
  CHECK(escaped("\xc3<") == bad + "&lt;");
}

TEST_CASE("A long text keeps both ends, whole characters only") {
  CHECK(shortened("abcdefghij", 10) == "abcdefghij");
  CHECK(shortened("abcdefghijk", 5) == "ab\xe2\x80\xa6jk");
  CHECK(shortened("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 3) == "\xc3\xa9\xe2\x80\xa6\xc3\xa9");
}

TEST_CASE("Names of files hold letters, digits and dashes alone") {
  CHECK(slug("../../etc/Pass wd<&") == "etc-pass-wd");
  CHECK(slug("***") == "x");
  CHECK(slug(std::string(500, 'a')).size() == 60);
}

TEST_CASE("Base64 is that of RFC 4648") {
  const auto encode = [](std::string_view text) {
    return base64(std::vector<std::uint8_t>(text.begin(), text.end()));
  };
  CHECK(encode("") == "");
  CHECK(encode("f") == "Zg==");
  CHECK(encode("fo") == "Zm8=");
  CHECK(encode("foobar") == "Zm9vYmFy");
}

TEST_CASE("Numbers are read whole or not at all") {
  CHECK(to_number("-1.5") == -1.5);
  CHECK(std::isnan(to_number("1.5x")));
  CHECK(std::isnan(to_number("")));
  CHECK(std::isnan(to_number(".")));
  CHECK(number_text(48502) == "48502");
  CHECK(number_text(0.000123456) == "0.0001235");
  CHECK(number_text(NAN) == "-");
}

TEST_CASE("Ticks are round and inside the range, also of a range without width") {
  CHECK(nice_ticks({0, 1}, 5) == std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1});
  CHECK(nice_ticks({-3, 7.5}, 5) == std::vector<double>{-2, 0, 2, 4, 6});
  CHECK(nice_ticks({4, 4}, 5) == std::vector<double>{4});
  const Range wider = widened({2, 2}, 0.1);
  CHECK(wider.low < 2);
  CHECK(wider.high > 2);
}
