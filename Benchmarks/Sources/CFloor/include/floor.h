#ifndef GRANARY_FLOOR_H
#define GRANARY_FLOOR_H

/* Loads a CSV file of 8 columns (2 integers, 1 number, 5 texts) with libcsv into a new SQLite file, in one
   transaction, checking nothing: what the two C libraries take by themselves. Returns the rows, or -1. */
long floor_import(const char *csv_path, const char *database_path);

#endif
