#include "floor.h"

#include <csv.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

struct load {
    sqlite3_stmt *insert;
    int column;
    long row;
};

static int no_blank(unsigned char byte) {
    (void)byte;
    return 0;
}

static void on_field(void *text, size_t count, void *context) {
    struct load *load = context;
    if (load->row > 0) {
        int parameter = load->column + 4;
        if (load->column < 2) {
            sqlite3_bind_int64(load->insert, parameter, strtoll(text, NULL, 10));
        } else if (load->column == 2) {
            sqlite3_bind_double(load->insert, parameter, strtod(text, NULL));
        } else {
            sqlite3_bind_text(load->insert, parameter, text, (int)count, SQLITE_TRANSIENT);
        }
    }
    load->column++;
}

static void on_record(int end, void *context) {
    struct load *load = context;
    (void)end;
    if (load->row > 0) {
        sqlite3_bind_int64(load->insert, 1, load->row);
        sqlite3_bind_int64(load->insert, 2, 1);
        sqlite3_bind_int64(load->insert, 3, 1);
        sqlite3_step(load->insert);
        sqlite3_reset(load->insert);
    }
    load->column = 0;
    load->row++;
}

long floor_import(const char *csv_path, const char *database_path) {
    static char buffer[1 << 16];
    struct load load = {NULL, 0, 0};
    struct csv_parser parser;
    sqlite3 *database;
    FILE *file = fopen(csv_path, "rb");
    size_t count;

    if (!file || sqlite3_open(database_path, &database) != SQLITE_OK) return -1;
    sqlite3_exec(
        database,
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA auto_vacuum = 2; CREATE TABLE ZROW (Z_PK INTEGER "
        "PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZA INTEGER, ZB INTEGER, ZC FLOAT, ZD VARCHAR, ZE VARCHAR, ZF VARCHAR, "
        "ZG VARCHAR, ZH VARCHAR); BEGIN",
        NULL, NULL, NULL);
    sqlite3_prepare_v2(
        database, "INSERT INTO ZROW VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", -1, &load.insert, NULL);
    csv_init(&parser, CSV_STRICT | CSV_APPEND_NULL);
    csv_set_space_func(&parser, no_blank);
    while ((count = fread(buffer, 1, sizeof buffer, file)) > 0) {
        if (csv_parse(&parser, buffer, count, on_field, on_record, &load) != count) return -1;
    }
    csv_fini(&parser, on_field, on_record, &load);
    csv_free(&parser);
    fclose(file);
    sqlite3_finalize(load.insert);
    sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
    sqlite3_close(database);
    return load.row - 1;
}
