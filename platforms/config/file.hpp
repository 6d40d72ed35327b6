#pragma once
#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace spillway {

/// Most bytes of a file with data, such as a trace, a graph, or results.
constexpr std::size_t max_data_bytes = std::size_t{1} << 30;
/// Most levels of a JSON text.
constexpr int max_json_depth = 64;

/// The bytes of a regular file. A pipe, a device or a folder, which could wait or read for ever, is refused,
/// as is a file of more than `most` bytes. Throws config_error.
std::string read_file(const std::filesystem::path& file, std::size_t most = max_data_bytes);

/// A JSON text. Throws config_error for a syntax error, more than max_json_depth levels, and a NUL in a
/// string.
/// @param name shown in errors
nlohmann::ordered_json read_json(const std::string& text, const std::string& name);

/// `file` as a path from `folder`; neither need exist.
std::filesystem::path path_from(const std::filesystem::path& folder, const std::filesystem::path& file);

}  // namespace spillway
