import Foundation
import GranaryBase
import TestSupport
import Testing

@Suite struct OrderedWorkersTests {
    /// `@unchecked Sendable` is safe: ``OrderedWorkers`` passes it on while its condition is locked.
    private final class Square: OrderedWork, @unchecked Sendable {
        let number: Int
        private(set) var result = 0
        private(set) var runs = 0
        var isDone = false

        init(_ number: Int) { self.number = number }

        func run() {
            // Later pieces are often finished first.
            for value in 0..<(number % 7) * 50 { result &+= value }
            result = number * number
            runs += 1
        }
    }

    @Test(arguments: [0, 1, 3, 7])
    func resultsAreInOrderAndEachPieceRunsOnce(_ threads: Int) {
        let workers = OrderedWorkers<Square>(limit: threads)
        defer { workers.stop() }
        #expect(workers.capacity >= 1)
        var pending: [Square] = []
        var results: [Int] = []
        func finishFirst() {
            let work = pending.removeFirst()
            workers.finish(work)
            #expect(work.isDone && work.runs == 1)
            results.append(work.result)
        }
        for number in 0..<300 {
            while pending.count >= workers.capacity { finishFirst() }
            let work = Square(number)
            pending.append(work)
            workers.submit(work)
        }
        while !pending.isEmpty { finishFirst() }
        #expect(results == (0..<300).map { $0 * $0 })
    }

    @Test func stoppedWorkersDropWhatHasNotBegun() {
        let workers = OrderedWorkers<Square>(limit: 0)
        let work = Square(3)
        workers.submit(work)
        workers.stop()
        #expect(work.runs == 0 && !work.isDone)
    }
}
