// SPDX-License-Identifier: Apache-2.0
// POSIX files behind the interfaces of base/file.h.
#include <headroom/base/error.h>
#include <headroom/base/file.h>
#include <headroom/base/text.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace headroom {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int value() const { return value_; }

 private:
  int value_;
};

std::string shown(const std::filesystem::path& path) {
  return printable(path.string());
}

[[noreturn]] void throw_unwritable(const std::filesystem::path& path, int error) {
  const ErrorKind kind =
      error == ENOSPC || error == EDQUOT ? ErrorKind::Limit : ErrorKind::NotFound;
  throw Error(kind, fmt::format("cannot write '{}': {}", shown(path), std::strerror(error)));
}

[[noreturn]] void throw_unreadable(const std::filesystem::path& path, int error) {
  throw Error(ErrorKind::NotFound,
              fmt::format("cannot read '{}': {}", shown(path), std::strerror(error)));
}

void write_all(int descriptor, std::string_view content, const std::filesystem::path& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_unwritable(path, errno);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

constexpr std::size_t kBuffer = std::size_t{1} << 20;

// Bytes that the kernel copied by itself; 0 where it cannot (another kind of file system), and
// where something is wrong, which reading and writing then tell.
std::size_t copy_inside_kernel(int from, off_t at, int to, std::uint64_t length) {
  const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(length, 64 * kBuffer));
  const ssize_t copied = ::copy_file_range(from, &at, to, nullptr, wanted, 0);
  return copied < 0 ? 0 : static_cast<std::size_t>(copied);
}

std::size_t read_some(int from, off_t at, std::uint64_t length, const std::filesystem::path& source,
                      std::string& buffer) {
  buffer.resize(static_cast<std::size_t>(std::min<std::uint64_t>(length, kBuffer)));
  ssize_t count = -1;
  do {
    count = ::pread(from, buffer.data(), buffer.size(), at);
  } while (count < 0 && errno == EINTR);
  if (count < 0) throw_unreadable(source, errno);
  if (count == 0) {
    throw Error(ErrorKind::BadInput, fmt::format("'{}' ends at byte {}, and {} more are needed",
                                                 shown(source), at, length));
  }
  return static_cast<std::size_t>(count);
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.value() < 0) {
    throw Error(ErrorKind::NotFound,
                fmt::format("cannot open '{}': {}", shown(path), std::strerror(errno)));
  }
  struct stat facts {};
  if (::fstat(file.value(), &facts) != 0) {
    throw Error(ErrorKind::NotFound,
                fmt::format("cannot stat '{}': {}", shown(path), std::strerror(errno)));
  }
  if (!S_ISREG(facts.st_mode)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("'{}' is {}; a regular file is needed", shown(path),
                            S_ISDIR(facts.st_mode) ? "a directory" : "not a regular file"));
  }
  size_ = static_cast<std::size_t>(facts.st_size);
  if (size_ == 0) return;
  void* data = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.value(), 0);
  if (data == MAP_FAILED) {
    throw Error(ErrorKind::NotFound,
                fmt::format("cannot map '{}': {}", shown(path), std::strerror(errno)));
  }
  data_ = static_cast<const std::byte*>(data);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

std::string read_text_file(const std::filesystem::path& path, std::uint64_t limit) {
  const MappedFile file(path);
  const std::span<const std::byte> bytes = file.bytes();
  if (bytes.size() > limit) {
    throw Error(ErrorKind::BadInput, fmt::format("'{}' has {} bytes; at most {} are read",
                                                 shown(path), bytes.size(), limit));
  }
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

AtomicFile::AtomicFile(std::filesystem::path path)
    : path_(std::move(path)),
      temporary_(path_.string() + fmt::format(".{}.tmp", ::getpid())),
      descriptor_(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
  if (descriptor_ < 0) throw_unwritable(path_, errno);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view content) {
  write_all(descriptor_, content, path_);
}

void AtomicFile::append(const std::filesystem::path& source, std::uint64_t offset,
                        std::uint64_t length) {
  const Descriptor from(::open(source.c_str(), O_RDONLY | O_CLOEXEC));
  if (from.value() < 0) throw_unreadable(source, errno);
  auto at = static_cast<off_t>(offset);
  std::string buffer;
  while (length > 0) {
    std::size_t copied = copy_inside_kernel(from.value(), at, descriptor_, length);
    if (copied == 0) {
      copied = read_some(from.value(), at, length, source, buffer);
      write_all(descriptor_, {buffer.data(), copied}, path_);
    }
    at += static_cast<off_t>(copied);
    length -= copied;
  }
}

void AtomicFile::sync() {
  if (::fsync(descriptor_) != 0) throw_unwritable(path_, errno);
}

void AtomicFile::commit() {
  sync();
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) throw_unwritable(path_, errno);
  ::close(std::exchange(descriptor_, -1));
}

void write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

PrivateFolder::PrivateFolder(std::string_view purpose) {
  std::string pattern = (std::filesystem::temp_directory_path() / "headroom-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw Error(ErrorKind::Limit,
                fmt::format("cannot make a folder '{}' for {}: {}; set TMPDIR to a folder that can "
                            "be written",
                            printable(pattern), purpose, std::strerror(errno)));
  }
  path_ = pattern;
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string sha256_of_file(const std::filesystem::path& path) {
  const MappedFile file(path);
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        &EVP_MD_CTX_free);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  if (!context || EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) != 1 ||
      EVP_DigestUpdate(context.get(), file.bytes().data(), file.bytes().size()) != 1 ||
      EVP_DigestFinal_ex(context.get(), digest.data(), &length) != 1)
    throw Error(ErrorKind::Internal, "OpenSSL could not compute a SHA-256 digest");
  std::string text;
  for (unsigned int i = 0; i < length; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

}  // namespace headroom
