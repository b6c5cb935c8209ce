import Foundation

/// Reads files in worker processes. A file that ends a worker gets a problem, and another worker reads the rest.
struct IsolatedReading {
    /// The largest number of workers that fail; the files after that are not read.
    static let maximumFailures = 20

    let executable: URL
    let limits: ReadLimits

    /// Hands the JSON of each file to `add`, in the order of the paths.
    ///
    /// - Throws: The errors of `add`, or `WorkerStartError`.
    func read(_ paths: [String], add: (Data) throws -> Void) throws {
        var rest = paths[...]
        var failures = 0
        while !rest.isEmpty, failures < Self.maximumFailures {
            let worker = try WorkerProcess(executable: executable, paths: rest, limits: limits)
            while !rest.isEmpty, let line = try worker.nextLine() {
                try add(line)
                rest.removeFirst()
            }
            let (reason, status) = worker.wait()
            guard let path = rest.popFirst() else { return }
            failures += 1
            try add(failed(path, Worker.message(reason: reason, status: status, limits: limits)))
        }
        for path in rest {
            try add(failed(path, "is not read, because the parser failed at \(Self.maximumFailures) files before it"))
        }
    }

    private func failed(_ path: String, _ message: String) throws -> Data {
        var file = SourceFile(path: path)
        file.problems = [SourceProblem(place: SourcePlace(line: 1, column: 1), message: message)]
        return try FileEncoder().encode(file)
    }

    /// The file of the running program.
    static var ownExecutable: URL? {
        #if os(Linux)
            // The path of the program can have changed since its start; this link leads to the file in any case.
            return URL(fileURLWithPath: "/proc/self/exe")
        #else
            return Bundle.main.executableURL
        #endif
    }
}
