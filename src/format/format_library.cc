// The one place where the formatting library is compiled: everywhere else only its declarations are seen, which makes
// a file compile four times as fast. A library of its own, beside
// weir_core, because it can print; libweir.so contains it and needs no further shared library.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {

#if FMT_VERSION < 110100  // later ones have it compiled by the header above
template void vformat_to(buffer<char>&, string_view, basic_format_args<format_context>, locale_ref);
#endif
template auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref) -> char;
template void buffer<char>::append(const char*, const char*);
template auto dragonbox::to_decimal(float) noexcept -> dragonbox::decimal_fp<float>;
template auto dragonbox::to_decimal(double) noexcept -> dragonbox::decimal_fp<double>;

}  // namespace detail
FMT_END_NAMESPACE
