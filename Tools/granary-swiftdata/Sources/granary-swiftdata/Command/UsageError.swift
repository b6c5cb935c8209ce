/// A command line that is not understood.
struct UsageError: Error, Equatable {
    let message: String
}
