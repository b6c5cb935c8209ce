#include <stddef.h>
#include "fetch.h"

#include <sqlite3.h>

enum { NAME, AGE, SALARY, EMAIL, CITY, HIRED, ACTIVE, SCORE, ATTRIBUTES };

struct sqlite3 *floor_fetch_open(const char *path) {
    sqlite3 *database = NULL;
    if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK)
        return database;
    sqlite3_close(database);
    return NULL;
}

void floor_fetch_close(struct sqlite3 *database) { sqlite3_close(database); }

static long long text_bytes(sqlite3_stmt *statement, int column) {
    /* The text comes first: SQLite counts the bytes of the form that was asked for last. */
    sqlite3_column_text(statement, column);
    return sqlite3_column_bytes(statement, column);
}

static long long read_person(sqlite3_stmt *statement, int columns, int contents) {
    long long age = sqlite3_column_int64(statement, AGE);
    long long all = text_bytes(statement, NAME) + age + (long long)sqlite3_column_double(statement, SALARY)
        + text_bytes(statement, EMAIL) + text_bytes(statement, CITY)
        + (long long)sqlite3_column_double(statement, HIRED) + (sqlite3_column_int(statement, ACTIVE) != 0)
        + sqlite3_column_int64(statement, SCORE);
    for (int column = ATTRIBUTES; column < columns; column++) sqlite3_column_int64(statement, column);
    return contents == FLOOR_FETCH_ALL ? all : age;
}

long floor_fetch(struct sqlite3 *database, const char *sql, int contents, unsigned long long *sum) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) return -1;
    int columns = sqlite3_column_count(statement);
    int code = SQLITE_ERROR;
    long rows = 0;
    *sum = 0;
    if (contents == FLOOR_FETCH_FIRST ? columns >= 1 : columns >= ATTRIBUTES) {
        while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
            long long number = contents == FLOOR_FETCH_FIRST ? sqlite3_column_int64(statement, 0)
                                                             : read_person(statement, columns, contents);
            *sum = *sum * 31 + (unsigned long long)number;
            rows++;
        }
    }
    sqlite3_finalize(statement);
    return code == SQLITE_DONE ? rows : -1;
}
