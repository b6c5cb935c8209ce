#include "scan.h"

#include <sqlite3.h>
#include <stddef.h>
#include <sys/resource.h>

static sqlite3 *open_database(const char *path) {
    sqlite3 *database = NULL;
    if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK)
        return database;
    sqlite3_close(database);
    return NULL;
}

static long long read_column(sqlite3_stmt *statement, int column) {
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: return sqlite3_column_int64(statement, column) & 1;
    case SQLITE_FLOAT: return sqlite3_column_double(statement, column) > 0;
    case SQLITE_NULL: return 0;
    default:
        /* The bytes come first: SQLite counts those of the form that was asked for last. */
        sqlite3_column_blob(statement, column);
        return sqlite3_column_bytes(statement, column);
    }
}

long floor_scan(const char *path, const char *sql, long long *sum) {
    sqlite3_stmt *statement = NULL;
    sqlite3 *database = open_database(path);
    int code = SQLITE_ERROR;
    long rows = 0;
    *sum = 0;
    if (!database) return -1;
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK) {
        int columns = sqlite3_column_count(statement);
        while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
            for (int column = 0; column < columns; column++) *sum += read_column(statement, column);
            rows++;
        }
    }
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return code == SQLITE_DONE ? rows : -1;
}

long floor_execute(const char *path, const char *sql) {
    sqlite3 *database = open_database(path);
    long changes = -1;
    if (!database) return -1;
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK) changes = sqlite3_changes(database);
    return sqlite3_close(database) == SQLITE_OK ? changes : -1;
}

double floor_cpu_seconds(void) {
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec
        + ((double)usage.ru_utime.tv_usec + (double)usage.ru_stime.tv_usec) / 1e6;
}
