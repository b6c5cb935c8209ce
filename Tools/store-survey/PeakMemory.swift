import Foundation

/// The peak memory of this process, in bytes.
enum PeakMemory {
    /// Resets the peak on Linux; elsewhere the peak covers the whole run.
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
            // Files in /proc have no size, so the file is read to its end.
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
