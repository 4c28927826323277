"""Takes what `make bench` wrote to .build/bench.md over into the documents: the section of each benchmark
that was run in docs/benchmarks/figures.md, and the rows of the same names in docs/BENCHMARKS.md.

Use: python3 Benchmarks/renew_docs.py [FILE]
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIGURES = ROOT / "docs" / "benchmarks" / "figures.md"
HEADLINE = ROOT / "docs" / "BENCHMARKS.md"


def sections(text):
    """The sections of a document, as pairs of title and text; what stands before the first is left out."""
    parts = re.split(r"^(?=## )", text, flags=re.M)
    return [(part[3:part.index("\n")], part) for part in parts if part.startswith("## ")]


def renewed_sections(document, measured):
    """The document with the sections that were measured in place of its own; new ones come last."""
    new = dict(sections(measured))
    head = re.split(r"^(?=## )", document, flags=re.M)[0]
    kept = [(title, new.pop(title, text)) for title, text in sections(document)]
    return head + "\n".join(text.strip("\n") + "\n" for _, text in [*kept, *new.items()])


def renewed_rows(document, measured):
    """The document with the figures and the date of each row whose name was measured."""
    new = {}
    for _, text in sections(measured):
        date = text.splitlines()[2].split(",")[0]
        for line in text.splitlines():
            if line.startswith("| "):
                new[line.split(" | ")[0]] = f"{line} {date} |"
    # The row under `what` is the table's head in both.
    new.pop("| what", None)
    return "\n".join(new.get(line.split(" | ")[0], line) for line in document.split("\n"))


def main():
    measured = pathlib.Path(sys.argv[1] if sys.argv[1:] else ROOT / ".build" / "bench.md").read_text()
    FIGURES.write_text(renewed_sections(FIGURES.read_text(), measured))
    HEADLINE.write_text(renewed_rows(HEADLINE.read_text(), measured))


if __name__ == "__main__":
    main()
