import Foundation

/// Runs the built binary, as a user does.
struct Granary {
    let status: Int32
    let output: String
    let errors: String

    /// The last line on standard error.
    var ledger: String { errors.split(separator: "\n").last.map(String.init) ?? "" }

    /// Executables lie beside the test bundle: on Linux that is the process itself, on macOS the runner is told.
    private static func executable(named name: String) -> URL? {
        let arguments = ProcessInfo.processInfo.arguments
        let bundle = arguments.firstIndex(of: "--test-bundle-path").flatMap { arguments.dropFirst($0 + 1).first }
        let places = [Bundle.main.executableURL, bundle.map { URL(filePath: $0) }, Bundle.main.bundleURL]
        for place in places.compactMap({ $0 }) {
            var folder = place.deletingLastPathComponent()
            // A bundle of macOS holds its executable three folders down.
            for _ in 0..<4 {
                let candidate = folder.appending(path: name)
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
    }

    /// The path of an executable that a target of the Makefile has put beside the others; nil if there is none.
    static func path(of program: String) -> String? { executable(named: program)?.path }

    struct Missing: Error {}

    /// Runs it to its end.
    ///
    /// - Parameters:
    ///   - fileBlocks: how many blocks of 512 bytes a file may have: a disk that runs full.
    ///   - program: another executable of the package.
    ///   - script: a shell script that runs it as `"$0" "$@"`.
    static func run(
        _ arguments: [String], input: String? = nil, in folder: URL? = nil, fileBlocks: Int? = nil,
        program: String = "granary", script: String? = nil
    ) throws -> Granary {
        try start(
            arguments, input: input, in: folder, fileBlocks: fileBlocks, program: program, script: script
        ).finish()
    }

    /// Starts it, for a test that does something while it runs.
    static func start(
        _ arguments: [String], input: String? = nil, in folder: URL? = nil, fileBlocks: Int? = nil,
        program: String = "granary", script: String? = nil
    ) throws -> RunningGranary {
        guard let binary = executable(named: program) else { throw Missing() }
        let limited = fileBlocks.map { "trap '' XFSZ; ulimit -f \($0); exec \"$0\" \"$@\"" }
        guard let script = script ?? limited else {
            return try RunningGranary(binary, arguments, input: input, in: folder)
        }
        return try RunningGranary(
            URL(filePath: "/bin/sh"), ["-c", script, binary.path] + arguments, input: input, in: folder)
    }
}
