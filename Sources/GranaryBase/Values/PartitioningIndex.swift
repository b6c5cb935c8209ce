extension RandomAccessCollection where Index == Int {
    /// The index of the first element for which `isAfter` is true, or `endIndex`, found by binary search.
    ///
    /// - Parameter isAfter: false for a prefix of the collection and true for the rest.
    @inlinable
    package func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
