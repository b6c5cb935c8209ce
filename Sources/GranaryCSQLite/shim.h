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

/* Reads bytes of the database file through the file handle of the connection. Another descriptor of the same file would
   release the connection's locks when it is closed. */
static inline int granary_read_database_file(sqlite3 *db, void *bytes, int count, sqlite3_int64 offset) {
    sqlite3_file *file = 0;
    if (sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return SQLITE_MISUSE;
    if (!file || !file->pMethods) return SQLITE_MISUSE;
    return file->pMethods->xRead(file, bytes, count, offset);
}

/* The size of the database file, or of its rollback journal or write-ahead log; -1 if it is not open. */
static inline sqlite3_int64 granary_file_size(sqlite3 *db, int isJournal) {
    sqlite3_file *file = 0;
    sqlite3_int64 size = 0;
    const int operation = isJournal ? SQLITE_FCNTL_JOURNAL_POINTER : SQLITE_FCNTL_FILE_POINTER;
    if (sqlite3_file_control(db, "main", operation, &file) != SQLITE_OK) return -1;
    if (!file || !file->pMethods || file->pMethods->xFileSize(file, &size) != SQLITE_OK) return -1;
    return size;
}

/* The text of a number as the conversion to TEXT gives it. */
static inline void granary_real_text(double number, char *text, int size) {
    sqlite3_snprintf(size, text, "%!.15g", number);
}
