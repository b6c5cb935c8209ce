"""Loads a CSV file into a database with what Python has: rivals.py csv|pandas|duckdb FILE DATABASE."""

import sqlite3
import sys

kind, path, target = sys.argv[1:4]
try:
    if kind == "pandas":
        import pandas
    elif kind == "duckdb":
        import duckdb
except ImportError:
    sys.exit(69)

if kind == "duckdb":
    database = duckdb.connect(target)
    database.execute("CREATE TABLE items AS SELECT * FROM read_csv(?, ignore_errors = true)", [path])
    database.close()
elif kind == "pandas":
    with sqlite3.connect(target) as database:
        for part in pandas.read_csv(path, chunksize=100_000):
            part.to_sql("items", database, if_exists="append", index=False)
else:
    import csv

    with open(path, newline="", encoding="utf-8") as file, sqlite3.connect(target) as database:
        reader = csv.reader(file)
        header = next(reader)
        database.execute(f"CREATE TABLE items ({', '.join(header)})")
        database.executemany(f"INSERT INTO items VALUES ({', '.join('?' * len(header))})", reader)
