"""Copies of the sources with a bug planted in them."""

import shutil


def plant(root, tree, changes):
    """Makes the folder `tree` a copy of the package in `root` with `changes` made: each a file, what
    stands there exactly once, and what is put in its place."""
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    shutil.copytree(root / "Sources", tree / "Sources")
    shutil.copy2(root / "Package.swift", tree)
    # The manifest names the tests' folders, too.
    (tree / "Tests").symlink_to(root / "Tests")
    for file, sound, planted in changes:
        path = tree / file
        text = path.read_text()
        if text.count(sound) != 1:
            raise SystemExit(f"A bug can't be planted in {file}: the code has changed.")
        path.write_text(text.replace(sound, planted))
