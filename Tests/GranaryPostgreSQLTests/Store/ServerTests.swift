#if PostgreSQL
    import StoreTestSupport
    import TestSupport
    import Testing

    /// Tests that need a server. Where PostgreSQL is not installed, they are skipped.
    @Suite(.enabled(if: PostgreSQLServer.usable != nil, "skipped: PostgreSQL is not installed"))
    enum ServerTests {}
#endif
