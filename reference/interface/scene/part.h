#pragma once

#include <string>
#include <string_view>

namespace repose {

/// A part of a scene that is being checked: a table of its file (TomlTable) or what a program built (BuiltPart). Rules
/// across keys are written once for both; what they refuse, each says in its own way.
class ScenePart {
 public:
  virtual ~ScenePart() = default;

  /// Refuses the value of a key. @param value as text; empty where the key is missing
  /// @param allowed what it must be  @throws BadInput
  [[noreturn]] virtual void refuse_value(std::string_view key, const std::string& value,
                                         std::string_view allowed) const = 0;
};

/// A part of a scene in memory, such as `material "sand"`.
class BuiltPart : public ScenePart {
 public:
  explicit BuiltPart(std::string name) : name_(std::move(name)) {}

  [[noreturn]] void refuse_value(std::string_view key, const std::string& value,
                                 std::string_view allowed) const override;

 private:
  std::string name_;
};

}  // namespace repose
