#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

/// What the program says on its standard streams. A message that cannot be shown on standard error is lost and changes
/// nothing else; what is lost on standard output is an error, since it may be the result that was asked for.
namespace repose::experiments {

/// Takes the places of closed standard streams, so that no file opened later is mistaken for one of them. Writing to a
/// stream that was closed fails. To be called first.
void open_standard_streams() noexcept;

/// Writes to standard error as far as that is possible.
void tell(std::string_view text) noexcept;

template <class... Arguments>
void tell(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  tell(std::string_view(fmt::format(text, std::forward<Arguments>(arguments)...)));
}

/// Writes to standard output. @throws WriteError naming it
void print(std::string_view text);

template <class... Arguments>
void print(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  print(std::string_view(fmt::format(text, std::forward<Arguments>(arguments)...)));
}

/// Hands on what was printed until now. @throws WriteError if some of all that was ever printed is lost
void flush_output();

}  // namespace repose::experiments
