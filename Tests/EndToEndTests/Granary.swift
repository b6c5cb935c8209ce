import Foundation

/// Runs the built binary, as a user does.
struct Granary {
    let status: Int32
    let output: String
    let errors: String

    /// The last line on standard error.
    var ledger: String { errors.split(separator: "\n").last.map(String.init) ?? "" }

    /// The executable lies beside the test bundle: on Linux that is the process itself, on macOS the runner is told.
    private static let binary: URL? = {
        let arguments = ProcessInfo.processInfo.arguments
        let bundle = arguments.firstIndex(of: "--test-bundle-path").flatMap { arguments.dropFirst($0 + 1).first }
        let places = [Bundle.main.executableURL, bundle.map { URL(filePath: $0) }, Bundle.main.bundleURL]
        for place in places.compactMap({ $0 }) {
            var folder = place.deletingLastPathComponent()
            // A bundle of macOS holds its executable three folders down.
            for _ in 0..<4 {
                let candidate = folder.appending(path: "granary")
                var isFolder: ObjCBool = false
                if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder), !isFolder.boolValue,
                    FileManager.default.isExecutableFile(atPath: candidate.path)
                {
                    return candidate
                }
                folder.deleteLastPathComponent()
            }
        }
        return nil
    }()

    struct Missing: Error {}

    /// - Parameter fileBlocks: how many blocks of 512 bytes a file may have: a disk that runs full.
    static func run(
        _ arguments: [String], input: String? = nil, in folder: URL? = nil, fileBlocks: Int? = nil
    ) throws -> Granary {
        guard let binary else { throw Missing() }
        let scratch = FileManager.default.temporaryDirectory.appending(path: "granary-run-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        // Files rather than pipes: however much is printed, nobody waits for a reader.
        let files = ["out", "err", "in"].map { scratch.appending(path: $0) }
        for file in files { try Data((file.lastPathComponent == "in" ? input ?? "" : "").utf8).write(to: file) }
        let process = Process()
        if let fileBlocks {
            process.executableURL = URL(filePath: "/bin/sh")
            let script = "trap '' XFSZ; ulimit -f \(fileBlocks); exec \"$0\" \"$@\""
            process.arguments = ["-c", script, binary.path] + arguments
        } else {
            process.executableURL = binary
            process.arguments = arguments
        }
        if let folder { process.currentDirectoryURL = folder }
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        process.standardInput = try FileHandle(forReadingFrom: files[2])
        try process.run()
        process.waitUntilExit()
        return Granary(
            status: process.terminationStatus,
            output: String(decoding: try Data(contentsOf: files[0]), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self))
    }
}
