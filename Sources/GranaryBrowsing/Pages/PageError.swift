/// A page that cannot be shown.
struct PageError: Error {
    /// The status of HTTP.
    let status: Int
    /// A sentence for the reader.
    let message: String

    init(_ status: Int, _ message: String) {
        self.status = status
        self.message = message
    }
}
