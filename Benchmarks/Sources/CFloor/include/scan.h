#ifndef GRANARY_SCAN_H
#define GRANARY_SCAN_H

/* An export without its output: the file is opened, the statement is stepped to its end, and every column of every row
   is read in its own type. Sets the sum of the texts' and blobs' bytes, the lowest bits of the integers and the number of
   positive doubles. Returns the rows, or -1 when SQLite refuses something. */
long floor_scan(const char *path, const char *sql, long long *sum);

/* Runs one statement that changes rows. Returns how many, or -1 when SQLite refuses something. */
long floor_execute(const char *path, const char *sql);

/* The seconds that processors have worked for this process. */
double floor_cpu_seconds(void);

#endif
