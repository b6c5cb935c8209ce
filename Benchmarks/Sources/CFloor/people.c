#include "people.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

/* Core Data numbers the entities by their names. */
enum { ADDRESS = 1, DEPARTMENT = 2, PERSON = 3 };

static int begin(const char *path, sqlite3 **database) {
    return sqlite3_open_v2(path, database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK
        && sqlite3_exec(*database, "BEGIN", NULL, NULL, NULL) == SQLITE_OK;
}

static int end(sqlite3 *database, int good) {
    if (good) good = sqlite3_exec(database, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
    /* What is not committed is rolled back. */
    return sqlite3_close(database) == SQLITE_OK && good;
}

/* NULL where the statement is refused; SQLite answers every use of that with an error. */
static sqlite3_stmt *prepare(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement = NULL;
    sqlite3_prepare_v2(database, sql, -1, &statement, NULL);
    return statement;
}

static int run(sqlite3_stmt *statement) {
    int good = sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_reset(statement);
    return good;
}

static int bind_text(sqlite3_stmt *statement, int parameter, const char *text) {
    return sqlite3_bind_text(statement, parameter, text, (int)strlen(text), SQLITE_STATIC);
}

static int set_last_key(sqlite3 *database, int entity, long long key) {
    sqlite3_stmt *update = prepare(database, "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?");
    sqlite3_bind_int64(update, 1, key);
    sqlite3_bind_int(update, 2, entity);
    int good = run(update);
    sqlite3_finalize(update);
    return good;
}

static int insert_departments(sqlite3 *database, long count) {
    char name[40];
    int good = 1;
    sqlite3_stmt *insert =
        prepare(database, "INSERT INTO ZDEPARTMENT (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?, ?, 1, ?)");
    for (long index = 0; index < count && good; index++) {
        snprintf(name, sizeof name, "Department %ld", index);
        sqlite3_bind_int64(insert, 1, index + 1);
        sqlite3_bind_int(insert, 2, DEPARTMENT);
        bind_text(insert, 3, name);
        good = run(insert);
    }
    sqlite3_finalize(insert);
    return good && set_last_key(database, DEPARTMENT, count);
}

long floor_people_insert(
    const char *path, const struct floor_person *people, long count, long long first_key, long departments) {
    sqlite3 *database = NULL;
    int good = begin(path, &database);
    if (good && departments > 0) good = insert_departments(database, departments);
    sqlite3_stmt *insert = prepare(
        database,
        "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZMAIL, ZCITY, ZNUMBER, ZLEVEL, ZSALARY, ZHIRED, ZACTIVE, "
        "ZDEPARTMENT) VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (long index = 0; index < count && good; index++) {
        const struct floor_person *person = &people[index];
        sqlite3_bind_int64(insert, 1, first_key + index);
        sqlite3_bind_int(insert, 2, PERSON);
        bind_text(insert, 3, person->name);
        bind_text(insert, 4, person->mail);
        bind_text(insert, 5, person->city);
        sqlite3_bind_int64(insert, 6, person->number);
        sqlite3_bind_int64(insert, 7, person->level);
        sqlite3_bind_double(insert, 8, person->salary);
        sqlite3_bind_double(insert, 9, person->hired);
        sqlite3_bind_int(insert, 10, person->is_active);
        sqlite3_bind_int64(insert, 11, person->department + 1);
        good = run(insert);
    }
    sqlite3_finalize(insert);
    if (good) good = set_last_key(database, PERSON, first_key + count - 1);
    return end(database, good) ? count : -1;
}

long floor_people_update(const char *path, long count) {
    sqlite3 *database = NULL;
    int good = begin(path, &database);
    sqlite3_stmt *update = prepare(
        database,
        "UPDATE ZPERSON SET Z_OPT = Z_OPT + 1, ZLEVEL = ZLEVEL + 1, ZSALARY = ZSALARY + 100 WHERE Z_PK = ?");
    for (long key = 1; key <= count && good; key++) {
        sqlite3_bind_int64(update, 1, key);
        good = run(update);
    }
    sqlite3_finalize(update);
    return end(database, good) ? count : -1;
}

long floor_people_house(const char *path, long count) {
    char street[60];
    sqlite3 *database = NULL;
    int good = begin(path, &database);
    sqlite3_stmt *insert = prepare(
        database, "INSERT INTO ZADDRESS (Z_PK, Z_ENT, Z_OPT, ZSTREET, ZPOSTCODE) VALUES (?, ?, 1, ?, ?)");
    sqlite3_stmt *update = prepare(database, "UPDATE ZPERSON SET ZADDRESS = ? WHERE Z_PK = ?");
    for (long index = 0; index < count && good; index++) {
        snprintf(street, sizeof street, "%ld Some Street of City %ld", index % 300 + 1, index % 977);
        sqlite3_bind_int64(insert, 1, index + 1);
        sqlite3_bind_int(insert, 2, ADDRESS);
        bind_text(insert, 3, street);
        sqlite3_bind_int64(insert, 4, 10000 + index % 90000);
        /* 7919 is prime: everybody has another one, and neighbours do not live beside each other. */
        sqlite3_bind_int64(update, 1, (long long)index * 7919 % count + 1);
        sqlite3_bind_int64(update, 2, index + 1);
        good = run(insert) && run(update);
    }
    sqlite3_finalize(insert);
    sqlite3_finalize(update);
    if (good) good = set_last_key(database, ADDRESS, count);
    return end(database, good) ? count : -1;
}

static long long follow_one_by_one(sqlite3 *database) {
    long long sum = 0;
    int code;
    sqlite3_stmt *people = prepare(database, "SELECT ZLEVEL, ZADDRESS FROM ZPERSON ORDER BY Z_PK");
    sqlite3_stmt *address = prepare(database, "SELECT ZPOSTCODE, ZSTREET FROM ZADDRESS WHERE Z_PK = ?");
    while ((code = sqlite3_step(people)) == SQLITE_ROW) {
        sqlite3_bind_int64(address, 1, sqlite3_column_int64(people, 1));
        if (sqlite3_step(address) == SQLITE_ROW) {
            sqlite3_column_text(address, 1);
            sum += sqlite3_column_int64(people, 0) + sqlite3_column_int64(address, 0)
                + sqlite3_column_bytes(address, 1);
        }
        sqlite3_reset(address);
    }
    sqlite3_finalize(people);
    sqlite3_finalize(address);
    return code == SQLITE_DONE ? sum : -1;
}

static long long follow_joined(sqlite3 *database) {
    long long sum = 0;
    int code;
    sqlite3_stmt *both = prepare(
        database,
        "SELECT p.ZLEVEL, a.ZPOSTCODE, a.ZSTREET FROM ZPERSON p JOIN ZADDRESS a ON a.Z_PK = p.ZADDRESS");
    while ((code = sqlite3_step(both)) == SQLITE_ROW) {
        sqlite3_column_text(both, 2);
        sum += sqlite3_column_int64(both, 0) + sqlite3_column_int64(both, 1) + sqlite3_column_bytes(both, 2);
    }
    sqlite3_finalize(both);
    return code == SQLITE_DONE ? sum : -1;
}

long long floor_people_follow(const char *path, int joined) {
    sqlite3 *database = NULL;
    int good = begin(path, &database);
    long long sum = good ? (joined ? follow_joined(database) : follow_one_by_one(database)) : -1;
    return end(database, good) ? sum : -1;
}
