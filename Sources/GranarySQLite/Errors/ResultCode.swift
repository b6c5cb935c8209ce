internal import GranaryCSQLite

/// A result code of SQLite, primary or extended (https://www.sqlite.org/rescode.html).
package struct ResultCode: RawRepresentable, Sendable, Hashable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// The primary code: the lowest byte. An extended code has the details in the higher bytes.
    package var primary: ResultCode { ResultCode(rawValue: rawValue & 0xFF) }

    // Primary codes.
    package static let error = Self(rawValue: SQLITE_ERROR)
    package static let permission = Self(rawValue: SQLITE_PERM)
    package static let busy = Self(rawValue: SQLITE_BUSY)
    package static let locked = Self(rawValue: SQLITE_LOCKED)
    package static let outOfMemory = Self(rawValue: SQLITE_NOMEM)
    package static let readOnly = Self(rawValue: SQLITE_READONLY)
    package static let interrupted = Self(rawValue: SQLITE_INTERRUPT)
    package static let inputOutput = Self(rawValue: SQLITE_IOERR)
    package static let corrupt = Self(rawValue: SQLITE_CORRUPT)
    package static let full = Self(rawValue: SQLITE_FULL)
    package static let cannotOpen = Self(rawValue: SQLITE_CANTOPEN)
    package static let tooBig = Self(rawValue: SQLITE_TOOBIG)
    package static let constraint = Self(rawValue: SQLITE_CONSTRAINT)
    package static let mismatch = Self(rawValue: SQLITE_MISMATCH)
    package static let misuse = Self(rawValue: SQLITE_MISUSE)
    package static let range = Self(rawValue: SQLITE_RANGE)
    package static let authorization = Self(rawValue: SQLITE_AUTH)
    package static let notADatabase = Self(rawValue: SQLITE_NOTADB)

    // Extended codes. Swift does not import these macros because they are expressions.
    package static let constraintCheck = extended(SQLITE_CONSTRAINT, 1)
    package static let constraintForeignKey = extended(SQLITE_CONSTRAINT, 3)
    package static let constraintNotNull = extended(SQLITE_CONSTRAINT, 5)
    package static let constraintPrimaryKey = extended(SQLITE_CONSTRAINT, 6)
    package static let constraintTrigger = extended(SQLITE_CONSTRAINT, 7)
    package static let constraintUnique = extended(SQLITE_CONSTRAINT, 8)
    package static let constraintRowID = extended(SQLITE_CONSTRAINT, 10)
    package static let cannotOpenFolder = extended(SQLITE_CANTOPEN, 2)

    private static func extended(_ primary: Int32, _ detail: Int32) -> ResultCode {
        ResultCode(rawValue: primary | detail << 8)
    }
}
