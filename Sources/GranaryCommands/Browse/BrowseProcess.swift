import Foundation
import GranaryBase

/// A running `granary-browse`. It ends when its standard input does, also if this process is killed.
final class BrowseProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    /// The port that it listens on.
    private(set) var port: UInt16 = 0

    /// Starts the program, and reads its first line: `PORT VERSION`.
    init(_ path: String, arguments: [String]) throws(GranaryError) {
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        do {
            try process.run()
        } catch {
            throw GranaryError(.inputOutput, "\(path): cannot be run: \(error.localizedDescription)", underlying: error)
        }
        let words = firstLine().split(separator: " ")
        guard words.count == 2, let port = UInt16(words[0]) else { throw failure(words.joined(separator: " "), path) }
        guard words[1] == GranaryCommand.version else {
            end()
            throw GranaryError(
                .refused, "\(path) is of another release than granary (\(words[1])); install both from one package")
        }
        self.port = port
    }

    /// A line longer than this is not of the program.
    private static let lineLimit = 4096

    private func firstLine() -> String {
        var line = Data()
        while line.count < Self.lineLimit, !line.contains(10) {
            let part = output.fileHandleForReading.availableData
            if part.isEmpty { break }
            line += part
        }
        return String(decoding: line.prefix { $0 != 10 }, as: UTF8.self)
    }

    private func failure(_ message: String, _ path: String) -> GranaryError {
        end()
        let prefix = "\(BrowseProgram.name): "
        guard message.hasPrefix(prefix) else { return GranaryError(.inputOutput, "\(path): did not start") }
        return GranaryError(.uncreatable, String(message.dropFirst(prefix.count)))
    }

    /// - Throws: ``GranaryError`` with code `inputOutput` if the program has ended.
    func checkIsRunning() throws(GranaryError) {
        guard !process.isRunning else { return }
        throw GranaryError(.inputOutput, "\(BrowseProgram.name) ended; the store is as it was")
    }

    func end() {
        try? input.fileHandleForWriting.close()
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
    }
}
