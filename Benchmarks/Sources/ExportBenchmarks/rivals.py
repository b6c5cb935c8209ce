"""What others take to write a query's rows to a file: rivals.py KIND FORMAT DATABASE OUTPUT SQL.

KIND is sqlite-utils (its command `query`), duckdb-store (DuckDB reads the store with its extension for SQLite) or
duckdb-table (a table of a database of DuckDB). FORMAT is csv, json or ndjson.

rivals.py fill STORE CSV DATABASE prepares the last: if the extension does not read the store, it fills the table ZROW of
a new database from the CSV file. The extension is that of the package duckdb-extension-sqlite-scanner, or one that
DuckDB has installed before; nothing is downloaded.

Exits with 69 if the library is not installed.
"""

import glob
import os
import sys

kind, arguments = sys.argv[1], sys.argv[2:]


def connect(database=":memory:"):
    try:
        import duckdb
    except ImportError:
        sys.exit(69)
    connection = duckdb.connect(database)
    connection.execute("SET autoinstall_known_extensions = false")
    return connection


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def attach(connection, store):
    """Attaches the store; an exception if there is no extension for SQLite."""
    import duckdb

    extension = "sqlite"
    try:
        import duckdb_extension_sqlite_scanner as package

        folder = os.path.join(os.path.dirname(package.__file__), "extensions", "v" + duckdb.__version__)
        extension = quoted(glob.glob(os.path.join(folder, "*.duckdb_extension"))[0])
    except (ImportError, IndexError):
        pass
    connection.execute(f"LOAD {extension}")
    connection.execute(f"ATTACH {quoted(store)} AS store (TYPE sqlite, READ_ONLY)")
    connection.execute("USE store")


def fill(store, rows, database):
    connection = connect()
    try:
        attach(connection, store)
        connection.execute("SELECT max(epoch(ZDAY)), max(ZNAME) FROM ZROW").fetchall()
    except Exception as problem:
        print(problem, file=sys.stderr)
        with connect(database) as own:
            own.execute(
                "CREATE TABLE ZROW AS SELECT number AS ZNUMBER, small AS ZSMALL, price AS ZPRICE, flag AS ZFLAG, "
                "epoch(CAST(day AS TIMESTAMP)) - 978307200 AS ZDAY, email AS ZEMAIL, name AS ZNAME, note AS ZNOTE "
                f"FROM read_csv({quoted(rows)})"
            )


def copy(format, database, target, sql):
    connection = connect() if kind == "duckdb-store" else connect(database)
    if kind == "duckdb-store":
        attach(connection, database)
    options = {"csv": "FORMAT csv, HEADER", "json": "FORMAT json, ARRAY", "ndjson": "FORMAT json"}[format]
    connection.execute(f"COPY ({sql}) TO {quoted(target)} ({options})")


def query(format, database, target, sql):
    try:
        from sqlite_utils.cli import cli
    except ImportError:
        sys.exit(69)
    # The command writes to standard output.
    file = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.dup2(file, 1)
    cli(["query", database, sql] + {"csv": ["--csv"], "json": [], "ndjson": ["--nl"]}[format])


if kind == "fill":
    fill(*arguments)
elif kind == "sqlite-utils":
    query(*arguments)
else:
    copy(*arguments)
