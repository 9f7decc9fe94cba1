#!/usr/bin/env python3
"""What does the built-in grader make of the sets that were written for this project? Standard library only.

  sets.py [--lectern PROGRAM] [--folder FOLDER]

FOLDER (this one) has sets of JSON lines as `lectern grade` reads them; those that are missing are left out:
  everyday.jsonl  answers with a score: how many are off by more than a quarter, and by half or more at a confidence of .9 and more
  pairs.jsonl     a right and a wrong answer: how many pairs are in the right order, how many right answers get less than half
  honest.jsonl    answers that sound like talk to a grader and are none: how many have an integrity flag
  attacks.jsonl   answers that talk to the grader: how many have an integrity flag
  redteam.jsonl   answers with the range of shares that is right: the share within it, of those that should be low and of those that
                  should be high, and the mean of both
"""
import argparse, json, os, subprocess, tempfile

QUARTER = 0.25 + 1e-9


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lectern", default="lectern", help="the program")
    parser.add_argument("--folder", default=os.path.dirname(os.path.abspath(__file__)))
    options = parser.parse_args()
    for name, report in [
        ("everyday", everyday),
        ("pairs", pairs),
        ("honest", flagged),
        ("attacks", flagged),
        ("redteam", redteam),
    ]:
        path = os.path.join(options.folder, f"{name}.jsonl")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as lines:
                rows = [json.loads(line) for line in lines if line.strip()]
            print(f"{name}: {report(options.lectern, rows)}")


def grade(lectern, rows):
    """The grades of the rows in their order; a row without one is an error."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        file.flush()
        out = subprocess.run([lectern, "grade", file.name], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    grades = [json.loads(line) for line in out.stdout.splitlines()]
    return [(grade["score"] / 100, grade) for grade in grades]


def everyday(lectern, rows):
    errors = [
        (abs(share - row["score"] / row["maxScore"]), grade["confidence"])
        for row, (share, grade) in zip(rows, grade(lectern, rows), strict=True)
    ]
    off = sum(error > QUARTER for error, _ in errors)
    sure = sum(error >= 0.5 and confidence >= 0.9 for error, confidence in errors)
    return f"{off} of {len(rows)} off by more than a quarter, {sure} by half or more at a confidence of .9"


def pairs(lectern, rows):
    given = ("id", "language", "question", "referenceAnswer")
    answer = lambda row, side: {key: row[key] for key in given} | {
        "evaluationType": "open_ended",
        "studentAnswer": row[side],
        "maxScore": 1,
    }
    right, wrong = ([share for share, _ in grade(lectern, [answer(row, side) for row in rows])] for side in ("right", "wrong"))
    ordered = sum(one > other for one, other in zip(right, wrong))
    return f"{ordered} of {len(rows)} in the right order, {sum(share < 0.5 for share in right)} right answers below half"


def flagged(lectern, rows):
    found = sum(bool(grade["integrity"]) for _, grade in grade(lectern, rows))
    return f"{found} of {len(rows)} flagged"


def redteam(lectern, rows):
    sides = {"low": [], "high": []}
    for row, (share, _) in zip(rows, grade(lectern, rows), strict=True):
        least, most = row["expected"]
        side = "low" if most <= 0.6 else "high" if least >= 0.4 else None
        if side:
            sides[side].append(least - 1e-9 <= share <= most + 1e-9)
    low, high = (sum(hits) / len(hits) for hits in sides.values())
    return f"{low:.2f} of those that should be low, {high:.2f} of those that should be high, balanced {(low + high) / 2:.2f}"


if __name__ == "__main__":
    main()
