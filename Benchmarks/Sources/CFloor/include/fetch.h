#ifndef GRANARY_FETCH_H
#define GRANARY_FETCH_H

/* A fetch as plain SQL: the statement is prepared, stepped to its end, and every column of every row is read. Nothing
   is kept. The connection stays open between fetches. */

struct sqlite3;

/* NULL where SQLite refuses the file. */
struct sqlite3 *floor_fetch_open(const char *path);

void floor_fetch_close(struct sqlite3 *database);

/* What a row adds to the sum. */
enum {
    /* Its first column. */
    FLOOR_FETCH_FIRST = 0,
    /* The age of a person. */
    FLOOR_FETCH_AGE = 1,
    /* All eight attributes of a person, texts by their bytes. */
    FLOOR_FETCH_ALL = 2,
};

/* The columns of people are name, age, salary, email, city, hired, active, score; more columns may follow. Sets the
   sum, in which the order of the rows counts. Returns the rows, or -1 when SQLite refuses something. */
long floor_fetch(struct sqlite3 *database, const char *sql, int contents, unsigned long long *sum);

#endif
