import Foundation
import Testing

@testable import granary_swiftdata

/// Runs the program in tests.
enum ToolProcess {
    /// The program, which is built beside the tests.
    static var executable: URL {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appendingPathComponent("granary-swiftdata")
    }

    /// Returns the exit code, the output and the errors of a run.
    static func run(_ arguments: [String], input: String = "") throws -> (code: Int32, output: Data, errors: String) {
        let process = Process()
        let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
        process.executableURL = executable
        process.arguments = arguments
        (process.standardInput, process.standardOutput, process.standardError) = (stdin, stdout, stderr)
        try process.run()
        try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try stdin.fileHandleForWriting.close()
        let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
        let errors = try stderr.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, output, String(decoding: errors, as: UTF8.self))
    }

    /// Returns the listing of files with these contents, which the program reads in one run.
    static func listing(of contents: [Data], options: [String] = []) throws -> SourceListing {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("granary-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let paths = try contents.enumerated().map { index, content in
            let file = folder.appendingPathComponent("\(index).swift")
            try content.write(to: file)
            return file.path
        }
        let (code, output, errors) = try run(
            options + ["--files-from", "-"], input: paths.map { "\($0)\0" }.joined())
        #expect(code == 0 && errors.isEmpty)
        let listing = try JSONDecoder().decode(SourceListing.self, from: output)
        #expect(listing.files.map(\.path) == paths)
        return listing
    }
}
