/// The reason why no worker can be started.
struct WorkerStartError: Error {
    let message: String
}
