"""The runner with Swift Testing: a package of its own, whose tests fail always and once."""

import io
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "testing"))

import run  # noqa: E402
from families import Family  # noqa: E402
from tools import SwiftTesting  # noqa: E402

MANIFEST = """// swift-tools-version: 6.0
import PackageDescription
let package = Package(name: "segmance", targets: [.testTarget(name: "PlantedTests")])
"""
TESTS = """import Foundation
import Testing
@Suite struct PlantedTests {
  @Test func `it's held, "always"`() {}
  @Test func `fails always`() { #expect(1 == 2, "always") }
  @Test(arguments: [1, 2]) func `fails once`(number: Int) {
    #expect(number == 1 || wasThere || !FileManager.default.createFile(atPath: marker, contents: nil))
  }
  @Test(.disabled("no piano")) func skipped() {}
}
let marker = ProcessInfo.processInfo.environment["MARKER"]!
let wasThere = FileManager.default.fileExists(atPath: marker)
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A built package with planted tests."""
    folder = tmp_path_factory.mktemp("planted")
    (folder / "Package.swift").write_text(MANIFEST)
    (folder / "Tests" / "PlantedTests").mkdir(parents=True)
    (folder / "Tests" / "PlantedTests" / "PlantedTests.swift").write_text(TESTS)
    built = subprocess.run(
        [os.environ.get("SWIFT", "swift"), "build", "--build-tests", "--disable-xctest"],
        cwd=folder, capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


def test_a_swift_test_that_fails_once_is_unsteady_and_one_that_fails_twice_fails(package, tmp_path):
    tool = SwiftTesting(build=str(package / ".build/debug"), environment=(("MARKER", str(tmp_path / "marker")),))
    printed = io.StringIO()
    screen = run.Screen(lambda *words, **_: print(*words, file=printed))
    programme = run.Programme([(Family("planted", tool), None)], folder=tmp_path, room=1, screen=screen)
    assert programme.run() == 1
    programme.close()
    text = printed.getvalue()
    assert text.endswith("\n2 passed, 1 failed, 1 skipped\n")
    assert "UNSTEADY  planted: PlantedTests.PlantedTests/`fails once`(number:)" in text
    assert "2: Expectation failed" in text
    assert "FAILED    planted: PlantedTests.PlantedTests/`fails always`()" in text
    assert "PlantedTests.swift:5" in text and "always" in text
    assert 'SKIPPED   planted: PlantedTests.PlantedTests/skipped(): no piano' in text


def test_a_part_of_the_name_or_the_file_chooses_swift_tests(package, tmp_path):
    tool = SwiftTesting(build=str(package / ".build/debug"), environment=(("MARKER", str(tmp_path / "marker")),))
    for part in ("it's held, \"always\"", "PlantedTests.swift:4"):
        screen = run.Screen(lambda *words, **_: None)
        programme = run.Programme([(Family("planted", tool), part)], folder=tmp_path, room=1, screen=screen)
        assert programme.run() == 0
        assert len(programme.runs["planted"].account.results) == 1
