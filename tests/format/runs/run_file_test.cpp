// Run files: what goes in comes out, whatever happens on the way.
#include "polhode/format/runs/run_file.h"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <fstream>

#include "polhode/format/runs/run_file_writer.h"
#include "polhode/tree/realize.h"

namespace polhode::format {
namespace {

using std::filesystem::path;

const char* const text = R"((system (ry "a/b" (tz -1 (name "tip") (mass 1 0.1 0.1 0.1)))))";

class RunFiles : public ::testing::Test {
 protected:
  RunFiles() {
    std::string pattern = (std::filesystem::temp_directory_path() / "polhode_run_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~RunFiles() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  path file(const char* name = "run.h5") const { return folder_ / name; }

  RunRecord record() const {
    RunRecord r;
    r.model_text = text, r.model_name = "pendulum.pol";
    r.model_files = {{"../data/x.csv", std::string("0,1\n\0binary", 11)}, {"y.csv", ""}};
    r.parameters = {{"length", 0.1}, {"g", 1.0 / 3}};
    r.method = "tree-variational";
    r.options = {{"dt", "0.01"}, {"largest step", "0.1"}};
    r.settings = {{"method", "tree-variational"}, {"time", "10"}};
    r.version = "1.2.3", r.date = "today", r.command_line = "polhode run 'ü'";
    r.tracked = {"tip"};
    r.time_end = 10;
    return r;
  }
  State state(double t) {
    State s(mechanism_);
    s.set_time(t), s.set_q(0, std::sin(t)), s.set_u(0, std::cos(t));
    tree::realize(s, Stage::velocity);
    return s;
  }
  std::vector<int> tracked() const { return {mechanism_.frame("tip")}; }
  void write_run(int rows) {
    RunFileWriter writer(file(), record(), mechanism_, tracked());
    for (int i = 0; i < rows; ++i) writer.write(state(0.01 * i));
    writer.checkpoint("bytes");
    writer.finish(RunState::finished, "", "{\"completed\": true}");
  }
  /// What reading it says is wrong.
  static std::string complaint(const path& name) {
    try {
      const RunFile run(name);
      run.read(0, run.rows());
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "nothing";
  }

  Mechanism mechanism_ = read_model(text, "pendulum.pol").mechanism;

 private:
  path folder_;
};

TEST_F(RunFiles, GiveBackWhatWasWritten) {
  write_run(1000);
  const RunFile run(file());
  const RunRecord expected = record(), &r = run.record();
  EXPECT_EQ(r.model_text, expected.model_text);
  EXPECT_EQ(r.model_name, expected.model_name);
  EXPECT_EQ(r.parameters, expected.parameters);
  EXPECT_EQ(r.method, expected.method);
  EXPECT_EQ(r.options, expected.options);
  EXPECT_EQ(r.settings, expected.settings);
  EXPECT_EQ(r.version, expected.version);
  EXPECT_EQ(r.command_line, expected.command_line);
  EXPECT_EQ(r.tracked, expected.tracked);
  EXPECT_EQ(r.time_end, expected.time_end);
  ASSERT_EQ(r.model_files.size(), 2u);
  EXPECT_EQ(r.model_files[0].name, "../data/x.csv");
  EXPECT_EQ(r.model_files[0].text, expected.model_files[0].text);
  EXPECT_EQ(run.state(), RunState::finished);
  EXPECT_EQ(run.summary(), "{\"completed\": true}");
  EXPECT_FALSE(run.is_being_written());

  ASSERT_EQ(run.rows(), 1000u);
  ASSERT_EQ(run.columns().size(), 10u);
  EXPECT_EQ(run.columns()[1].name, "a/b");
  EXPECT_EQ(run.columns()[1].unit, "rad");
  EXPECT_EQ(run.columns()[2].unit, "rad/s");
  const std::vector<double> q = run.column("a/b"), x = run.column("tip.x");
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(q[std::size_t(i)], std::sin(0.01 * i));
    EXPECT_NEAR(x[std::size_t(i)], -std::sin(std::sin(0.01 * i)), 1e-15);  // ry turns z towards x, and the tip is at -z
  }
  State there(mechanism_);
  run.load(500, there);
  EXPECT_EQ(there.time(), 5.0);
  EXPECT_EQ(there.q()[0], std::sin(5.0));
  EXPECT_EQ(there.u()[0], std::cos(5.0));
  ASSERT_TRUE(run.checkpoint());
  EXPECT_EQ(run.checkpoint()->rows, 1000u);
  EXPECT_EQ(run.checkpoint()->bytes, "bytes");
}

TEST_F(RunFiles, RefuseColumnsAndRowsThatAreNotThere) {
  write_run(3);
  const RunFile run(file());
  EXPECT_THROW(run.column("a"), std::invalid_argument);
  EXPECT_THROW(run.column(-1), std::out_of_range);
  EXPECT_THROW(run.read(2, 2), std::out_of_range);
  EXPECT_TRUE(run.read(3, 0).empty());
}

TEST_F(RunFiles, GoOnAfterACheckpointAndWriteOverWhatCameAfterIt) {
  {
    RunFileWriter writer(file(), record(), mechanism_, tracked());
    for (int i = 0; i < 700; ++i) writer.write(state(0.01 * i));
    writer.checkpoint("first");
    for (int i = 0; i < 50; ++i) writer.write(state(-1));  // lost on the way
    writer.flush();
  }  // killed
  ASSERT_EQ(RunFile(file()).state(), RunState::running);
  const RunCheckpoint from = *RunFile(file()).checkpoint();
  EXPECT_EQ(from.rows, 700u);
  {
    RunFileWriter writer(file(), mechanism_, tracked(), from, 20);
    for (int i = 700; i < 720; ++i) writer.write(state(0.01 * i));
    writer.checkpoint("second");
    writer.finish(RunState::failed, "why", "{}");
  }
  const RunFile run(file());
  ASSERT_EQ(run.rows(), 720u);
  const std::vector<double> t = run.column("t");
  for (int i = 0; i < 720; ++i) EXPECT_EQ(t[std::size_t(i)], 0.01 * i);
  EXPECT_EQ(run.record().time_end, 20);
  EXPECT_EQ(run.state(), RunState::failed);
  EXPECT_EQ(run.message(), "why");
  EXPECT_EQ(run.checkpoint()->bytes, "second");
}

TEST_F(RunFiles, LetOneProcessWriteAtATime) {
  int started[2];
  ASSERT_EQ(pipe(started), 0);
  const pid_t child = fork();  // before this process has files of HDF5 open, which would be the child's too
  if (child == 0) {
    char byte = 0;
    if (read(started[0], &byte, 1) != 1) _exit(9);
    int refusals = RunFile(file()).is_being_written();
    try {
      RunFileWriter(file(), record(), mechanism_, {});
    } catch (const std::invalid_argument&) {
      ++refusals;
    }
    _exit(refusals);
  }
  RunFileWriter writer(file(), record(), mechanism_, {});
  writer.write(state(0));
  writer.checkpoint("c");
  ASSERT_EQ(write(started[1], "!", 1), 1);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 2);
  writer.close();
  EXPECT_FALSE(RunFile(file()).is_being_written());
}

TEST_F(RunFiles, SayWhatIsWrongWithOtherFiles) {
  EXPECT_NE(complaint(file("none.h5")).find("there is no such file"), std::string::npos);
  EXPECT_NE(complaint(file().parent_path()).find("not a regular file"), std::string::npos);
  std::ofstream(file("text.h5")) << "t,x\n0,1\n";
  EXPECT_NE(complaint(file("text.h5")).find("is not an HDF5 file"), std::string::npos);
  std::ofstream(file("empty.h5")) << "";
  EXPECT_NE(complaint(file("empty.h5")).find("is not an HDF5 file"), std::string::npos);
  std::ofstream(file("head.h5"), std::ios::binary) << "\x89HDF\r\n\x1a\n";
  EXPECT_NE(complaint(file("head.h5")).find("damaged"), std::string::npos);
  H5Fclose(H5Fcreate(file("foreign.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  EXPECT_NE(complaint(file("foreign.h5")).find("not a run of polhode"), std::string::npos);
}

/// Changes a file as somebody else's program might.
template <class Change>
void change(const path& name, Change with) {
  const hid_t file = H5Fopen(name.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  with(file);
  H5Fclose(file);
}

TEST_F(RunFiles, OfALaterFormatAreToldApart) {
  write_run(3);
  change(file(), [](hid_t root) {
    const hid_t attribute = H5Aopen(root, "format_version", H5P_DEFAULT);
    const int later = 2;
    H5Awrite(attribute, H5T_NATIVE_INT, &later);
    H5Aclose(attribute);
  });
  EXPECT_NE(complaint(file()).find("format 2, written by polhode 1.2.3"), std::string::npos) << complaint(file());
}

TEST_F(RunFiles, WithPartsMissingOrOfAnotherKindAreDamaged) {
  for (const char* part : {"trajectory", "columns", "units", "state", "message", "summary", "time_end", "options", "settings",
                           "parameters", "model_files"}) {
    SCOPED_TRACE(part);
    write_run(3);
    change(file(), [&](hid_t root) { H5Ldelete(root, part, H5P_DEFAULT); });
    EXPECT_NE(complaint(file()).find("damaged"), std::string::npos) << complaint(file());
    change(file(), [&](hid_t root) {  // three numbers in its place
      const hsize_t three = 3;
      const hid_t space = H5Screate_simple(1, &three, nullptr);
      H5Dclose(H5Dcreate2(root, part, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
      H5Sclose(space);
    });
    EXPECT_NE(complaint(file()).find("damaged"), std::string::npos) << complaint(file());
  }
}

TEST_F(RunFiles, CutShortAreRefusedAndNeverCrash) {
  write_run(300);
  std::string bytes(std::filesystem::file_size(file()), '\0');
  std::ifstream(file(), std::ios::binary).read(bytes.data(), std::streamsize(bytes.size()));
  for (std::size_t length = 0; length < bytes.size(); length += 100) {
    std::ofstream(file("cut.h5"), std::ios::binary).write(bytes.data(), std::streamsize(length));
    EXPECT_NE(complaint(file("cut.h5")), "nothing") << length << " of " << bytes.size() << " bytes";
  }
}

TEST_F(RunFiles, NewOnesDoNotTouchAnOldOneBeforeTheyAreReadable) {
  std::ofstream(file()) << "precious";
  RunRecord odd = record();
  EXPECT_THROW(RunFileWriter(file(), odd, mechanism_, {99}), std::out_of_range);
  EXPECT_EQ(std::filesystem::file_size(file()), std::string("precious").size());
  EXPECT_THROW(RunFileWriter(file("no/such/folder.h5"), odd, mechanism_, {}), std::runtime_error);
}

}  // namespace

/// How many more writes to files this process lives for; negative: for ever.
long writes_to_live = -1;

namespace {

// A process that is killed has made some of its writes and not the others. Every such file must open, with HDF5's own driver
// and by its own rules, hold whole rows of the right run, and have a checkpoint that belongs to them.
class LongKilledRunFiles : public RunFiles {
 protected:
  static constexpr int hundreds = 90;

  /// Row i has the time i / 100; chunks have 3276 rows, so several are begun.
  void add_rows(RunFileWriter& writer, int first_hundred) {
    for (int i = first_hundred; i < hundreds; ++i) {
      for (int k = 0; k < 100; ++k) writer.write(state(i + 0.01 * k));
      if (i % 2 == 0) writer.flush();
      if (i % 3 == 0) writer.checkpoint(std::string(std::size_t(100 * i), char('a' + i % 26)));
    }
    writer.finish(RunState::finished, "", std::string(10000, 'x'));
  }

  /// In a process of its own that ends before the given write; true when it came to its end.
  template <class Work>
  static bool survives(long writes, Work work) {
    const pid_t child = fork();
    if (child == 0) {
      writes_to_live = writes;
      work();
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status));
    return WEXITSTATUS(status) == 0;
  }

  /// Gives the number of rows.
  std::size_t expect_readable() const {
    const hid_t plain = H5Fopen(file().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    EXPECT_GE(plain, 0);
    if (plain >= 0) H5Fclose(plain);
    const RunFile run(file());
    const std::vector<double> t = run.column("t"), q = run.column("a/b");
    bool right = true;
    for (std::size_t i = 0; i < t.size(); ++i)
      right = right && t[i] == double(i / 100) + 0.01 * double(i % 100) && q[i] == std::sin(t[i]);
    EXPECT_TRUE(right);
    if (const auto checkpoint = run.checkpoint()) {
      const std::size_t hundred = checkpoint->rows / 100 - 1;
      EXPECT_EQ(checkpoint->bytes, std::string(100 * hundred, char('a' + hundred % 26)));
      EXPECT_LE(checkpoint->rows, t.size());
    }
    return t.size();
  }
};

TEST_F(LongKilledRunFiles, CanBeReadAfterAnyNumberOfWrites) {
  std::size_t rows = 0;
  long deaths = 0;
  for (bool lived = false; !lived; ++deaths) {
    std::filesystem::remove(file());
    lived = survives(deaths, [&] {
      RunFileWriter writer(file(), record(), mechanism_, tracked());
      add_rows(writer, 0);
    });
    SCOPED_TRACE(testing::Message() << "after " << deaths << " writes");
    if (!std::filesystem::exists(file())) continue;  // its head was not yet complete
    const std::size_t now = expect_readable();
    EXPECT_GE(now, rows);
    rows = now;
  }
  EXPECT_GT(deaths, 100);
  EXPECT_EQ(rows, std::size_t(100 * hundreds));
}

TEST_F(LongKilledRunFiles, CanBeReadAfterAnyNumberOfWritesOfAResumedRun) {
  EXPECT_TRUE(survives(1000000, [&] {
    RunFileWriter writer(file(), record(), mechanism_, tracked());
    for (int i = 0; i < 31; ++i)
      for (int k = 0; k < 100; ++k) writer.write(state(i + 0.01 * k));
    writer.checkpoint(std::string(3000, char('a' + 30 % 26)));
  }));
  const path first = file("first.h5");
  std::filesystem::copy_file(file(), first);
  std::size_t rows = 0;
  long deaths = 0;
  for (bool lived = false; !lived; ++deaths) {
    std::filesystem::copy_file(first, file(), std::filesystem::copy_options::overwrite_existing);
    lived = survives(deaths, [&] {
      const RunCheckpoint from = *RunFile(file()).checkpoint();
      RunFileWriter writer(file(), mechanism_, tracked(), from, 100);
      add_rows(writer, 31);
    });
    SCOPED_TRACE(testing::Message() << "after " << deaths << " writes");
    const std::size_t now = expect_readable();
    EXPECT_GE(now, rows);
    rows = now;
  }
  EXPECT_GT(deaths, 50);
  EXPECT_EQ(rows, std::size_t(100 * hundreds));
}

}  // namespace
}  // namespace polhode::format

/// Takes the place of the system's function of that name in this program.
extern "C" ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) {
  using polhode::format::writes_to_live;
  if (writes_to_live == 0) _exit(1);
  if (writes_to_live > 0) --writes_to_live;
  if (lseek(file, offset, SEEK_SET) < 0) return -1;
  return write(file, bytes, size);
}
