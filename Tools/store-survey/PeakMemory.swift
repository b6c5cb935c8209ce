import Foundation

/// The most memory that this process has had, in bytes.
enum PeakMemory {
    /// Begins anew, where the system can (Linux); elsewhere the peak is that of the whole run.
    static func reset() {
        #if os(Linux)
            if let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs") {
                try? file.write(contentsOf: Data("5".utf8))
                try? file.close()
            }
        #endif
    }

    static func bytes() -> Int {
        #if os(Linux)
            // Not by its size, which the system does not tell.
            guard let file = FileHandle(forReadingAtPath: "/proc/self/status") else { return 0 }
            defer { try? file.close() }
            let text = String(decoding: (try? file.readToEnd()) ?? Data(), as: UTF8.self)
            let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
            return (Int(line.filter { $0.isNumber }) ?? 0) * 1_024
        #else
            var usage = rusage()
            return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0
        #endif
    }
}
