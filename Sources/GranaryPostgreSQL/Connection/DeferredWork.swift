#if PostgreSQL
    /// Work that waits until the connection is needed for something else: a COPY that still takes rows, or changes that are
    /// sent together.
    protocol DeferredWork: AnyObject {
        func complete() throws
        /// Ends the work, because the transaction is rolled back.
        func abandon()
    }
#endif
