"""Tables of what `stretch_quality.py` has measured: in how many cells each program leads, and all figures.

Results are rows by speed: {"0.5": {"chord: purity, dB": {"ours": -58.4, "the ideal": -77.7, …}}}.
"""

import re

IDEAL, OURS, NATURAL = "the ideal", "ours", "ours (natural voice)"
# How near two figures are level; one hears none of these differences.
TOLERANCES = (
    ("pitch error", 0.1), ("doubled", 0), ("lost", 0), ("dB", 0.1), ("cents", 0.1), ("ms", 0.05),
    ("frames", 1), ("coherence", 0.003), ("correlation", 0.003), ("grade", 0.01), ("%", 0.5))
LESS_IS_BETTER = re.compile(
    "purity|convergence|pre-echo|pitch error|doubled|lost|spread|worst|mean third|processor time"
    "|envelope|formants")
MORE_IS_BETTER = re.compile("grade")


def badness(measure, value, ideal):
    """Returns how bad a figure is; the least is best."""
    if MORE_IS_BETTER.search(measure):
        return -value
    if "length error" in measure:
        return abs(value)
    if LESS_IS_BETTER.search(measure):
        # What is as good as the ideal can't be told from it.
        return value if ideal is None else max(value, ideal)
    return abs(value - (ideal or 0))


def tolerance(measure, best):
    if "processor time" in measure:
        return 0.02 * best
    return next(width for word, width in TOLERANCES if word in measure)


def verdicts(table):
    """Returns measure, program, verdict and the best of the others for each cell with a figure."""
    found = []
    for measure, row in table.items():
        bad = {name: badness(measure, value, row.get(IDEAL))
               for name, value in row.items() if name != IDEAL and value is not None}
        if NATURAL in bad:
            bad.pop("ours")
        for name in bad:
            others = {other: value for other, value in bad.items() if other != name}
            if others:
                best = min(others, key=others.get)
                width = tolerance(measure, others[best])
                found.append((measure, name, best,
                              "leads" if bad[name] < others[best] - width else
                              "level" if bad[name] <= others[best] + width else "behind"))
    return found


def headline(results):
    """Returns in how many cells each program is best or level, and the cells where ours is not."""
    tables = {f"at {rate}": table for rate, table in speeds(results)}
    if results.get("vowels"):
        tables["vowels"] = results["vowels"]
    judged = {title: verdicts(table) for title, table in tables.items()}
    names = dict.fromkeys(OURS if name == NATURAL else name
                          for cells in judged.values() for _, name, _, _ in cells)
    lines = [f"Taken {results['taken']}.", "", f"| program | {' | '.join(judged)} | all |",
             "|---|" + "---|" * (len(judged) + 1)]
    for name in names:
        counts = [[cell[3] for cell in cells if cell[1] in ((OURS, NATURAL) if name == OURS else (name,))]
                  for cells in judged.values()]
        counts.append(sum(counts, []))
        lines.append(f"| {name} | " + " | ".join(
            f"{len(count) - count.count('behind')} of {len(count)}" if count else "" for count in counts) + " |")
    lines += ["", "Ours is behind the best of the others here:", ""]
    behind = {}
    for title, cells in judged.items():
        for measure, name, best, verdict in cells:
            if name in (OURS, NATURAL) and verdict == "behind":
                row = tables[title][measure]
                what, where = place(title, measure)
                behind.setdefault(what, []).append(
                    f"{where}: {cell(measure, row[name])} : {cell(measure, row[best])} ({best})")
    lines += [f"- {measure}: {'; '.join(where)}" for measure, where in behind.items()] or ["- nowhere"]
    return "\n".join(lines)


def place(title, measure):
    """Returns what was measured, and at which speed or how far transposed."""
    vowel = re.fullmatch(r"(.*), ([+-]\d+): (.*)", measure)
    return (f"{vowel[1]}: {vowel[3]}", vowel[2]) if vowel else (measure, title.removeprefix("at "))


def speeds(results):
    return sorted(results["speeds"].items(), key=lambda entry: float(entry[0]))


def cell(measure, value):
    if value is None:
        return ""
    if "grade" in measure:
        return f"{value:.2f}"
    return f"{value:.1f}" if abs(value) >= 1 else f"{value:.3g}"


def table_text(title, table, order):
    heads = [name for name in order if any(name in row for row in table.values())]
    lines = [f"## {title}", "", f"| measure | {' | '.join(heads)} |", f"|---|{'---|' * len(heads)}"]
    lines += [f"| {measure} | {' | '.join(cell(measure, row.get(head)) for head in heads)} |"
              for measure, row in table.items()]
    return "\n".join(lines)


def all_tables(results, order):
    texts = [table_text(f"At {rate} times the speed", table, order) for rate, table in speeds(results)]
    if results.get("vowels"):
        texts.append(table_text("Vowels, transposed", results["vowels"], order))
    return "\n\n".join(texts)


def write_document(path, results, order):
    """Puts the headline and the tables into a document, in place of what stands between its marks."""
    text = path.read_text()
    for mark, new in (("headline", headline(results)), ("tables", all_tables(results, order))):
        begin, end = f"<!-- {mark}: written by make bench-stretch -->", f"<!-- end of {mark} -->"
        before, rest = text.split(begin)
        text = f"{before}{begin}\n{new}\n{end}{rest.split(end)[1]}"
    path.write_text(text)
