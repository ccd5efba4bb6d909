#include "tests/cli/program.h"
#include "tests/cli/server.h"

namespace polhode::server_test {
namespace {

class ViewServer : public cli_test::Program {
 protected:
  void SetUp() override {
    if (polhode({"view", cli_test::model("pendulum"), "--export", path("page.html"), "--time", "0.1"}).err.find("without") !=
        std::string::npos)
      GTEST_SKIP() << "this build has no browser page";
  }

  static std::string request(const Server& server, const std::string& target, const std::string& more = "") {
    return "GET " + target + " HTTP/1.1\r\nHost: " + server.host() + "\r\n" + more + "\r\n";
  }
  static std::string answer(const Server& server, const std::string& bytes) {
    const Connection connection(server.port());
    connection.send(bytes);
    return connection.receive();
  }
  static int status(const Server& server, const std::string& bytes) { return status_of(answer(server, bytes)); }
};

TEST_F(ViewServer, ServesThePageTheListAndTheWholeRun) {
  Server server({cli_test::model("double_pendulum"), "--time", "0.5"});
  ASSERT_NE(server.port(), 0);
  const std::string page = answer(server, request(server, "/"));
  EXPECT_EQ(status_of(page), 200);
  EXPECT_NE(page.find("Content-Security-Policy: default-src 'self'"), std::string::npos);
  EXPECT_NE(page.find("</html>"), std::string::npos) << "it ends before its end";

  const auto list = nlohmann::json::parse(body_of(answer(server, request(server, "/api/runs"))));
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0]["label"], "tree-variational");
  EXPECT_EQ(list[0]["url"], "/api/runs/0");

  bool whole = false;
  const std::string run = unchunked(body_of(answer(server, request(server, "/api/runs/0"))), whole);
  EXPECT_TRUE(whole);
  EXPECT_TRUE(run.starts_with("HEAD"));
  EXPECT_NE(run.find("\"finished\""), std::string::npos);
  EXPECT_EQ(server.end(SIGINT), 0) << "Ctrl-C is how it ends";
}

TEST_F(ViewServer, ServesNothingElse) {
  Server server({cli_test::model("pendulum"), "--time", "0.1"});
  ASSERT_NE(server.port(), 0);
  for (const char* target :
       {"/index.html", "/api/runs/1", "/api/runs/00", "/api/runs/-1", "/api/runs/", "/api/runs/0/", "/api//runs", "//",
        "/../../../../etc/passwd", "/api/runs/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2fetc%2fpasswd",
        "/..\\..\\etc\\passwd", "/etc/passwd", "/proc/self/environ", "etc/passwd", "http://127.0.0.1/etc/passwd", "*"})
    EXPECT_EQ(status(server, request(server, target)), 404) << target;
}

TEST_F(ViewServer, RefusesOtherNamesOriginsAndMethods) {
  Server server({cli_test::model("pendulum"), "--time", "0.1"});
  ASSERT_NE(server.port(), 0);
  const std::string port = std::to_string(server.port());
  // A page elsewhere whose name was made to lead to 127.0.0.1 sends its own name.
  for (const std::string& host : {std::string("evil.example"), "evil.example:" + port, std::string("127.0.0.1"),
                                  "127.0.0.1:1" + port, "127.0.0.1." + port, std::string()})
    EXPECT_EQ(status(server, "GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n"), 403) << host;
  EXPECT_EQ(status(server, "GET / HTTP/1.1\r\n\r\n"), 403);
  for (const std::string origin : {"http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1"})
    EXPECT_EQ(status(server, request(server, "/api/runs/0", "Origin: " + origin + "\r\n")), 403) << origin;
  EXPECT_EQ(status(server, request(server, "/api/runs", "Origin: http://127.0.0.1:" + port + "\r\n")), 200);
  EXPECT_EQ(status(server, "GET / HTTP/1.1\r\nHOST: LocalHost:" + port + "\r\n\r\n"), 200);

  for (const std::string method : {"POST", "PUT", "DELETE", "OPTIONS", "HEAD", "TRACE", "CONNECT", "get"})
    EXPECT_EQ(status(server, method + " / HTTP/1.1\r\nHost: " + server.host() + "\r\n\r\n"), 405) << method;
}

TEST_F(ViewServer, RefusesWhatIsNoHttp) {
  Server server({cli_test::model("pendulum"), "--time", "0.1"});
  ASSERT_NE(server.port(), 0);
  const std::string host = "Host: " + server.host() + "\r\n";
  for (const std::string& bytes :
       {std::string("\r\n\r\n"), std::string("GET /\r\n\r\n"), "GET / HTTP/2\r\n" + host + "\r\n",
        "GET / HTTP/1.1\r\n" + host + host + "\r\n", "GET / HTTP/1.1\r\n" + host + " folded\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : " + server.host() + "\r\n\r\n", "GET / x HTTP/1.1\r\n" + host + "\r\n",
        std::string("\x16\x03\x01\x02\0\x01\0\0", 8) + "\r\n\r\n"})
    EXPECT_EQ(status(server, bytes), 400) << bytes;
}

TEST_F(ViewServer, RefusesOversizedRequests) {
  Server server({cli_test::model("pendulum"), "--time", "0.1"});
  ASSERT_NE(server.port(), 0);
  EXPECT_EQ(status(server, request(server, "/" + std::string(2000, 'a'))), 414);
  EXPECT_EQ(status(server, request(server, "/" + std::string(10'000'000, 'a'))), 414);
  EXPECT_EQ(status(server, request(server, "/", "X: " + std::string(10'000'000, 'a') + "\r\n")), 431);
  std::string many;
  for (int i = 0; i < 100'000; ++i) many += "X: y\r\n";
  EXPECT_EQ(status(server, request(server, "/", many)), 431);
  EXPECT_EQ(status(server, request(server, "/", "Content-Length: 1000000000\r\n")), 413);
  EXPECT_EQ(status(server, request(server, "/", "Transfer-Encoding: chunked\r\n")), 413);
  EXPECT_EQ(status(server, request(server, "/")), 200) << "and goes on";
}

TEST_F(ViewServer, DoesNotWaitForThoseWhoDawdle) {
  Server server({cli_test::model("pendulum"), "--time", "0.1"});
  ASSERT_NE(server.port(), 0);
  // One says nothing, one says a byte now and then: each has five seconds for all of its request.
  const Connection silent(server.port()), slow(server.port());
  // At five bytes a second the whole request would take more than 20 s.
  const std::string whole = request(server, "/", "X-Slow: " + std::string(100, 'a') + "\r\n");
  std::string got;
  std::size_t said = 0;
  for (; said < whole.size() && got.empty(); ++said) {
    slow.send(whole.substr(said, 1));
    got = slow.receive(1, 200);
  }
  EXPECT_EQ(status_of(got + slow.receive()), 408);
  EXPECT_EQ(status_of(silent.receive()), 408);
  EXPECT_LT(said, whole.size()) << "it was cut short";
}

TEST_F(ViewServer, RefusesTooManyConnectionsAndServesAgainWhenTheyAreGone) {
  Server server({cli_test::model("pendulum"), "--time", "0.1"});
  ASSERT_NE(server.port(), 0);
  std::vector<Connection> crowd;
  for (int i = 0; i < 100; ++i) crowd.emplace_back(server.port());
  EXPECT_EQ(status_of(crowd.back().receive()), 503);
  crowd.clear();
  int last = 0;
  for (int i = 0; i < 10'000 && last != 200; ++i) last = status(server, request(server, "/"));
  EXPECT_EQ(last, 200);
}

TEST_F(ViewServer, GoesOnWhenABrowserLeavesInTheMiddle) {
  // Long enough that the run still goes on when the first readers leave.
  Server server({cli_test::model("double_pendulum"), "--time", "2000", "--interval", "0.02"});
  ASSERT_NE(server.port(), 0);
  for (int i = 0; i < 5; ++i) {
    Connection leaving(server.port());
    leaving.send(request(server, "/api/runs/0"));
    EXPECT_GT(leaving.receive(4096).size(), 0u);
    leaving.hang_up();
  }
  bool whole = false;
  const std::string run = unchunked(body_of(answer(server, request(server, "/api/runs/0"))), whole);
  EXPECT_TRUE(whole);
  EXPECT_NE(run.find("\"finished\""), std::string::npos);
  EXPECT_EQ(server.end(SIGTERM), 0);
}

TEST_F(ViewServer, EndsTidilyWhileItSimulates) {
  Server server({cli_test::model("chain_10"), "--time", "100000"});
  ASSERT_NE(server.port(), 0);
  Connection reader(server.port());
  reader.send(request(server, "/api/runs/0"));
  EXPECT_GT(reader.receive(4096).size(), 0u);
  EXPECT_EQ(server.end(SIGINT), 0);
}

TEST_F(ViewServer, ListensOnLoopbackOnlyAndRefusesAPortThatIsTaken) {
  Server server({cli_test::model("pendulum"), "--time", "0.1"});
  ASSERT_NE(server.port(), 0);
  const cli_test::Outcome second = polhode({"view", cli_test::model("pendulum"), "--port", std::to_string(server.port())});
  EXPECT_EQ(second.status, 1);
  EXPECT_NE(second.err.find("port " + std::to_string(server.port())), std::string::npos) << second.err;
  // 127.0.0.2 is this machine too, by another name: a server on all addresses would answer.
  const int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  inet_pton(AF_INET, "127.0.0.2", &address.sin_addr);
  address.sin_port = htons(std::uint16_t(server.port()));
  EXPECT_NE(connect(probe, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  close(probe);
}

}  // namespace
}  // namespace polhode::server_test
