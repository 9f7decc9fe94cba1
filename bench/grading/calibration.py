#!/usr/bin/env python3
"""How much do people's grades for other answers to a question improve the built-in grader's? Standard library only.

  calibration.py [--lectern PROGRAM] [--reviewed N] [--draws D] [--repeats] [--keep DIR] ANSWERS.jsonl...

ANSWERS has a graded answer a line: {id, questionId, studentAnswer, score, maxScore, minScore?, ...}, as `lectern grade` reads
it. Of every question, N answers (20) are the ones that a person has graded; the others are graded without and with them and
compared with their own scores. Which is which follows from a hash of the ids, so a set is always split alike. A text that
several learners wrote counts once, so nobody is graded by his own answer; with --repeats all are graded but the N. With --draws
the N are drawn so often, each time others, and the figures are the means. The questions
are halved by a hash as well: what is chosen by looking at figures is chosen on the half `dev` and believed on `held`.
Questions with fewer than 8 answers left are left out. --keep writes the two files that are graded into DIR.

Printed for each set and half, without and with the reviewed answers:
  r      Pearson's r within questions, weighted by their answers (those whose scores differ)
  rmse   root mean square error, as a share of the points
  conf   Spearman's rank correlation of confidence with the absolute error: the nearer to -1, the better
"""
import argparse, hashlib, json, math, os, subprocess, sys, tempfile

FEWEST = 8
HALVES = {"dev": 0, "held": 1}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lectern", default="lectern", help="the program")
    parser.add_argument("--reviewed", type=int, default=20, metavar="N", help="answers of each question that are graded")
    parser.add_argument("--draws", type=int, default=1, metavar="D", help="how often the N are drawn")
    parser.add_argument("--repeats", action="store_true", help="count a text as often as it was written")
    parser.add_argument("--keep", metavar="DIR", help="write the rows that are graded there")
    parser.add_argument("answers", nargs="+")
    options = parser.parse_args()
    print(f"{'':28}{'answers':>8}  {'r':>5} {'with':>6} {'gain':>6}   {'rmse':>5} {'with':>5}   {'conf':>5} {'with':>5}")
    for path in options.answers:
        name = os.path.basename(path).removesuffix(".jsonl")
        answers = read(path)
        draws = [draw(options, name, list(split(answers, options, number))) for number in range(options.draws)]
        for half in ["dev", "held", "all"]:
            report(name, half, [found[half] for found in draws if half in found])


def draw(options, name, rows):
    """The figures of each half without and with the reviewed answers."""
    with tempfile.TemporaryDirectory() as folder:
        folder = options.keep or folder
        plain = grade(options.lectern, os.path.join(folder, f"{name}.plain.jsonl"), [row for row, _ in rows])
        helped = [row | {"reviewedAnswers": reviewed} for row, reviewed in rows]
        helped = grade(options.lectern, os.path.join(folder, f"{name}.reviewed.jsonl"), helped)
    found = {}
    for half in ["dev", "held", "all"]:
        of_half = [row for row, _ in rows if half == "all" or hashed(row["questionId"]) % 2 == HALVES[half]]
        if of_half:
            found[half] = (len(of_half), figures(of_half, plain), figures(of_half, helped))
    return found


def report(name, half, draws):
    if not draws:
        return
    mean = lambda values: sum(values) / len(values)
    before, after = ({key: mean([found[at][key] for found in draws]) for key in draws[0][at]} for at in (1, 2))
    gain = after["r"] - before["r"]
    print(f"{name:20}{half:8}{mean([found[0] for found in draws]):8.0f}  {before['r']:.3f} {after['r']:6.3f} {gain:+6.3f}   "
          f"{before['rmse']:.3f} {after['rmse']:.3f}   {before['conf']:5.2f} {after['conf']:5.2f}", flush=True)


def read(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def hashed(text):
    return int(hashlib.sha256(str(text).encode()).hexdigest(), 16)


def normal(text):
    return " ".join(text.lower().split())


def split(rows, options, number):
    """The rows that are graded, each with what is reviewed of its question."""
    questions = {}
    for row in rows:
        questions.setdefault(row["questionId"], []).append(row)
    for _, rows in sorted(questions.items()):
        seen, reviewed, rest = set(), [], []
        for row in sorted(rows, key=lambda row: hashed(f"{number or ''}{row['id']}")):
            text = normal(row["studentAnswer"])
            if text not in seen and len(reviewed) < options.reviewed:
                reviewed.append({"answer": row["studentAnswer"], "score": share(row) * row["maxScore"]})
            elif text not in seen or options.repeats:
                rest.append(row)
            seen.add(text)
        if len(reviewed) == options.reviewed and len(rest) >= FEWEST:
            yield from ((row, reviewed) for row in rest)


def share(row):
    least = row.get("minScore") or 0
    return (row["score"] - least) / (row["maxScore"] - least)


def grade(lectern, path, rows):
    """What the program says of the rows, by their ids: share and confidence."""
    with open(path, "w", encoding="utf-8") as file:
        for row in rows:
            # What people gave the answer is none of the program's business.
            row = {name: value for name, value in row.items() if name not in ("score", "score1", "score2", "feedback")}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    printed = subprocess.run([lectern, "grade", path], stdout=subprocess.PIPE, check=True).stdout
    grades = [json.loads(line) for line in printed.splitlines()]
    return {grade["id"]: (grade["score"] / 100, grade["confidence"]) for grade in grades}


def figures(rows, grades):
    people = [share(row) for row in rows]
    program = [grades[row["id"]][0] for row in rows]
    errors = [abs(one - other) for one, other in zip(people, program)]
    questions = {}
    for at, row in enumerate(rows):
        questions.setdefault(row["questionId"], []).append(at)
    parts = [([people[at] for at in places], [program[at] for at in places]) for places in questions.values()]
    within = [(pearson(one, other), len(one)) for one, other in parts if len(set(one)) > 1]
    return {
        "r": sum(r * count for r, count in within) / max(1, sum(count for _, count in within)),
        "rmse": math.sqrt(sum(error * error for error in errors) / len(errors)),
        "conf": pearson(ranks([grades[row["id"]][1] for row in rows]), ranks(errors)),
    }


def pearson(one, other):
    """Pearson's r; 0 where one of them is constant, which tells nothing apart."""
    mean_one, mean_other = sum(one) / len(one), sum(other) / len(other)
    square_one = sum((value - mean_one) ** 2 for value in one)
    square_other = sum((value - mean_other) ** 2 for value in other)
    if min(square_one, square_other) < 1e-12:
        return 0.0
    both = sum((left - mean_one) * (right - mean_other) for left, right in zip(one, other))
    return both / math.sqrt(square_one * square_other)


def ranks(values):
    """Ranks from 1; what is equal shares the mean of its ranks."""
    order = sorted(range(len(values)), key=values.__getitem__)
    found, start = [0.0] * len(values), 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for at in range(start, end + 1):
            found[order[at]] = (start + end) / 2 + 1
        start = end + 1
    return found


if __name__ == "__main__":
    sys.exit(main())
