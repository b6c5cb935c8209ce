import Foundation
import GranaryBase

/// Runs `granary-swiftdata`, which parses Swift with swift-syntax.
///
/// A process of its own keeps swift-syntax out of the library and of `granary`, and bounds what a hostile source can do
/// (docs/decisions/0049-swift-sources.md).
enum SwiftDataTool {
    static let name = "granary-swiftdata"
    /// The variable of the environment with the path of the tool.
    static let variable = "GRANARY_SWIFTDATA"
    /// The maximum time in seconds. A million lines take less than a tenth of it.
    static let timeLimit = 300.0
    /// The maximum size of the listing in bytes.
    static let outputLimit = 1 << 30

    /// The declarations in files, in the order of the files.
    ///
    /// - Throws: ``GranaryError``: `unreadable` if the tool is missing; `refused` if it fails, does not end in time, or
    ///   is of another release; `interrupted` if the command is cancelled.
    static func listing(of files: [String]) throws(GranaryError) -> SourceListing {
        guard !files.isEmpty else { return SourceListing(files: []) }
        #if os(macOS) || os(Linux)
            return try decoded(try output(of: try path(), files), files)
        #else
            throw GranaryError(.unreadable, "this platform cannot run \(name), which reads Swift sources")
        #endif
    }

    private static func decoded(_ output: Data, _ files: [String]) throws(GranaryError) -> SourceListing {
        let listing: SourceListing
        do {
            listing = try JSONDecoder().decode(SourceListing.self, from: output)
        } catch {
            throw otherRelease
        }
        guard listing.format == SourceListing.currentFormat, listing.files.map(\.path) == files else {
            throw otherRelease
        }
        return listing
    }

    private static var otherRelease: GranaryError {
        GranaryError(.refused, "\(name) is of another release than granary; install both from one package")
    }

    #if os(macOS) || os(Linux)
        private static func path() throws(GranaryError) -> String {
            try CompanionProgram(name: name, variable: variable, purpose: "reads Swift sources", target: "swiftdata")
                .path()
        }

        private static func output(of tool: String, _ files: [String]) throws(GranaryError) -> Data {
            let folder = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString)")
            do {
                return try output(of: tool, files, in: folder)
            } catch let error as GranaryError {
                throw error
            } catch {
                throw GranaryError(
                    .inputOutput, "\(tool): cannot be run: \(error.localizedDescription)", underlying: error)
            }
        }

        /// Input and output are files, because a pipe that nobody empties would block the tool.
        private static func output(of tool: String, _ files: [String], in folder: URL) throws -> Data {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(at: folder) }
            let input = folder.appending(path: "files")
            let output = folder.appending(path: "listing")
            try Data(files.joined(separator: "\0").utf8).write(to: input)
            try Data().write(to: output)
            let process = Process()
            process.executableURL = URL(filePath: tool)
            process.arguments = ["--files-from", "-"]
            process.standardInput = try FileHandle(forReadingFrom: input)
            process.standardOutput = try FileHandle(forWritingTo: output)
            process.standardError = FileHandle.nullDevice
            try process.run()
            try wait(for: process, output)
            guard process.terminationReason == .exit, process.terminationStatus == 0 else {
                throw GranaryError(
                    .refused,
                    "\(tool): ended with \(process.terminationStatus) while it read \(files.count) Swift files")
            }
            try checkSize(output)
            return try Data(contentsOf: output)
        }

        private static func checkSize(_ output: URL) throws {
            guard let size = FileStatus(path: output.path(percentEncoded: false))?.size, size > outputLimit else {
                return
            }
            throw GranaryError(.refused, "the Swift files have too many declarations; name the files of the models")
        }

        private static func wait(for process: Process, _ output: URL) throws {
            let start = ContinuousClock.now
            while process.isRunning {
                do { try checkSize(output) } catch {
                    process.terminate()
                    process.waitUntilExit()
                    throw error
                }
                let isLate = ContinuousClock.now - start > .seconds(timeLimit)
                if isLate || Cancellation.current?.isCancelled == true {
                    process.terminate()
                    process.waitUntilExit()
                    try Cancellation.current?.check()
                    throw GranaryError(
                        .refused,
                        "\(name) did not end in \(Int(timeLimit)) seconds; name the files that declare the models")
                }
                usleep(2_000)
            }
        }
    #endif
}
