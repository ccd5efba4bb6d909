"""Run files and tables as h5py and pandas read them, and runs that are killed.

usage: run_file_test.py PROGRAM SOURCE_FOLDER
"""

import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import h5py
import numpy
import pandas

PROGRAM, SOURCE = sys.argv[1:3]


def model(name):
    return os.path.join(SOURCE, "models", name + ".pol")


def text_of(file):
    with open(file) as stream:
        return stream.read()


def polhode(*arguments, status=0):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
    assert done.returncode == status, f"exit status {done.returncode}: {done.stderr}"
    return done


def wait_until(condition, process):
    """Waits for a state that the process brings about, as long as it lives."""
    while not condition():
        assert process.poll() is None, f"ended early, with exit status {process.returncode}"
        time.sleep(0.005)


def table(file):
    with h5py.File(file) as run:
        return pandas.DataFrame(run["trajectory"][:], columns=run["columns"].asstr()[:])


def differences(a, b):
    """Largest difference of two tables, row by row."""
    assert a.shape == b.shape, (a.shape, b.shape)
    return numpy.abs(a.to_numpy() - b.to_numpy()).max()


class RunFile(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        os.chdir(self.folder.name)

    def tearDown(self):
        os.chdir("/")
        self.folder.cleanup()

    def test_holds_what_was_run(self):
        polhode("run", model("pendulum_parameters"), "--out", "run.h5", "--time", "2", "--set", "length=0.5")
        with h5py.File("run.h5") as run:
            self.assertEqual(run.attrs["format"], "polhode run")
            self.assertEqual(run.attrs["format_version"], 1)
            self.assertEqual(run.attrs["method"], "tree-variational")
            self.assertEqual(run.attrs["model"], text_of(model("pendulum_parameters")))
            self.assertIn("--set length=0.5", run.attrs["command_line"])
            self.assertEqual(dict(run["parameters"].attrs), {"length": 0.5})
            self.assertEqual(run["options"].attrs["dt"], "0.01")
            self.assertEqual(run["state"].asstr()[()], "finished")
            self.assertEqual(run["time_end"][()], 2)
            self.assertTrue(json.loads(run["summary"][:].tobytes())["completed"])
            self.assertEqual(len(run["columns"]), len(run["units"]))
            self.assertEqual(run["trajectory"].shape, (201, len(run["columns"])))

    def test_has_the_numbers_of_the_table_in_text(self):
        for name, frame in [("double_pendulum", "tip"), ("closed_chain_device", "A")]:
            text = text_of(model(name))
            track = ["--track", frame] if f'(name "{frame}")' in text else []
            polhode("run", model(name), "--out", "run.h5", "--time", "1", *track)
            polhode("run", model(name), "--out", "run.csv", "--time", "1", *track)
            exact = pandas.read_csv("run.csv", float_precision="round_trip")
            stored = table("run.h5")
            self.assertEqual(list(exact.columns), list(stored.columns))
            self.assertEqual(differences(exact, stored), 0)

    def test_snippets_of_the_documentation_work(self):
        polhode("run", model("pendulum"), "--out", "pendulum.h5", "--track", "tip")
        polhode("run", model("pendulum"), "--out", "pendulum.csv", "--track", "tip")
        text = text_of(os.path.join(SOURCE, "docs", "files.md"))
        snippets = [s for s in re.findall(r"```python\n(.*?)```", text, re.S) if "plot" not in s]
        self.assertGreaterEqual(len([s for s in snippets if "h5py" in s]), 2)
        for snippet in snippets:
            exec(compile(snippet, "docs/files.md", "exec"), {})

    def test_of_a_thousand_bodies(self):
        with open("chain.pol", "w") as file:
            file.write(polhode("generate", "chain", "--links", "1000").stdout)
        polhode("run", "chain.pol", "--out", "run.h5", "--time", "0.05")
        with h5py.File("run.h5") as run:
            self.assertEqual(run["trajectory"].shape[1], 1 + 2 * 1000 + 4)
            self.assertEqual(run.attrs["model"], text_of("chain.pol"))

    def test_survives_being_killed_at_any_time(self):
        """Two dozen kills in a run without end, each followed by a look inside and a resume: all rows are those of a run that
        was never killed. Ends whatever the machine's speed."""
        options = ["--every", "10", "--dt", "0.02", "--quiet"]
        command = [PROGRAM, "run", model("double_pendulum"), "--out", "run.h5", "--time", "1e7", *options]
        random.seed(6)
        rows = 0
        for _ in range(24):
            child = subprocess.Popen(command)
            wait_until(lambda: os.path.exists("run.h5"), child)
            time.sleep(random.uniform(0, 0.3))  # any moment will do
            child.send_signal(signal.SIGKILL)
            child.wait()
            with h5py.File("run.h5") as run:
                self.assertEqual(run["state"].asstr()[()], "running")
                self.assertGreaterEqual(len(run["trajectory"]), rows)
                rows = len(run["trajectory"])
            command = [PROGRAM, "run", "--resume", "run.h5", "--quiet"]
        killed = table("run.h5")
        last = killed["t"].iloc[-1]
        polhode("run", model("double_pendulum"), "--out", "whole.h5", "--time", str(last + 1), *options)
        print(f"24 kills, the last after {rows} rows")
        self.assertEqual(differences(killed, table("whole.h5")[: len(killed)]), 0)

    def test_stops_tidily_when_interrupted(self):
        for asked in [signal.SIGINT, signal.SIGTERM]:
            command = [PROGRAM, "run", model("double_pendulum"), "--out", "run.h5", "--time", "1e6"]
            child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            wait_until(lambda: os.path.exists("run.h5"), child)
            begun = os.path.getsize("run.h5")
            wait_until(lambda: os.path.getsize("run.h5") > begun, child)  # it steps
            child.send_signal(asked)
            out, err = child.communicate(timeout=20)
            self.assertEqual(child.returncode, 1)
            self.assertIn("interrupted at t = ", err)
            self.assertIn("polhode run --resume run.h5", err)
            last = table("run.h5")["t"].iloc[-1]
            self.assertAlmostEqual(float(re.search(r"t = ([\d.e+]+) s", err)[1]), last, delta=1e-6 * last)
            os.remove("run.h5")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
