#include <zlib.h>

#include <cstring>

#include "polhode/format/language/model.h"
#include "polhode/study/simulate.h"
#include "polhode/tree/assemble.h"
#include "polhode/tree/realize.h"
#include "tests/cli/program.h"

namespace polhode::cli_test {
namespace {

std::string from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit = digits.find(c);
    if (digit == std::string::npos) break;
    bits = bits << 6 | unsigned(digit);
    count += 6;
    if (count >= 8) bytes += char(bits >> (count -= 8) & 255);
  }
  return bytes;
}

std::string unzipped(const std::string& zipped) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string in = zipped, out, piece(1 << 16, '\0');
  stream.next_in = reinterpret_cast<unsigned char*>(in.data());
  stream.avail_in = unsigned(in.size());
  int status = Z_OK;
  while (status == Z_OK) {
    stream.next_out = reinterpret_cast<unsigned char*>(piece.data());
    stream.avail_out = unsigned(piece.size());
    status = inflate(&stream, Z_NO_FLUSH);
    out.append(piece.data(), piece.size() - stream.avail_out);
  }
  EXPECT_EQ(status, Z_STREAM_END);
  inflateEnd(&stream);
  return out;
}

/// A run as its stream tells it.
struct Shown {
  nlohmann::json header, status;
  std::vector<std::vector<double>> rows;
  std::vector<std::vector<float>> poses;
};

Shown decoded(const std::string& stream) {
  Shown shown;
  for (std::size_t at = 0; at + 8 <= stream.size();) {
    const std::string tag = stream.substr(at, 4);
    std::uint32_t length = 0;
    std::memcpy(&length, stream.data() + at + 4, 4);
    const std::string payload = stream.substr(at + 8, length);
    at += 8 + length;
    if (tag == "HEAD") shown.header = nlohmann::json::parse(payload);
    if (tag == "STAT") shown.status = nlohmann::json::parse(payload);
    if (tag != "ROWS") continue;
    const std::size_t columns = shown.header["columns"].size(), numbers = 7 * (shown.header["scene"]["bodies"].size() - 1);
    const std::size_t size = 8 * columns + 4 * numbers;
    EXPECT_EQ(payload.size() % size, 0u);
    for (std::size_t row = 0; row + size <= payload.size(); row += size) {
      std::memcpy(shown.rows.emplace_back(columns).data(), payload.data() + row, 8 * columns);
      std::memcpy(shown.poses.emplace_back(numbers).data(), payload.data() + row + 8 * columns, 4 * numbers);
    }
  }
  return shown;
}

class ViewExport : public Program {
 protected:
  void SetUp() override {
    if (polhode({"view", model("pendulum"), "--export", path("page.html"), "--time", "0.1"}).err.find("without") !=
        std::string::npos)
      GTEST_SKIP() << "this build has no browser page";
  }

  /// The runs inside an exported page.
  static std::vector<std::pair<std::string, Shown>> runs_of(const std::string& page) {
    const std::string before = "<script type=\"application/json\" id=\"polhode-runs\">", after = "</script>";
    const std::size_t begin = page.find(before);
    EXPECT_NE(begin, std::string::npos);
    EXPECT_LT(begin, page.find("</head>"));
    const std::size_t end = page.find(after, begin);
    const auto list = nlohmann::json::parse(page.substr(begin + before.size(), end - begin - before.size()));
    std::vector<std::pair<std::string, Shown>> runs;
    for (const auto& run : list) runs.emplace_back(run["label"], decoded(unzipped(from_base64(run["gzip"]))));
    return runs;
  }
};

TEST_F(ViewExport, HoldsTheRowsThatRunWritesAndThePosesOfTheEngine) {
  const std::string page = path("out.html"), csv = path("out.csv");
  const std::vector<std::string> how{"--time", "2", "--dt", "0.02"};
  std::vector<std::string> view{"view", model("closed_chain_device"), "--export", page};
  std::vector<std::string> run{"run", model("closed_chain_device"), "--out", csv};
  view.insert(view.end(), how.begin(), how.end());
  run.insert(run.end(), how.begin(), how.end());
  ASSERT_EQ(polhode(view).status, 0);
  ASSERT_EQ(polhode(run).status, 0);

  const auto runs = runs_of(read(page));
  ASSERT_EQ(runs.size(), 1u);
  const Shown& shown = runs[0].second;
  const Table table = this->table(csv);
  ASSERT_EQ(shown.rows.size(), 101u);
  ASSERT_EQ(table.rows.size(), shown.rows.size());
  for (std::size_t c = 0; c < table.columns.size(); ++c) EXPECT_EQ(shown.header["columns"][c]["name"], table.columns[c]);
  for (std::size_t r = 0; r < table.rows.size(); ++r)
    for (std::size_t c = 0; c < table.columns.size(); ++c) ASSERT_EQ(shown.rows[r][c], table.rows[r][c]) << r << ' ' << c;

  // The poses, from the same steps taken here.
  const format::Model loaded = format::load_model(model("closed_chain_device"));
  State start = tree::initial_state(loaded.mechanism);
  tree::assemble(start);
  std::size_t r = 0;
  study::simulate(start, {.time = 2, .dt = 0.02}, [&](const State& state) {
    ASSERT_LT(r, shown.poses.size());
    for (int b = 1; b < loaded.mechanism.num_bodies(); ++b) {
      const Transform<double> X = state.pose(b);
      const float* const pose = &shown.poses[r][std::size_t(7 * (b - 1))];
      const Vec3<double> off = X.p - Vec3<double>{pose[0], pose[1], pose[2]};
      // Single precision of lengths of a metre or so, and of the turned unit vectors (two products of numbers below one).
      EXPECT_LT(norm(off), 1e-6);
      const Quaternion<double> q{pose[3], pose[4], pose[5], pose[6]};
      for (const Vec3<double> axis : {Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}})
        EXPECT_LT(norm(rotation(q) * axis - X.R * axis), 1e-6);
    }
    ++r;
  });
  EXPECT_EQ(r, shown.poses.size());
  EXPECT_EQ(shown.status["state"], "finished");
  EXPECT_EQ(shown.header["method"], "tree-variational");
}

TEST_F(ViewExport, HoldsARunForEachMethodAndModel) {
  const std::string page = path("out.html");
  const auto told = json_of(
      {"view", model("double_pendulum"), "--time", "1", "--method", "tree-variational,maximal-projected", "--export", page});
  EXPECT_EQ(told["export"], page);
  EXPECT_EQ(told["bytes"], std::filesystem::file_size(page));
  auto runs = runs_of(read(page));
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].first, "tree-variational");
  EXPECT_EQ(runs[1].first, "maximal-projected");
  for (const auto& [label, run] : runs) {
    EXPECT_EQ(run.header["label"], label);
    EXPECT_EQ(run.rows.back()[0], 1.0) << "the last row is that of the end";
    EXPECT_GE(run.rows.size(), 60u) << "no farther apart than a sixtieth of a second";
  }

  // A name that could end the element that it stands in.
  const std::string odd = path("</script><b>.pol");
  std::filesystem::create_directories(std::filesystem::path(odd).parent_path());
  std::filesystem::copy_file(model("double_pendulum"), odd);
  ASSERT_EQ(polhode({"view", model("double_pendulum"), odd, "--time", "1", "--export", page}).status, 0);
  runs = runs_of(read(page));
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[1].first, "script><b>");
}

TEST_F(ViewExport, ShowsOneFrameInSixtiethsAndFewerOfALongRun) {
  const std::string page = path("out.html");
  ASSERT_EQ(polhode({"view", model("pendulum"), "--time", "1", "--dt", "0.0001", "--export", page}).status, 0);
  Shown run = runs_of(read(page))[0].second;
  EXPECT_EQ(run.rows.size(), 62u) << "every 166th of 10000 steps, the first and the last";
  ASSERT_EQ(polhode({"view", model("pendulum"), "--time", "1", "--interval", "0.25", "--export", page}).status, 0);
  run = runs_of(read(page))[0].second;
  EXPECT_EQ(run.rows.size(), 5u);
}

TEST_F(ViewExport, KeepsWhatWasReachedWhenTheRunFails) {
  // A spring of frequency 10^4 rad/s under steps of 0.1 s leaves the range of doubles within a second.
  const std::string page = path("out.html");
  const std::string file = write("stiff.pol", R"((system (gravity 0 0 0)
    (body "weight" (mass 1)) (joint prismatic "rail" ground "weight" (axis 1 0 0))
    (torsion-spring "rail" 1e8 0) (initial ("rail" 1))))");
  const Outcome outcome =
      polhode({"view", file, "--method", "tree-projected", "--dt", "0.1", "--time", "100", "--export", page});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("stopped at t = "), std::string::npos) << outcome.err;
  const Shown run = runs_of(read(page))[0].second;
  EXPECT_GE(run.rows.size(), 2u);
  EXPECT_EQ(run.status["state"], "failed");
  EXPECT_LT(run.status["done"], 0.1) << "a few of a hundred seconds";
  EXPECT_NE(outcome.err.find(run.status["message"].get<std::string>()), std::string::npos);
}

TEST_F(ViewExport, PlaysAStoredRunAsItWasSimulated) {
  const std::string stored = path("stored.h5"), page = path("out.html");
  const std::vector<std::string> how{"--time", "1", "--dt", "0.02"};
  std::vector<std::string> run{"run", model("double_pendulum"), "--out", stored};
  run.insert(run.end(), how.begin(), how.end());
  ASSERT_EQ(polhode(run).status, 0);
  ASSERT_EQ(polhode({"view", stored, "--export", page}).status, 0);
  const Shown played = runs_of(read(page))[0].second;
  std::vector<std::string> view{"view", model("double_pendulum"), "--export", page};
  view.insert(view.end(), how.begin(), how.end());
  ASSERT_EQ(polhode(view).status, 0);
  const Shown simulated = runs_of(read(page))[0].second;
  EXPECT_EQ(played.rows, simulated.rows);
  EXPECT_EQ(played.poses, simulated.poses);
  EXPECT_EQ(played.header["scene"], simulated.header["scene"]);
  EXPECT_EQ(played.header["method"], simulated.header["method"]);
  EXPECT_EQ(played.status["state"], "finished");

  ASSERT_EQ(polhode({"view", model("double_pendulum"), stored, "--time", "1", "--export", page}).status, 0);
  EXPECT_EQ(runs_of(read(page)).size(), 2u) << "a stored run beside a new one";
  EXPECT_TRUE(refused(polhode({"view", stored, "--time", "5", "--export", page}), {"--time", "stored.h5"}));
}

TEST_F(ViewExport, RefusesWhatItCannotShow) {
  const std::string page = path("out.html"), pendulum = model("pendulum");
  EXPECT_TRUE(refused(polhode({"view", model("double_pendulum"), pendulum, "--export", page}),
                      {"double_pendulum.pol", "pendulum.pol", "\"upper\"", "\"rod\""}));
  EXPECT_TRUE(refused(polhode({"view", model("chain_10"), model("hanging_chain"), "--export", page}), {"one scene"}));
  EXPECT_TRUE(refused(polhode({"view", pendulum, pendulum, "--export", page}), {"pendulum.pol", "twice"}));
  EXPECT_TRUE(refused(polhode({"view", pendulum, "--method", "tree-projected,tree-projected"}), {"tree-projected", "twice"}));
  EXPECT_TRUE(refused(polhode({"view", pendulum, "--method", "tree-projekted", "--export", page}),
                      {"tree-projekted", "maximal-projected"}));
  EXPECT_TRUE(refused(polhode({"view", pendulum, "--export", path("out.pdf")}), {"out.pdf", "FILE.html"}));
  EXPECT_TRUE(refused(polhode({"view", pendulum, "--export", ""}), {"--export", "FILE.html"}));
  EXPECT_TRUE(refused(polhode({"view", pendulum, "--export", page, "--port", "1"}), {"--port", "--export"}));
  EXPECT_TRUE(refused(polhode({"view", pendulum, "--port", "70000"}), {"--port", "70000", "65535"}));
  EXPECT_TRUE(refused(polhode({"view", path("missing.pol"), "--export", page}), {"missing.pol"}));
  EXPECT_TRUE(refused(polhode({"view"}), {"MODEL"}));
  EXPECT_FALSE(std::filesystem::exists(page));

  const std::string own = write("own.html", read(pendulum));
  EXPECT_TRUE(refused(polhode({"view", own, "--export", own}), {"own.html", "overwrite"}));
  EXPECT_EQ(read(own), read(pendulum));
  EXPECT_EQ(polhode({"view", pendulum, "--time", "0.1", "--export", path("no/such/folder/out.html")}).status, 1);
}

}  // namespace
}  // namespace polhode::cli_test
