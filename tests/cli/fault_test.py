# SPDX-License-Identifier: Apache-2.0
"""Nothing measured is lost: workers that die, interrupts, and stores that cannot take a record."""
import sqlite3
import time

from support import *


class Workers(CommandLine):
    def run_scripted(self, status, *settings, words=(), extra=()):
        arguments = ["run", self.relu(), *SCRIPTED]
        for setting in settings:
            arguments += ["--set", setting]
        return self.expect(status, *words, arguments=[*arguments, *extra])

    def test_a_crash_in_the_load_is_an_outcome_with_its_signal(self):
        self.run_scripted(5, "crash=load", words=["SIG"])
        record = self.newest_record()
        self.assertEqual(record["outcome"]["status"], "failed")

    def test_a_crash_in_the_middle_keeps_what_was_measured_before(self):
        # The gate runs a few times only; a launch of 2 s at 1 ms a run reaches run 60.
        self.expect(5, "SIG", arguments=[
            "run", self.relu(), "--engine", "scripted", "--set", "run=1ms", "--set", "crash=run:60",
            "--time", "4s", "--launches", "2"])
        self.assertEqual(self.newest_record()["outcome"]["status"], "failed")

    def test_a_hang_ends_by_the_time_limit(self):
        self.run_scripted(6, "hang=run:1", words=["limit"], extra=["--timeout", "1s"])
        self.assertEqual(self.newest_record()["outcome"]["status"], "timeout")

    def test_an_engine_error_gives_its_words(self):
        self.run_scripted(5, "fail=run:1", words=["scripted"])

    def test_memory_beyond_the_limit_ends_the_worker(self):
        self.run_scripted(6, "run=1ms", "allocate=400MiB", words=["100 MiB"],
                          extra=["--memory", "100MiB"])

    def test_wrong_outputs_make_the_record_mistrusted(self):
        result = self.run_scripted(1, "wrong_when_optimized=1")
        self.assertEqual(self.newest_record()["outcome"]["status"], "mistrusted")
        self.assertIn("mistrusted", result.stdout)

    def test_outputs_that_no_input_changes_are_called_insensitive(self):
        self.run_scripted(0, "output=constant")
        self.assertEqual(self.newest_record()["gate"]["status"], "insensitive")

    def test_a_killed_worker_is_named_by_its_signal(self):
        process = self.start("run", self.relu(), "--engine", "scripted", "--set", "run=1ms",
                             "--time", "20s", "--launches", "1")
        worker = self.measuring_worker(process)
        os.kill(worker, signal.SIGKILL)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 6, errors)  # as the kernel does when memory runs out
        self.assertIn("SIGKILL", errors)


class Interrupts(CommandLine):
    def begin(self):
        """Starts a long measurement and waits until it samples."""
        process = self.start("run", self.relu(), "--engine", "scripted", "--set", "run=1ms",
                             "--time", "60s", "--launches", "2")
        self.measuring_worker(process)
        time.sleep(4)  # Warm-up takes 2 s at most.
        self.assertIsNone(process.poll())
        return process

    def test_an_interrupt_saves_a_partial_record_and_ends_by_the_signal(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.begin()
            process.send_signal(number)
            output, errors = process.communicate(timeout=30)
            self.assertTrue(died_by(process, number), errors)
            record = self.newest_record()
            self.assertEqual(record["outcome"]["status"], "partial")
            self.assertGreater(len(record["samples"]["start_ns"]), 0)
            self.assertIn("partial", output)

    def test_workers_do_not_outlive_the_program(self):
        process = self.begin()
        workers = self.workers_of(process)
        self.assertNotEqual(workers, [])
        process.kill()
        process.communicate(timeout=30)
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline and any(
                os.path.exists(f"/proc/{worker}") for worker in workers):
            time.sleep(0.05)
        self.assertFalse(any(os.path.exists(f"/proc/{worker}") for worker in workers))


class Stores(CommandLine):
    def test_a_record_can_be_listed_shown_and_repeated(self):
        first = self.headroom("run", self.relu(), *SCRIPTED)
        self.assertEqual(first.returncode, 0, first.stderr)
        repeat = self.headroom("show", "last", "--repeat").stdout.strip()
        self.assertEqual(first.stdout.rstrip().splitlines()[-1].strip(), repeat)
        words = repeat.split()
        self.assertEqual(words[:2], ["headroom", "run"])
        before = self.newest_record()
        self.assertEqual(self.headroom(*words[1:]).returncode, 0)
        after = self.newest_record()
        self.assertNotEqual(before["id"], after["id"])
        self.assertEqual(before["case"], after["case"])
        listing = self.headroom("history")
        self.assertIn(before["id"], listing.stdout)
        self.assertIn(after["id"], listing.stdout)

    def test_store_none_keeps_nothing(self):
        result = self.headroom("run", self.relu(), *SCRIPTED, "--store", "none")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("model.onnx", self.headroom("history").stdout)

    def test_a_peak_is_found_behind_a_calibration_of_other_threads(self):
        # Runs of one and of two threads in turn once measured the peak anew every time.
        rows = "SELECT fingerprint, time, json FROM calibrations"
        with sqlite3.connect(self.store) as database:
            kept = database.execute(rows).fetchall()
            if not kept:
                self.skipTest("the machine is too busy to keep a calibration")
            fingerprint, moment, text = kept[-1]
            other = json.loads(text)
            for peak in other["peaks"]:
                peak["threads"] = 99_999
            database.execute("INSERT INTO calibrations (fingerprint, time, json) VALUES (?, ?, ?)",
                             (fingerprint, moment, json.dumps(other)))
        self.assertEqual(self.headroom("run", self.relu(), *SCRIPTED).returncode, 0)
        with sqlite3.connect(self.store) as database:
            self.assertEqual(len(database.execute(rows).fetchall()), len(kept) + 1)

    def test_without_a_home_the_error_says_how_to_name_a_store(self):
        self.expect(3, "HEADROOM_STORE", "--store", HEADROOM_STORE=None,
                    arguments=["run", self.relu(), *SCRIPTED])
        result = self.headroom("run", self.relu(), *SCRIPTED, "--store", "none", HEADROOM_STORE=None)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_file_that_is_no_store_is_refused(self):
        self.store.write_text("no database\n" * 100)
        self.expect(3, "store.db", arguments=["run", self.relu(), *SCRIPTED])

    def test_a_store_of_a_newer_schema_names_both(self):
        self.assertEqual(self.headroom("run", self.relu(), *SCRIPTED).returncode, 0)
        with sqlite3.connect(self.store) as database:
            database.execute("PRAGMA user_version = 99")
        self.expect(4, "99", arguments=["run", self.relu(), *SCRIPTED])
        self.expect(4, "99", arguments=["history"])

    def test_a_store_in_a_folder_that_is_absent_is_refused_before_measuring(self):
        self.expect(3, "absent", arguments=["run", self.relu(), *SCRIPTED, "--store",
                                            self.folder / "absent/store.db"])

    def test_a_store_that_is_locked_from_the_start_ends_the_run_before_measuring(self):
        self.assertEqual(self.headroom("run", self.relu(), *SCRIPTED).returncode, 0)
        with sqlite3.connect(self.store, isolation_level=None) as database:
            database.execute("BEGIN IMMEDIATE")
            self.expect(6, "held by another program", arguments=["run", self.relu(), *SCRIPTED])

    def test_a_store_that_is_locked_at_the_end_loses_no_record(self):
        self.assertEqual(self.headroom("run", self.relu(), *SCRIPTED).returncode, 0)
        process = self.start("run", self.relu(), "--engine", "scripted", "--set", "run=1ms",
                             "--time", "8s", "--launches", "1")
        self.measuring_worker(process)
        with sqlite3.connect(self.store, isolation_level=None) as database:
            database.execute("BEGIN IMMEDIATE")
            _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 6, errors)
        rescued = pathlib.Path(errors.split("kept in '")[1].split("'")[0])
        self.assertEqual(json.loads(rescued.read_text())["case"]["scenario"], "single")

    def test_a_full_disk_keeps_the_record_elsewhere(self):
        small = self.folder / "small"
        small.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", small],
                                 capture_output=True, check=False)
        if mounted.returncode != 0:
            self.skipTest("mounting a small file system needs root")
        self.addCleanup(subprocess.run, ["umount", small], check=True)
        for _ in range(12):
            result = self.headroom("run", self.relu(), *SCRIPTED, "--store", small / "store.db")
            if result.returncode != 0:
                break
        self.assertEqual(result.returncode, 6, result.stderr)
        if "kept in '" in result.stderr:
            rescued = pathlib.Path(result.stderr.split("kept in '")[1].split("'")[0])
            self.assertIn(json.loads(rescued.read_text())["outcome"]["status"], ("ok", "noisy"))

    def test_a_read_only_store_is_refused_before_measuring(self):
        self.assertEqual(self.headroom("run", self.relu(), *SCRIPTED).returncode, 0)
        holder = self.folder / "holder"
        holder.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "tmpfs", holder], capture_output=True,
                                 check=False)
        if mounted.returncode != 0:
            self.skipTest("mounting a read-only file system needs root")
        self.addCleanup(subprocess.run, ["umount", holder], check=True)
        (holder / "store.db").write_bytes(self.store.read_bytes())
        subprocess.run(["mount", "-o", "remount,ro", holder], check=True)
        self.expect(3, "store.db", arguments=["run", self.relu(), *SCRIPTED, "--store",
                                              holder / "store.db"])

    def test_nothing_recorded_yet_is_said(self):
        self.store.unlink()
        result = self.headroom("history")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("othing is recorded yet", result.stdout)


class Streams(CommandLine):
    def test_a_pipe_gets_no_escape_codes_and_no_progress(self):
        result = self.headroom("run", self.relu(), *SCRIPTED)
        self.assertNotIn("\x1b", result.stdout + result.stderr)
        self.assertEqual(result.stderr, "")

    def test_json_on_stdout_is_alone_there(self):
        for verb in (["run", self.relu(), *SCRIPTED], ["inspect", self.relu()], ["doctor"],
                     ["history"]):
            result = self.headroom(*verb, "--json", "-")
            self.assertEqual(result.returncode, 0, result.stderr)
            json.loads(result.stdout)

    def test_quiet_prints_nothing(self):
        for verb in (["run", self.relu(), *SCRIPTED], ["inspect", self.relu()], ["doctor"]):
            result = self.headroom(*verb, "--quiet")
            self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)

    def test_a_full_standard_output_is_an_error(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            result = subprocess.run([PROGRAM, "inspect", self.relu()], stdout=full,
                                    stderr=subprocess.PIPE, text=True, env=self.environment,
                                    check=False)
        self.assertEqual(result.returncode, 6, result.stderr)

    def test_a_narrow_terminal_gets_narrow_lines(self):
        for arguments in (["inspect", CORPUS / "light/light_squeezenet/light_squeezenet.onnx"],
                          ["run", self.relu(), *SCRIPTED]):
            result = self.headroom(*arguments, COLUMNS="60")
            self.assertEqual(result.returncode, 0, result.stderr)
            lines = result.stdout.rstrip().splitlines()
            if arguments[0] == "run":
                lines = lines[:-1]  # The line that repeats the run is never broken.
            for line in lines:
                self.assertLessEqual(len(line), 60, line)


if __name__ == "__main__":
    unittest.main()
