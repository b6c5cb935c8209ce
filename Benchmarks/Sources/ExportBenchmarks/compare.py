"""Compares two exports: compare.py FORMAT STEP A B. FORMAT is csv, json or ndjson.

Counts the rows of both, and compares the values of every STEPth row. Equal are the forms that programs give one value:
1 and true, seconds since 2001 and a date, 5 and 5.0, NULL and the empty field of CSV. Numbers may differ by the last of
15 digits. Exits with 1 and the first difference if the files are not equal.
"""

import csv
import datetime
import itertools
import json
import sys

format, step, paths = sys.argv[1], int(sys.argv[2]), sys.argv[3:5]
EPOCH = datetime.datetime(2001, 1, 1, tzinfo=datetime.timezone.utc)


def objects(path):
    """The rows as dictionaries, and None for those that are not compared."""
    with open(path, newline="", encoding="utf-8") as file:
        if format == "csv":
            reader = csv.reader(file)
            header = next(reader)
            for number, row in enumerate(reader):
                yield dict(zip(header, row)) if number % step == 0 else None
        else:
            # All of them write one object a line.
            number = 0
            for line in file:
                if "{" in line:
                    text = line[line.index("{") : line.rindex("}") + 1]
                    yield json.loads(text) if number % step == 0 else None
                    number += 1


def number(value):
    if isinstance(value, (bool, int, float)):
        return float(value)
    if value in ("true", "false"):
        return float(value == "true")
    try:
        return float(value)
    except (TypeError, ValueError):
        pass
    try:
        date = datetime.datetime.strptime(value, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=datetime.timezone.utc)
        return (date - EPOCH).total_seconds()
    except (TypeError, ValueError):
        return None


def same(a, b):
    if a == b:
        return True
    if a is None or b is None:
        return False
    a, b = number(a), number(b)
    return a is not None and b is not None and abs(a - b) <= 1e-14 * max(abs(a), abs(b))


def stop(text):
    print(text)
    sys.exit(1)


count = 0
for a, b in itertools.zip_longest(*map(objects, paths), fillvalue=False):
    count += 1
    if a is False or b is False:
        stop(f"only one of the files has row {count}")
    if a is None:
        continue
    if a.keys() != b.keys():
        stop(f"columns {list(a)} and {list(b)}")
    for column in a:
        if not same(a[column], b[column]):
            stop(f"row {count}, {column}: {a[column]!r} and {b[column]!r}")
if count == 0:
    stop("no rows")
