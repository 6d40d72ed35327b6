#include <fmt/format.h>
#include <gtkwave/fstapi.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/fst_file.hpp>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

namespace spillway {

namespace {

namespace fs = std::filesystem;

/// A file of values that is being written under a temporary name.
class fst_output {
public:
  explicit fst_output(const std::string& path)
      : path_(path), partial_(fmt::format("{}.partial-{}", path, getpid())) {
    writer_ = fstWriterCreate(partial_.c_str(), 1);
    if (!writer_) fail("cannot write the waveform");
    fstWriterSetPackType(writer_, FST_WR_PT_LZ4);
    fstWriterSetVersion(writer_, "Spillway");
    fstWriterSetDate(writer_, "");  // the same run, the same bytes
  }
  ~fst_output() {
    if (writer_) fstWriterClose(writer_);
    std::error_code ignored;
    for (const char* const left : {"", ".hier"}) fs::remove(partial_ + left, ignored);
  }
  fst_output(const fst_output&) = delete;
  fst_output& operator=(const fst_output&) = delete;

  /// `1 ps`
  void set_timescale(const std::string& text) { fstWriterSetTimescaleFromString(writer_, text.c_str()); }

  /// Appends to `all` what it declares, in its order.
  void declare(const vcd_scope& scope, std::vector<vcd_variable>& all) {
    for (const vcd_variable& v : scope.variables) {
      const bool real = v.kind == "real";
      const std::string name = v.width == 1 || real ? v.name : v.name + ' ' + v.range();
      fstHandle& handle = variables_[v.code].handle;
      handle = fstWriterCreateVar(writer_, real ? FST_VT_VCD_REAL : FST_VT_VCD_WIRE, FST_VD_IMPLICIT, v.width,
                                  name.c_str(), handle);
      variables_[v.code].width = v.width;
      all.push_back(v);
    }
    for (const auto& inner : scope.scopes) {
      fstWriterSetScope(writer_, FST_ST_VCD_MODULE, inner->name.c_str(), nullptr);
      declare(*inner, all);
      fstWriterSetUpscope(writer_);
    }
    declared_ = all.size();
  }

  /// A line of a VCD file after its header.
  void change(const std::string& line) {
    if (line.empty()) return;
    const std::size_t blank = line.find(' ');
    const std::string_view text = line;
    switch (line[0]) {
      case '#':
        time_ = std::strtoull(line.c_str() + 1, nullptr, 10);
        return fstWriterEmitTimeChange(writer_, time_);
      case '0':
      case '1':
      case 'x':
      case 'z':
        return emit(text.substr(0, 1), text.substr(1));
      case 'b':
        return emit(text.substr(1, blank - 1), text.substr(blank + 1));
      case 'r':
        return emit_real(std::strtod(line.c_str() + 1, nullptr), text.substr(blank + 1));
      default:
        return;  // $dumpvars and its $end
    }
  }

  /// The file appears whole or not at all.
  void commit() {
    fstWriterClose(std::exchange(writer_, nullptr));
    // The writer does not say so if it could not write all.
    void* const reader = fstReaderOpen(partial_.c_str());
    const bool whole =
        reader && fstReaderGetVarCount(reader) == declared_ && fstReaderGetEndTime(reader) == time_;
    if (reader) fstReaderClose(reader);
    if (!whole) throw io_error(path_ + ": cannot write all of the waveform");
    std::error_code error;
    fs::rename(partial_, path_, error);
    if (error) throw io_error(path_ + ": " + error.message());
  }

private:
  struct variable {
    fstHandle handle = 0;
    std::size_t width = 1;
  };

  [[noreturn]] void fail(const char* what) const { throw io_error(path_ + ": " + what); }

  const variable* find(std::string_view code) {
    code_.assign(code.substr(0, code.find_last_not_of(" \r") + 1));
    const auto found = variables_.find(code_);
    return found == variables_.end() ? nullptr : &found->second;
  }
  /// As wide as the variable: VCD leaves out bits in front, and may have zeros that it lacks.
  void emit(std::string_view bits, std::string_view code) {
    const variable* const v = find(code);
    if (!v) return;
    const char front = bits[0] == 'x' || bits[0] == 'z' ? bits[0] : '0';
    value_.assign(v->width > bits.size() ? v->width - bits.size() : 0, front);
    value_.append(bits.substr(bits.size() > v->width ? bits.size() - v->width : 0));
    fstWriterEmitValueChange(writer_, v->handle, value_.c_str());
  }
  void emit_real(double number, std::string_view code) {
    if (const variable* const v = find(code)) fstWriterEmitValueChange(writer_, v->handle, &number);
  }

  const std::string path_, partial_;
  void* writer_ = nullptr;
  std::unordered_map<std::string, variable> variables_;  // by code
  std::string code_, value_;                             // kept for their storage
  std::size_t declared_ = 0;
  std::uint64_t time_ = 0;
};

/// What stands behind `$timescale`.
std::string timescale_of(const std::string& header) {
  constexpr std::string_view keyword = "$timescale";
  const std::size_t at = header.find(keyword);
  if (at == std::string::npos) return "1 ns";
  const std::size_t from = header.find_first_not_of(" \n", at + keyword.size());
  return header.substr(from, header.find("$end", from) - from);
}

}  // namespace

bool writes_fst() { return true; }

std::vector<vcd_variable> move_vcd_to_fst(const std::string& from, const std::string& to,
                                          const vcd_placing& place, std::uint64_t start) {
  std::string header;
  vcd_scope root;
  std::ifstream in = open_vcd(from, place, header, root);
  fst_output out(to);
  out.set_timescale(timescale_of(header));
  std::vector<vcd_variable> all;
  out.declare(root, all);
  if (start) out.change('#' + std::to_string(start));
  for (std::string line; std::getline(in, line);) out.change(line);
  if (in.bad()) throw io_error(from + ": cannot read all of the waveform");
  out.commit();
  return all;
}

}  // namespace spillway
