/// An entry in the pointer map of a database with auto-vacuum: the use of a page.
struct PagePointer: Sendable, BitwiseCopyable {
    enum Kind: UInt8 {
        case root = 1
        case free = 2
        /// The first page of an overflow chain; its parent is the B-tree page with the cell.
        case firstOverflow = 3
        /// A further page of an overflow chain; its parent is the page before it.
        case furtherOverflow = 4
        /// A page of a B-tree other than the root.
        case tree = 5
    }

    var kind: UInt8
    var parent: UInt32
}
