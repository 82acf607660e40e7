#include "layout/external32.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "layout/random_types.h"

namespace weir::layout {
namespace {

using Bytes = std::vector<std::byte>;

std::string hex(const Bytes& bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (std::byte b : bytes) {
    text += kDigits[std::to_integer<unsigned>(b) >> 4];
    text += kDigits[std::to_integer<unsigned>(b) & 15];
  }
  return text;
}

Bytes from_hex(const std::string& text) {
  Bytes bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoi(text.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

// The external form of a value, as hexadecimal digits.
template <typename T>
std::string external_of(BasicKind kind, T value) {
  Bytes external(static_cast<std::size_t>(Representation::external32().bytes(kind)));
  Status status = convert_external32(Direction::kWrite, kind, 1, Representation::native(),
                                     reinterpret_cast<std::byte*>(&value), external.data());
  EXPECT_TRUE(status.ok()) << status.text();
  return hex(external);
}

// The native form of hexadecimal digits.
template <typename T>
T native_of(BasicKind kind, const std::string& digits) {
  T value;
  std::memset(static_cast<void*>(&value), 0xee, sizeof value);  // every byte must be set
  Bytes external = from_hex(digits);
  Status status = convert_external32(Direction::kRead, kind, 1, Representation::native(),
                                     reinterpret_cast<std::byte*>(&value), external.data());
  EXPECT_TRUE(status.ok()) << status.text();
  return value;
}

// Both directions.
template <typename T>
void expect_form(BasicKind kind, T value, const std::string& digits) {
  EXPECT_EQ(external_of(kind, value), digits) << name(kind);
  EXPECT_EQ(native_of<T>(kind, digits), value) << name(kind) << " " << digits;
}

template <typename T>
ErrorClass write_class(BasicKind kind, T value) {
  Bytes external(16);
  return convert_external32(Direction::kWrite, kind, 1, Representation::native(), reinterpret_cast<std::byte*>(&value),
                            external.data())
      .error_class();
}

TEST(External32, IntegersAreBigEndian) {
  expect_form<int>(BasicKind::kInt, 1, "00000001");
  expect_form<int>(BasicKind::kInt, 0x01020304, "01020304");
  expect_form<int>(BasicKind::kInt, -2, "fffffffe");
  expect_form<short>(BasicKind::kShort, -2, "fffe");
  expect_form<short>(BasicKind::kShort, std::numeric_limits<short>::min(), "8000");
  expect_form<unsigned short>(BasicKind::kUnsignedShort, 0xfffe, "fffe");
  expect_form<unsigned>(BasicKind::kUnsigned, 0xdeadbeef, "deadbeef");
  expect_form<long long>(BasicKind::kLongLong, -1, "ffffffffffffffff");
  expect_form<std::uint64_t>(BasicKind::kUint64, 0x0102030405060708, "0102030405060708");
  expect_form<std::int64_t>(BasicKind::kOffset, std::int64_t{1} << 40, "0000010000000000");
}

TEST(External32, BytesAndCharactersStayAsTheyAre) {
  expect_form<unsigned char>(BasicKind::kByte, 0xa5, "a5");
  expect_form<char>(BasicKind::kChar, 'w', "77");
  expect_form<signed char>(BasicKind::kSignedChar, -1, "ff");
  expect_form<bool>(BasicKind::kCBool, true, "01");
  expect_form<bool>(BasicKind::kCxxBool, false, "00");
}

TEST(External32, LongIsFourBytes) {
  expect_form<long>(BasicKind::kLong, 5, "00000005");
  expect_form<long>(BasicKind::kLong, -5, "fffffffb");
  expect_form<long>(BasicKind::kLong, std::numeric_limits<std::int32_t>::max(), "7fffffff");
  expect_form<long>(BasicKind::kLong, std::numeric_limits<std::int32_t>::min(), "80000000");
  expect_form<unsigned long>(BasicKind::kUnsignedLong, 0xffffffffUL, "ffffffff");
}

TEST(External32, ALongThatDoesNotFitIsAConversionError) {
  EXPECT_EQ(write_class<long>(BasicKind::kLong, 0x80000000L), ErrorClass::kConversion);
  EXPECT_EQ(write_class<long>(BasicKind::kLong, -0x80000001L), ErrorClass::kConversion);
  EXPECT_EQ(write_class<long>(BasicKind::kLong, std::numeric_limits<long>::max()), ErrorClass::kConversion);
  EXPECT_EQ(write_class<long>(BasicKind::kLong, std::numeric_limits<long>::min()), ErrorClass::kConversion);
  EXPECT_EQ(write_class<unsigned long>(BasicKind::kUnsignedLong, 0x100000000UL), ErrorClass::kConversion);
  EXPECT_EQ(write_class<unsigned long>(BasicKind::kUnsignedLong, ~0UL), ErrorClass::kConversion);
}

TEST(External32, ConversionStopsAtTheValueThatDoesNotFit) {
  long values[] = {1, 2, 0x123456789L, 4};
  Bytes external(16, std::byte{0xcc});
  Status status = convert_external32(Direction::kWrite, BasicKind::kLong, 4, Representation::native(),
                                     reinterpret_cast<std::byte*>(values), external.data());
  EXPECT_EQ(status.error_class(), ErrorClass::kConversion);
  EXPECT_NE(status.text().find("MPI_LONG"), std::string::npos) << status.text();
  EXPECT_EQ(hex(external), "0000000100000002cccccccccccccccc");
}

TEST(External32, WideCharactersAreTwoBytes) {
  expect_form<wchar_t>(BasicKind::kWchar, L'A', "0041");
  expect_form<wchar_t>(BasicKind::kWchar, static_cast<wchar_t>(0xffff), "ffff");
  EXPECT_EQ(write_class<wchar_t>(BasicKind::kWchar, static_cast<wchar_t>(0x10000)), ErrorClass::kConversion);
}

TEST(External32, LogicalsKeepTheirTruth) {
  expect_form<std::int32_t>(BasicKind::kLogical, 1, "00000001");
  expect_form<std::int32_t>(BasicKind::kLogical, 0, "00000000");
  expect_form<std::int16_t>(BasicKind::kLogical2, 1, "0001");
  expect_form<std::int64_t>(BasicKind::kLogical8, 1, "0000000000000001");
}

TEST(External32, FortranIntegersOfOtherSizesAreNarrowedAndWidened) {
  Representation wide = Representation::native();
  wide.set(BasicKind::kInteger, 8, 8);
  std::int64_t values[] = {-7, 7};
  Bytes external(8);
  ASSERT_TRUE(convert_external32(Direction::kWrite, BasicKind::kInteger, 2, wide, reinterpret_cast<std::byte*>(values),
                                 external.data())
                  .ok());
  EXPECT_EQ(hex(external), "fffffff900000007");
  std::int64_t back[] = {0, 0};
  ASSERT_TRUE(convert_external32(Direction::kRead, BasicKind::kInteger, 2, wide, reinterpret_cast<std::byte*>(back),
                                 external.data())
                  .ok());
  EXPECT_EQ(back[0], -7);
  EXPECT_EQ(back[1], 7);
}

TEST(External32, FloatsAreIeeeBigEndian) {
  expect_form<float>(BasicKind::kFloat, 1.0F, "3f800000");
  expect_form<float>(BasicKind::kReal, -2.5F, "c0200000");
  expect_form<double>(BasicKind::kDouble, 1.0, "3ff0000000000000");
  expect_form<double>(BasicKind::kDouble, -0.0, "8000000000000000");
  expect_form<double>(BasicKind::kDouble, std::numeric_limits<double>::infinity(), "7ff0000000000000");
  expect_form<double>(BasicKind::kDoublePrecision, std::numeric_limits<double>::denorm_min(), "0000000000000001");
  EXPECT_TRUE(std::isnan(native_of<double>(BasicKind::kDouble, "7ff8000000000000")));
}

TEST(External32, ComplexValuesAreTwoFloats) {
  expect_form(BasicKind::kCFloatComplex, std::complex<float>(1.0F, -2.5F), "3f800000c0200000");
  expect_form(BasicKind::kComplex, std::complex<float>(-2.5F, 1.0F), "c02000003f800000");
  expect_form(BasicKind::kCDoubleComplex, std::complex<double>(1.0, 2.0), "3ff00000000000004000000000000000");
  expect_form(BasicKind::kCxxLongDoubleComplex, std::complex<long double>(1.0L, -2.5L),
              "3fff0000000000000000000000000000c0004000000000000000000000000000");
}

std::string zeros(int digits) { return std::string(static_cast<std::size_t>(digits), '0'); }

TEST(External32, LongDoublesAreIeeeQuads) {
  constexpr BasicKind kKind = BasicKind::kLongDouble;
  using Limits = std::numeric_limits<long double>;
  expect_form<long double>(kKind, 0.0L, zeros(32));
  expect_form<long double>(kKind, 1.0L, "3fff" + zeros(28));
  expect_form<long double>(kKind, -2.5L, "c0004" + zeros(27));
  expect_form<long double>(kKind, 2.0L / 3.0L, "3ffe5555555555555556" + zeros(12));
  expect_form<long double>(kKind, Limits::infinity(), "7fff" + zeros(28));
  expect_form<long double>(kKind, -Limits::infinity(), "ffff" + zeros(28));
  expect_form<long double>(kKind, Limits::max(), "7ffefffffffffffffffe" + zeros(12));
  expect_form<long double>(kKind, Limits::min(), "0001" + zeros(28));
  expect_form<long double>(kKind, Limits::denorm_min(), "00000000000000000002" + zeros(12));
  EXPECT_EQ(external_of(kKind, -0.0L), "8000" + zeros(28));
  EXPECT_TRUE(std::signbit(native_of<long double>(kKind, "8000" + zeros(28))));
}

TEST(External32, NotANumberStaysNotANumber) {
  constexpr BasicKind kKind = BasicKind::kLongDouble;
  EXPECT_EQ(external_of(kKind, std::numeric_limits<long double>::quiet_NaN()), "7fff8" + zeros(27));
  EXPECT_TRUE(std::isnan(native_of<long double>(kKind, "7fff8" + zeros(27))));
  EXPECT_TRUE(std::isnan(native_of<long double>(kKind, "ffff8" + zeros(27))));
}

// Of 112 bits of fraction the x87 format has 63: a NaN whose payload lies below them must not become an infinity.
TEST(External32, NotANumberStaysSoWhenItsPayloadDoesNotFit) {
  EXPECT_TRUE(std::isnan(native_of<long double>(BasicKind::kLongDouble, "7fff" + zeros(27) + "1")));
}

TEST(External32, OneConversionOfManyValues) {
  std::vector<int> values = {1, 2, 3};
  Bytes external(12);
  ASSERT_TRUE(convert_external32(Direction::kWrite, BasicKind::kInt, 3, Representation::native(),
                                 reinterpret_cast<std::byte*>(values.data()), external.data())
                  .ok());
  EXPECT_EQ(hex(external), "000000010000000200000003");
  EXPECT_TRUE(
      convert_external32(Direction::kWrite, BasicKind::kInt, 0, Representation::native(), nullptr, nullptr).ok());
}

bool is_long_double(BasicKind kind) {
  return kind == BasicKind::kLongDouble || kind == BasicKind::kCLongDoubleComplex ||
         kind == BasicKind::kCxxLongDoubleComplex;
}

// Native bytes of one value of any kind that external32 can hold: random bits, or a random sum for long doubles, whose
// padding is not kept.
Bytes random_value(std::mt19937_64& random, BasicKind kind) {
  Bytes bytes(static_cast<std::size_t>(Representation::native().bytes(kind)));
  for (std::byte& b : bytes) b = static_cast<std::byte>(random());
  const auto external_bytes = static_cast<std::size_t>(Representation::external32().bytes(kind));
  if (is_long_double(kind)) {
    for (std::size_t at = 0; at < bytes.size(); at += 16) {
      long double value = std::ldexp(static_cast<long double>(random()), static_cast<int>(random() % 20000) - 10000);
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), 16, std::byte{0});
      std::memcpy(bytes.data() + at, &value, 10);
    }
  }
  const bool negative = value_class(kind) == ValueClass::kSigned && external_bytes < bytes.size() &&
                        (bytes[external_bytes - 1] & std::byte{0x80}) != std::byte{0};
  for (std::size_t i = external_bytes; i < bytes.size(); ++i) bytes[i] = negative ? std::byte{0xff} : std::byte{0};
  return bytes;
}

TEST(External32, RandomValuesOfEveryKindComeBack) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("WEIR_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  const Representation native = Representation::native();
  for (std::size_t i = 0; i < kBasicKinds; ++i) {
    const auto kind = static_cast<BasicKind>(i);
    if (value_class(kind) == ValueClass::kPair) continue;
    for (int round = 0; round < 100; ++round) {
      Bytes value = random_value(random, kind);
      Bytes external(static_cast<std::size_t>(Representation::external32().bytes(kind)));
      Bytes back(value.size(), std::byte{0xee});
      EXPECT_TRUE(convert_external32(Direction::kWrite, kind, 1, native, value.data(), external.data()).ok());
      EXPECT_TRUE(convert_external32(Direction::kRead, kind, 1, native, back.data(), external.data()).ok());
      EXPECT_EQ(hex(back), hex(value)) << name(kind);
    }
  }
}

}  // namespace
}  // namespace weir::layout
