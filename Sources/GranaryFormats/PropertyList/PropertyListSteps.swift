import GranaryBase
import GranaryPropertyLists

/// The events of a property list, one by one. Parsing begins with the first call of ``next()``.
struct PropertyListSteps {
    private var source: ByteSource?
    private let limits: PropertyListLimits
    private let queue = PropertyListEventQueue()
    private var batch: [PropertyListStep] = []
    private var index = 0
    let sourceName: String
    /// Receives every event.
    var tap: ((PropertyListEvent) throws(GranaryError) -> Void)?

    init(_ source: ByteSource, limits: PropertyListLimits) {
        self.source = source
        self.limits = limits
        sourceName = source.name
    }

    /// The next step; nil at the list's end.
    ///
    /// - Throws: ``GranaryError`` if the list is malformed or cannot be read, and errors of ``tap``.
    mutating func next() throws(GranaryError) -> PropertyListStep? {
        while index >= batch.count {
            if let source {
                queue.start(source, limits: limits)
                self.source = nil
            }
            guard let next = try queue.take() else { return nil }
            batch = next
            index = 0
        }
        index += 1
        let step = batch[index - 1]
        if let tap { try tap(step.event) }
        return step
    }

    /// Puts back the steps that were returned last.
    mutating func putBack(_ steps: [PropertyListStep]) {
        batch.replaceSubrange(..<index, with: steps)
        index = 0
    }

    func cancel() { queue.cancel() }
}
