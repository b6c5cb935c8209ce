package import GranaryBase

/// Whether this build can open PostgreSQL stores.
package enum PostgreSQLSupport {
    #if PostgreSQL
        package static let isIncluded = true
    #else
        package static let isIncluded = false
    #endif

    /// Whether a transaction failed only because another one changed the same rows or waited for the same locks
    /// (SQLSTATE 40001, 40P01). It was rolled back, and the same work can succeed in a new one.
    package static func isConflict(_ error: GranaryError) -> Bool {
        #if PostgreSQL
            var error: (any Error)? = error
            while let found = error as? GranaryError { error = found.underlying }
            return (error as? PostgreSQLError)?.isConflict ?? false
        #else
            return false
        #endif
    }

    /// The error of a build without the trait.
    static func notIncluded() -> GranaryError {
        GranaryError(
            .usage,
            "this build of Granary cannot open PostgreSQL stores: install libpq (Debian: apt-get install libpq-dev, macOS: "
                + "brew install libpq) and build with swift build --traits PostgreSQL, or with make, which uses libpq if "
                + "pkg-config finds it")
    }
}
