/// Builds the B-tree of an index from its sorted entries: "B-tree Pages" and "Representation Of SQL Indices",
/// https://www.sqlite.org/fileformat2.html#b_tree_pages. Each entry is in a leaf or, as a separator of two pages, in an
/// interior page.
///
/// `@exclusivity(unchecked)` is safe here and in the other classes of this folder: no method passes such a property to
/// code that uses the object. The checks would take a third of the loading time.
final class IndexPages {
    /// An entry in a page.
    private struct Entry {
        /// The size of the record and the part of the record in the page.
        let cell: [UInt8]
        /// The first overflow page; 0 if there is none.
        let overflow: UInt32
        /// The child page with the smaller entries.
        let child: UInt32
    }

    /// The page being filled on one level of the tree.
    private final class Level {
        @exclusivity(unchecked) var page: TreePage
        /// The children of the cells; empty in a leaf.
        var children: [UInt32] = []
        /// The first overflow pages of cells, with the index of the cell.
        var overflows: [(cell: Int, page: UInt32)] = []
        /// The entry after the full page. It moves to the level above if another entry follows.
        var separator: Entry?

        init(_ kind: TreePage.Kind, size: Int) { page = TreePage(kind, size: size) }
    }

    private let file: PageFile
    private let root: UInt32
    /// The levels from the leaves to the root.
    @exclusivity(unchecked) private var levels: [Level]
    private let leaves: Level
    @exclusivity(unchecked) private var cell = Bytes(capacity: 4096)

    init(root: UInt32, in file: PageFile) {
        self.root = root
        self.file = file
        leaves = Level(.indexLeaf, size: file.format.pageSize)
        levels = [leaves]
    }

    /// Appends an entry, which must not be less than the last one.
    func append(_ record: UnsafeBufferPointer<UInt8>) throws(LoadError) {
        let local = file.format.local(record.count, limit: file.format.indexLimit)
        let overflow = local < record.count ? try OverflowChain.add(record, from: local, to: file) : 0
        cell.removeAll()
        cell.appendVarint(UInt64(record.count))
        cell.append(UnsafeBufferPointer(rebasing: record[..<local]))
        let size = max(4, cell.count &+ (overflow == 0 ? 0 : 4))
        guard leaves.separator == nil, leaves.page.hasRoom(for: size) else {
            return try add(Entry(cell: Array(cell.all), overflow: overflow, child: 0), to: 0)
        }
        if overflow != 0 { leaves.overflows.append((leaves.page.cellCount, overflow)) }
        leaves.page.addCell(cell.all, size: size, overflow: overflow)
    }

    private func add(_ entry: Entry, to number: Int) throws(LoadError) {
        let level = levels[number]
        if let separator = level.separator {
            // The page is full, and another one follows.
            level.separator = nil
            try addAbove(separator, behind: try cut(number, rightChild: separator.child, root: nil), number)
        }
        let isLeaf = number == 0
        let size = max(4, (isLeaf ? 0 : 4) + entry.cell.count + (entry.overflow == 0 ? 0 : 4))
        guard level.page.hasRoom(for: size) else {
            level.separator = entry
            return
        }
        if entry.overflow != 0 { level.overflows.append((level.page.cellCount, entry.overflow)) }
        var bytes = Bytes(capacity: entry.cell.count + 4)
        if !isLeaf {
            bytes.appendBigEndian(UInt64(entry.child), bytes: 4)
            level.children.append(entry.child)
        }
        entry.cell.withUnsafeBufferPointer { bytes.append($0) }
        level.page.addCell(bytes.all, size: size, overflow: entry.overflow)
    }

    /// Adds the entry after a page to the level above.
    private func addAbove(_ entry: Entry, behind page: UInt32, _ number: Int) throws(LoadError) {
        if number + 1 == levels.count { levels.append(Level(.indexInterior, size: file.format.pageSize)) }
        try add(Entry(cell: entry.cell, overflow: entry.overflow, child: page), to: number + 1)
    }

    /// Writes the page of a level, and begins the next one.
    ///
    /// - Parameter root: the page to replace; nil for a new page.
    private func cut(_ number: Int, rightChild: UInt32, root: UInt32?) throws(LoadError) -> UInt32 {
        let level = levels[number]
        level.page.rightChild = rightChild
        let page: UInt32
        if let root {
            page = root
            file.replace(root, by: level.page.array)
        } else {
            page = try level.page.withBytes { bytes throws(LoadError) in try file.add(bytes, .tree, parent: 0) }
        }
        for overflow in level.overflows { file.setParent(page, of: overflow.page) }
        if number > 0 { for child in level.children + [rightChild] { file.setParent(page, of: child) } }
        level.page.removeAll()
        level.children.removeAll(keepingCapacity: true)
        level.overflows.removeAll(keepingCapacity: true)
        return page
    }

    /// Builds the interior pages. The root page is replaced when the file is finished.
    func finish() throws(LoadError) {
        var number = 0
        var rightChild: UInt32 = 0
        while number < levels.count {
            let level = levels[number]
            if let separator = level.separator {
                // The last page gets the last entry, and the entry before it becomes the separator, so that no page is
                // empty.
                level.separator = nil
                let last = takeLast(of: number)
                try addAbove(last, behind: try cut(number, rightChild: last.child, root: nil), number)
                try add(separator, to: number)
            }
            rightChild = try cut(number, rightChild: rightChild, root: number + 1 == levels.count ? root : nil)
            number += 1
        }
    }

    /// Removes the last cell of a page and returns its entry.
    private func takeLast(of number: Int) -> Entry {
        let level = levels[number]
        var cell = level.page.removeLast()
        var overflow: UInt32 = 0
        if let last = level.overflows.last, last.cell == level.page.cellCount {
            overflow = last.page
            level.overflows.removeLast()
        }
        // Keep only the size and the record.
        if number > 0 { cell.removeFirst(4) }
        let length = cell.withUnsafeBufferPointer { bytes in
            var place = 0
            let count = Int(truncatingIfNeeded: IndexRecord.varint(bytes, &place))
            return place + file.format.local(count, limit: file.format.indexLimit)
        }
        return Entry(cell: Array(cell.prefix(length)), overflow: overflow, child: level.children.popLast() ?? 0)
    }
}
