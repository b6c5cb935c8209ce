/// Writes "Cell Payload Overflow Pages", https://www.sqlite.org/fileformat2.html#cell_payload_overflow_pages.
enum OverflowChain {
    /// Adds the pages for the part of a payload that is not in its cell.
    ///
    /// - Returns: the first page. Its parent is set when the number of the page with the cell is known.
    static func add(
        _ payload: UnsafeBufferPointer<UInt8>, from start: Int, to file: PageFile
    ) throws(LoadError) -> UInt32 {
        let size = file.format.pageSize
        let page = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: size)
        defer { page.deallocate() }
        var first: UInt32 = 0
        var previous: UInt32 = 0
        var place = start
        while place < payload.count {
            let count = min(size - 4, payload.count - place)
            let number = try file.peek()
            page.initialize(repeating: 0)
            TreePage.copy(
                UnsafeBufferPointer(rebasing: payload[place..<place + count]), to: page, at: 4)
            place += count
            if place < payload.count { TreePage.put(try file.peekAfterNext(), at: 0, in: page) }
            let isFirst = previous == 0
            _ = try file.add(
                UnsafeBufferPointer(page), isFirst ? .firstOverflow : .furtherOverflow, parent: previous)
            if isFirst { first = number }
            previous = number
        }
        return first
    }
}
