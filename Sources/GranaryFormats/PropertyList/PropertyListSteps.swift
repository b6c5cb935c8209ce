import GranaryBase
import GranaryPropertyLists

/// The events of a property list, pulled one by one. Parsing begins with the first.
struct PropertyListSteps {
    private var source: ByteSource?
    private let limits: PropertyListLimits
    private let queue = PropertyListEventQueue()
    private var batch: [PropertyListStep] = []
    private var index = 0
    let sourceName: String
    /// Gets every event that is taken while it is set.
    var tap: ((PropertyListEvent) throws(GranaryError) -> Void)?

    init(_ source: ByteSource, limits: PropertyListLimits) {
        self.source = source
        self.limits = limits
        sourceName = source.name
    }

    /// The next step; nil at the list's end.
    ///
    /// - Throws: ``GranaryError`` where the list is broken or cannot be read on, and what ``tap`` throws.
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

    /// Makes steps come again that were taken last.
    mutating func putBack(_ steps: [PropertyListStep]) {
        batch.replaceSubrange(..<index, with: steps)
        index = 0
    }

    func cancel() { queue.cancel() }
}
