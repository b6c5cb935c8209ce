#if PostgreSQL
    /// A value that its column cannot hold.
    struct RefusedValue: Error {
        let reason: CellRefusal
        let property: String
    }
#endif
