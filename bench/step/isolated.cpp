#include "isolated.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>
#include <system_error>

namespace polhode::bench {
namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

/// Memory that the child writes and the parent still has when the child is gone.
class SharedMemory {
 public:
  explicit SharedMemory(std::size_t numbers) : numbers_(numbers) {
    void* memory = mmap(nullptr, size(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) fail("mmap");
    outcome_ = new (memory) RunOutcome;
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory() { munmap(outcome_, size()); }

  RunOutcome& outcome() { return *outcome_; }
  std::span<double> samples() { return {reinterpret_cast<double*>(outcome_ + 1), numbers_}; }

 private:
  std::size_t size() const { return sizeof(RunOutcome) + numbers_ * sizeof(double); }

  std::size_t numbers_;
  RunOutcome* outcome_;
};
static_assert(alignof(RunOutcome) >= alignof(double));

/// A pipe that nobody writes to: its reading end hears when the last writer, the child, has gone.
struct Pipe {
  int ends[2];
  Pipe() {
    if (pipe(ends) != 0) fail("pipe");
  }
  ~Pipe() {
    close(ends[0]);
    if (ends[1] >= 0) close(ends[1]);
  }
  void close_writing_end() {
    close(ends[1]);
    ends[1] = -1;
  }
};

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

/// True when the child has gone within the limit.
bool gone_within(int reading_end, double limit_seconds) {
  pollfd watched{reading_end, POLLIN, 0};
  int ready = -1;
  do {
    ready = poll(&watched, 1, static_cast<int>(1000 * limit_seconds));
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

/// The assertion that an aborted engine printed, if it did.
std::string assertion_in(std::FILE* said) {
  std::rewind(said);
  std::array<char, 4096> text{};
  const std::size_t length = std::fread(text.data(), 1, text.size() - 1, said);
  const std::string all(text.data(), length);
  const std::size_t begin = all.find("Assertion");
  return begin == std::string::npos ? "" : all.substr(begin, all.find('\n', begin) - begin);
}

std::string reason_of_signal(int signal, std::FILE* said) {
  if (signal != SIGABRT) return strsignal(signal);
  const std::string assertion = assertion_in(said);
  return assertion.empty() ? "aborted" : "aborted: " + assertion;
}

[[noreturn]] void be_the_child(MakeStepSubject make, const std::string& method, const Problem& problem, const RunPlan& plan,
                               SharedMemory& memory, std::FILE* said) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // lest it runs on, and disturbs what is timed next, when the program is ended
  dup2(fileno(said), STDOUT_FILENO);
  dup2(fileno(said), STDERR_FILENO);
  run_here(make, method, problem, plan, memory.outcome(), memory.samples());
  _exit(0);  // destructors and buffers are the parent's
}

}  // namespace

RunOutcome run_isolated(MakeStepSubject make, const std::string& method, const Problem& problem, const RunPlan& plan,
                        double limit_seconds, Course* course) {
  SharedMemory memory(samples_size(problem, plan));
  RunOutcome& outcome = memory.outcome();
  Pipe pipe;
  const File said(std::tmpfile());
  if (!said) fail("tmpfile");
  std::fflush(stdout);
  std::fflush(stderr);

  const pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) be_the_child(make, method, problem, plan, memory, said.get());

  pipe.close_writing_end();
  const bool in_time = gone_within(pipe.ends[0], limit_seconds);
  if (!in_time) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!in_time) {
    set_reason(outcome, fmt::format("not done within {:g} s", limit_seconds));
  } else if (WIFSIGNALED(status)) {
    set_reason(outcome, reason_of_signal(WTERMSIG(status), said.get()));
  } else if (WEXITSTATUS(status) != 0) {
    set_reason(outcome, fmt::format("ended the process with status {}", WEXITSTATUS(status)));
  }
  if (course) *course = course_of(problem, memory.samples(), outcome.samples);
  return outcome;
}

}  // namespace polhode::bench
