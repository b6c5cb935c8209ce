import Foundation

/// Standard input, output and error.
enum StandardStreams {
    /// Returns the paths on standard input. A NUL byte ends each path; it can be missing after the last.
    static func readPaths() throws -> [String] {
        let data = try FileHandle.standardInput.readToEnd() ?? Data()
        return data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    static func write(_ text: String) throws { try write(Data(text.utf8)) }

    static func write(_ data: Data) throws { try FileHandle.standardOutput.write(contentsOf: data) }

    /// Prints an error.
    static func report(_ message: String) {
        // If standard error is closed, there is no place left for the message.
        try? FileHandle.standardError.write(contentsOf: Data("granary-swiftdata: error: \(message)\n".utf8))
    }

    /// Returns whether an error means that the reader of the output has ended.
    static func isBrokenPipe(_ error: any Error) -> Bool {
        let error = error as NSError
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
        return cause.domain == NSPOSIXErrorDomain && cause.code == Int(EPIPE)
    }
}
