"""What `make test` leaves out: only what watches nothing that has changed since the last long run."""

import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "testing"))

import watched  # noqa: E402

TABLE = {"bucket": ("Sources/Storage",), "bench": ("Benchmarks", "Sources/Media")}


class Tree:
    """A repository with a file in each watched folder."""

    def __init__(self, folder):
        self.folder = folder
        self.git("init", "--quiet")
        self.write("Sources/Storage/Blob.swift", "1")
        self.write("Sources/Media/Song.swift", "1")
        self.commit()

    def git(self, *words):
        return subprocess.run(
            ["git", "-c", "user.name=Test", "-c", "user.email=test@localhost", *words],
            cwd=self.folder, check=True, capture_output=True, text=True).stdout.strip()

    def write(self, name, text):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)

    def commit(self):
        self.git("add", ".")
        self.git("commit", "--quiet", "--message", "A change")
        return self.git("rev-parse", "HEAD")

    def name_long_run(self, commit):
        self.write(watched.LAST_LONG_RUN, f"{commit} 2026-11-28\n")
        self.commit()

    def left_out(self):
        return watched.left_out(self.folder, TABLE)


@pytest.fixture
def tree(tmp_path):
    """A repository whose last long run is its first commit."""
    tree = Tree(tmp_path)
    tree.name_long_run(tree.git("rev-parse", "HEAD"))
    return tree


def test_nothing_that_is_watched_has_changed(tree):
    assert tree.left_out() == ["bucket", "bench"]


@pytest.mark.parametrize("is_committed", [True, False])
def test_a_changed_file_brings_what_watches_it(tree, is_committed):
    tree.write("Sources/Storage/Blob.swift", "2")
    if is_committed:
        tree.commit()
    assert tree.left_out() == ["bench"]


def test_a_new_file_brings_what_watches_its_folder(tree):
    tree.write("Benchmarks/new.py", "")
    assert tree.left_out() == ["bucket"]


def test_a_file_that_went_brings_what_watched_it(tree):
    (tree.folder / "Sources/Media/Song.swift").unlink()
    tree.commit()
    assert tree.left_out() == ["bucket"]


def test_a_commit_that_only_names_the_long_run_changes_nothing(tree):
    tree.name_long_run(tree.git("rev-parse", "HEAD"))
    assert tree.left_out() == ["bucket", "bench"]


def test_everything_runs_where_no_long_run_is_named(tmp_path):
    assert Tree(tmp_path).left_out() == []


def test_everything_runs_where_the_commit_is_no_ancestor(tree):
    first = tree.git("rev-parse", "--abbrev-ref", "HEAD")
    tree.git("checkout", "--quiet", "--orphan", "other")
    other = tree.commit()
    tree.git("checkout", "--quiet", first)
    tree.name_long_run(other)
    assert tree.left_out() == []


def test_everything_runs_without_history(tree, tmp_path_factory):
    shallow = tmp_path_factory.mktemp("shallow") / "clone"
    subprocess.run(["git", "clone", "--quiet", "--depth=1", f"file://{tree.folder}", shallow], check=True)
    assert watched.left_out(shallow, TABLE) == []


def test_everything_runs_where_there_is_no_repository(tmp_path):
    (tmp_path / "Tests").mkdir()
    (tmp_path / watched.LAST_LONG_RUN).write_text("0123456789 2026-11-28\n")
    assert watched.left_out(tmp_path, TABLE) == []


def test_every_watched_path_is_in_the_tree():
    for key, paths in watched.WATCHED.items():
        for path in paths:
            assert list(ROOT.glob(f"{path}*")), f"{key} watches {path}, which is not there"
