#include <sqlite3.h>

/* Swift can call neither C variadics nor the casts behind SQLITE_STATIC and SQLITE_TRANSIENT. */

/* Sets a boolean SQLITE_DBCONFIG_ option. Swift passes only boolean options. */
static inline int granary_db_config_flag(sqlite3 *db, int option, int on) {
    return sqlite3_db_config(db, option, on, (int *)0);
}

/* An empty text needs an address: SQLite would bind a null pointer as NULL instead of ''. */
static inline const char *granary_text_start(const unsigned char *bytes) {
    return bytes ? (const char *)bytes : "";
}

static inline int granary_bind_text_borrowed(
    sqlite3_stmt *statement, int index, const unsigned char *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(
        statement, index, granary_text_start(bytes), count, SQLITE_STATIC, SQLITE_UTF8);
}

static inline int granary_bind_text_copied(
    sqlite3_stmt *statement, int index, const unsigned char *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(
        statement, index, granary_text_start(bytes), count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/* SQLite would bind a null pointer as NULL instead of the empty blob. */
static inline int granary_bind_blob_borrowed(
    sqlite3_stmt *statement, int index, const unsigned char *bytes, sqlite3_uint64 count) {
    return count == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                      : sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_STATIC);
}

static inline int granary_bind_blob_copied(
    sqlite3_stmt *statement, int index, const unsigned char *bytes, sqlite3_uint64 count) {
    return count == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                      : sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/* The result of an SQL function. */
static inline void granary_result_text_copied(
    sqlite3_context *context, const unsigned char *bytes, sqlite3_uint64 count) {
    sqlite3_result_text64(context, granary_text_start(bytes), count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
