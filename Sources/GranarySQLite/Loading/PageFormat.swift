/// Sizes that follow from the page size: "B-tree Pages" and "Cell Payload Overflow Pages",
/// https://www.sqlite.org/fileformat2.html#b_tree_pages. Pages have no reserved bytes.
struct PageFormat: Sendable {
    let pageSize: Int

    /// The largest payload that lies in a table leaf whole.
    var tableLeafLimit: Int { pageSize - 35 }
    /// The largest payload that lies in an index page whole.
    var indexLimit: Int { (pageSize - 12) * 64 / 255 - 23 }
    /// The least that stays in the page of a payload that overflows.
    private var least: Int { (pageSize - 12) * 32 / 255 - 23 }

    /// How many bytes of a payload lie in the page itself.
    func local(_ payload: Int, limit: Int) -> Int {
        guard payload > limit else { return payload }
        let fitting = least + (payload - least) % (pageSize - 4)
        return fitting <= limit ? fitting : least
    }

    /// "The Lock-Byte Page": the page that holds the byte at 1 GiB is not used.
    var lockBytePage: UInt32 { UInt32(truncatingIfNeeded: 0x4000_0000 / pageSize + 1) }

    // MARK: "Pointer Map or Ptrmap Pages"

    /// How many pages one page of the pointer map tells of.
    var pointersPerPage: Int { pageSize / 5 }

    /// The page of the pointer map that tells of a page.
    func pointerMapPage(of page: UInt32) -> UInt32 {
        guard page >= 2 else { return 0 }
        let map = (page &- 2) / UInt32(pointersPerPage + 1) &* UInt32(pointersPerPage + 1) &+ 2
        return map == lockBytePage ? map &+ 1 : map
    }

    func isPointerMap(_ page: UInt32) -> Bool { page >= 2 && pointerMapPage(of: page) == page }
}

/// What a page is for, in the pointer map of a database with auto-vacuum.
struct PagePointer: Sendable, BitwiseCopyable {
    enum Kind: UInt8 {
        case root = 1
        case free = 2
        /// The first page of an overflow chain; its parent is the B-tree page with the cell.
        case firstOverflow = 3
        /// A further page of the chain; its parent is the one before.
        case furtherOverflow = 4
        /// A page of a B-tree that is no root.
        case tree = 5
    }

    var kind: UInt8
    var parent: UInt32
}
