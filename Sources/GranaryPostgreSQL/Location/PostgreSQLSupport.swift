import GranaryBase

/// Whether this build can open PostgreSQL stores.
package enum PostgreSQLSupport {
    #if PostgreSQL
        package static let isIncluded = true
    #else
        package static let isIncluded = false
    #endif

    /// The error of a build without the trait.
    static func notIncluded() -> GranaryError {
        GranaryError(
            .usage,
            "this build of Granary cannot open PostgreSQL stores: install libpq (Debian: apt-get install libpq-dev, macOS: "
                + "brew install libpq) and build with swift build --traits PostgreSQL, or with make, which uses libpq if "
                + "pkg-config finds it")
    }
}
