import GranaryBase
import GranaryPropertyLists

/// The events of a property list, one by one. Parsing begins with the first call of ``next()``.
struct PropertyListSteps {
    private var events: PropertyListEvents
    /// The steps that were put back, the next one last.
    private var waiting: [PropertyListStep] = []
    let sourceName: String
    /// Receives every event.
    var tap: ((PropertyListEvent) throws(GranaryError) -> Void)?

    init(_ source: ByteSource, limits: PropertyListLimits) {
        events = PropertyListEvents(source, limits: limits)
        sourceName = source.name
    }

    /// The next step; nil at the list's end.
    ///
    /// - Throws: ``GranaryError`` if the list is malformed or cannot be read, and errors of ``tap``.
    mutating func next() throws(GranaryError) -> PropertyListStep? {
        let step: PropertyListStep
        if let waitingStep = waiting.popLast() {
            step = waitingStep
        } else if let next = try events.next() {
            step = next
        } else {
            return nil
        }
        if let tap { try tap(step.event) }
        return step
    }

    /// Puts back the steps that were returned last.
    mutating func putBack(_ steps: [PropertyListStep]) { waiting.append(contentsOf: steps.reversed()) }
}
