/// A stable radix sort by a number of 64 bits, for the many short keys of an index.
enum RadixSort {
    /// Sorts by the number that `key` returns. Bytes that are the same in all numbers are skipped.
    @inline(__always)
    static func sort<Element: BitwiseCopyable>(_ elements: inout [Element], by key: (Element) -> UInt64) {
        guard let first = elements.first.map(key) else { return }
        var differing: UInt64 = 0
        var isSorted = true
        var last = first
        for element in elements {
            let number = key(element)
            differing |= number ^ first
            if number < last { isSorted = false }
            last = number
        }
        guard !isSorted else { return }
        var other = elements
        for shift in stride(from: UInt64(0), to: 64, by: 8) where differing >> shift & 0xFF != 0 {
            var places = [Int](repeating: 0, count: 256)
            for element in elements { places[Int(key(element) >> shift & 0xFF)] &+= 1 }
            var sum = 0
            for value in places.indices {
                let count = places[value]
                places[value] = sum
                sum &+= count
            }
            elements.withUnsafeBufferPointer { from in
                other.withUnsafeMutableBufferPointer { to in
                    for element in from {
                        let value = Int(key(element) >> shift & 0xFF)
                        to[places[value]] = element
                        places[value] &+= 1
                    }
                }
            }
            swap(&elements, &other)
        }
    }
}
