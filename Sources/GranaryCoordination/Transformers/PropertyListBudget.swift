import GranaryBase
import GranaryPropertyLists

/// The size limit of a Transformable attribute's property list. A small archive can refer to one object so often that
/// its value would fill memory.
struct PropertyListBudget {
    /// The maximum number of nested collections. Swift frees nested values by recursion, so deep nesting would overflow
    /// the stack.
    static let depth = 128
    /// The number of values that every archive may hold, whatever its size.
    private static let freeSize = 100_000

    private(set) var size = 0
    private let limit: Int

    /// - Parameter archiveBytes: the size of the archive; each byte allows for one more value.
    init(archiveBytes: Int) { limit = Self.freeSize + archiveBytes }

    /// Creates a budget without a limit, because the archive does not exist yet.
    init() { limit = .max }

    /// Counts a value, and one more for each 64 bytes of its text or data.
    mutating func charge(bytes: Int = 0) throws(GranaryError) {
        let (sum, overflow) = size.addingReportingOverflow(1 + bytes / 64)
        guard !overflow, sum <= limit else { throw Self.tooLarge(limit) }
        size = sum
    }

    /// Checks that an archive of that size can be read again with the counted values.
    func check(archiveBytes: Int) throws(GranaryError) {
        let limit = Self.freeSize + archiveBytes
        guard size <= limit else { throw Self.tooLarge(limit) }
    }

    static func checkDepth(_ levels: Int) throws(GranaryError) {
        guard levels < depth else {
            throw GranaryError(
                Diagnostic(
                    .limitExceeded, "collections are nested deeper than the limit of \(depth)"))
        }
    }

    /// The limits for an XML archive, which is read as a tree first.
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
