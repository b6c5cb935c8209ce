import Foundation

/// How much one run of the tests covers.
public enum TestDepth {
    /// Whether tests that run on several kinds of stores use all of them: `GRANARY_STORES=all`.
    public static let usesAllStores = ProcessInfo.processInfo.environment["GRANARY_STORES"] == "all"
}
