/// Limits of the readers, so that no file can overflow the stack, fill memory or take hours.
///
/// The error about an exceeded limit has its value.
package struct PropertyListLimits: Sendable {
    /// The maximum nesting depth of arrays and dictionaries, for events and trees.
    package var depth = 512
    /// The maximum size of a tree: one for each value and one for each 64 bytes of text or data.
    package var treeSize = 10_000_000
    /// The maximum size of a walk over a binary list, counted as ``treeSize``. The limit is at least the file's byte
    /// count, because a list without shared references always has fewer objects. Without a limit, a small file with
    /// shared references could take exponential time.
    package var walkSize = 2_000_000
    /// The maximum size of one text, key or data value, in bytes.
    package var valueBytes = 1 << 30
    /// The maximum size of a file that is read whole, in bytes: a binary list.
    package var fileBytes = 1 << 32

    package init() {}

    package static let standard = PropertyListLimits()
}
