/// What the reading of one file may use.
struct ReadLimits: Equatable, Sendable {
    /// The largest size of a file in megabytes. A file of 36 MB with a million lines takes 14 s and 2.7 GB.
    var fileMegabytes = 40
    /// The time to read one file in seconds.
    var seconds = 120
    /// The address space in megabytes, with the 512 MB of the stack.
    var memoryMegabytes = 4096

    var fileBytes: Int { fileMegabytes << 20 }
}
