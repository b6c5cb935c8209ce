/// What readers refuse, so that no file can make them overflow the stack, fill memory or run for hours.
///
/// Each error names the limit that was met.
package struct PropertyListLimits: Sendable {
    /// How deep arrays and dictionaries may stand in each other. Holds for events and trees.
    package var depth = 512
    /// How much a tree may hold: one for a value and one more for each 64 bytes of its text or data.
    package var treeSize = 10_000_000
    /// How many objects a walk over a binary list may visit, counted as ``treeSize`` is. The limit is never below the file's
    /// byte count: a list that refers to each object once visits fewer. Without a limit, a small file with shared references
    /// could take exponential time.
    package var walkSize = 2_000_000
    /// The bytes of one text, key or data value.
    package var valueBytes = 1 << 30
    /// The bytes of a file that has to be in memory whole: a binary list.
    package var fileBytes = 1 << 32

    package init() {}

    package static let standard = PropertyListLimits()
}
