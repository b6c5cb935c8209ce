import Foundation

/// The splitter for delimited files. (`--tokenizer`)
package enum CSVSplitting: String, Sendable, CaseIterable {
    /// Granary's own splitter, which looks at 64 bytes at a time.
    case native
    /// The library libcsv.
    case libcsv

    /// The value of the environment variable `GRANARY_TOKENIZER`; ``native`` if it is not set.
    package static let standard =
        ProcessInfo.processInfo.environment["GRANARY_TOKENIZER"].flatMap(CSVSplitting.init) ?? .native
}
