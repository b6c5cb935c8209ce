import GranaryBase
import GranaryPropertyLists

/// How large the property list of a Transformable attribute may be: an archive of few bytes can name the same object so
/// often that it would fill memory.
struct PropertyListBudget {
    /// Collections inside each other. Swift frees nested values by recursion, so a deep one would overflow the stack.
    static let depth = 128
    /// Values that any archive may hold, whatever its size.
    private static let freeSize = 100_000

    private(set) var size = 0
    private let limit: Int

    /// - Parameter archiveBytes: the size of the archive; each byte allows for one more value.
    init(archiveBytes: Int) { limit = Self.freeSize + archiveBytes }

    /// Without a limit yet: the archive is still to be written.
    init() { limit = .max }

    /// Counts a value, and one more for each 64 bytes of its text or data.
    mutating func charge(bytes: Int = 0) throws(GranaryError) {
        let (sum, overflow) = size.addingReportingOverflow(1 + bytes / 64)
        guard !overflow, sum <= limit else { throw Self.tooLarge(limit) }
        size = sum
    }

    /// Whether what was counted can be read again from an archive of that size.
    func check(archiveBytes: Int) throws(GranaryError) {
        let limit = Self.freeSize + archiveBytes
        guard size <= limit else { throw Self.tooLarge(limit) }
    }

    static func checkDepth(_ levels: Int) throws(GranaryError) {
        guard levels < depth else {
            throw GranaryError(
                Diagnostic(
                    .limitExceeded, "collections stand deeper in each other than \(depth) levels, the limit"))
        }
    }

    /// The limits for an archive in XML, which is read as a tree before it becomes a table.
    static func listLimits(archiveBytes: Int) -> PropertyListLimits {
        var limits = PropertyListLimits()
        limits.depth = depth
        limits.treeSize = freeSize + archiveBytes
        return limits
    }

    private static func tooLarge(_ limit: Int) -> GranaryError {
        GranaryError(
            Diagnostic(
                .limitExceeded,
                "the value holds more than \(limit) values (64 bytes of text or data count as one), the limit "
                    + "for an archive of its size"))
    }
}
