/// Sizes and page numbers that depend on the page size: "B-tree Pages" and "Cell Payload Overflow Pages",
/// https://www.sqlite.org/fileformat2.html#b_tree_pages. Pages have no reserved bytes.
struct PageFormat: Sendable {
    let pageSize: Int

    /// The maximum payload of a table leaf cell without overflow.
    var tableLeafLimit: Int { pageSize - 35 }
    /// The maximum payload of an index cell without overflow.
    var indexLimit: Int { (pageSize - 12) * 64 / 255 - 23 }
    /// The minimum part of an overflowing payload in the page.
    private var least: Int { (pageSize - 12) * 32 / 255 - 23 }

    /// The number of bytes of a payload that are in the page itself.
    func local(_ payload: Int, limit: Int) -> Int {
        guard payload > limit else { return payload }
        let fitting = least + (payload - least) % (pageSize - 4)
        return fitting <= limit ? fitting : least
    }

    /// "The Lock-Byte Page": the page with the byte at 1 GiB, which is not used.
    var lockBytePage: UInt32 { UInt32(truncatingIfNeeded: 0x4000_0000 / pageSize + 1) }

    // MARK: "Pointer Map or Ptrmap Pages"

    /// The number of entries in one page of the pointer map.
    var pointersPerPage: Int { pageSize / 5 }

    /// The page of the pointer map with the entry of a page.
    func pointerMapPage(of page: UInt32) -> UInt32 {
        guard page >= 2 else { return 0 }
        let map = (page &- 2) / UInt32(pointersPerPage + 1) &* UInt32(pointersPerPage + 1) &+ 2
        return map == lockBytePage ? map &+ 1 : map
    }

    func isPointerMap(_ page: UInt32) -> Bool { page >= 2 && pointerMapPage(of: page) == page }
}
