/// The reason why a file is not read.
struct FileReadError: Error {
    let message: String
}
