"""Copies of the sources with a bug planted in them."""

import pathlib


def plant(root, tree, changes):
    """Makes the folder `tree` a copy of the package in `root` with `changes`: each is a file, a text that
    occurs exactly once, and its replacement. Unchanged files are not written, so that the compiler
    builds little."""
    manifest = pathlib.Path("Package.swift")
    wanted = {manifest: (root / manifest).read_bytes()}
    for path in (root / "Sources").rglob("*"):
        if path.is_file():
            wanted[path.relative_to(root)] = path.read_bytes()
    for file, sound, planted in changes:
        text = wanted[pathlib.Path(file)].decode()
        if text.count(sound) != 1:
            raise SystemExit(f"A bug can't be planted in {file}: the code has changed.")
        wanted[pathlib.Path(file)] = text.replace(sound, planted).encode()
    tree.mkdir(parents=True, exist_ok=True)
    # The manifest also names the tests' folders.
    if not (tree / "Tests").is_symlink():
        (tree / "Tests").symlink_to(root / "Tests")
    for path in (tree / "Sources").rglob("*"):
        if path.is_file() and path.relative_to(tree) not in wanted:
            path.unlink()
    for name, content in wanted.items():
        path = tree / name
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
