#include <spillway/platforms/config/document.hpp>
#include <spillway/platforms/config/schema_view.hpp>

namespace spillway {

namespace {

using namespace schema_detail;
using pointer = json::json_pointer;

/// Walks a value along its schema.
class name_collector {
public:
  explicit name_collector(const json& schema) : schema_(schema) {}

  std::vector<pointer> names;

  void look(const json& node, const json& value, const pointer& at) {
    if (value.is_string() && find(node, "x-path")) names.push_back(at);
    if (value.is_object()) {
      const auto view = view_of(schema_, node, value);
      for (const auto& [key, below] : value.items())
        if (const json* property = view.property(key)) look(*property, below, at / key);
    }
    const json* items = find(node, "items");
    if (!value.is_array() || !items) return;
    for (std::size_t i = 0; i < value.size(); ++i) look(resolve(schema_, *items), value[i], at / i);
  }

private:
  const json& schema_;
};

}  // namespace

std::vector<document::json_pointer> document::file_names() const {
  name_collector all(schema_);
  all.look(schema_, root, json_pointer());
  return std::move(all.names);
}

}  // namespace spillway
