import Synchronization

/// The numbers of the history transactions that a store has written, since the log was added to it. What others have
/// written is the rest of the history.
package final class TransactionLog: Sendable {
    private let ranges = Mutex<[ClosedRange<Int64>]>([])

    package init() {}

    /// Adds a committed transaction. Its number is higher than all before.
    package func add(_ number: Int64) {
        ranges.withLock { ranges in
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
    }

    /// The number of the last transaction; nil if there is none.
    package var last: Int64? { ranges.withLock { $0.last?.upperBound } }

    package func contains(_ number: Int64) -> Bool {
        ranges.withLock { ranges in
            var (low, high) = (0, ranges.count)
            while low < high {
                let middle = low + (high - low) / 2
                if ranges[middle].upperBound < number { low = middle + 1 } else { high = middle }
            }
            return low < ranges.count && ranges[low].contains(number)
        }
    }

    /// Forgets the transactions up to a number.
    package func forget(through number: Int64) {
        ranges.withLock { ranges in
            let count = ranges.firstIndex { $0.upperBound > number } ?? ranges.count
            ranges.removeFirst(count)
        }
    }

    /// Logs that nobody uses any more are dropped.
    package struct Reference {
        package weak var log: TransactionLog?

        package init(_ log: TransactionLog) { self.log = log }
    }
}
