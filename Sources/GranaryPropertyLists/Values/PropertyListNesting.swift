import GranaryBase

/// Checks that the order of events forms one property list.
///
/// Writers use it. Events in an invalid order are a defect in Granary, not an error in the data.
struct PropertyListNesting {
    private enum Level { case array, dictionary, value }

    private var levels: [Level] = []
    private var isDone = false

    var isComplete: Bool { isDone && levels.isEmpty }

    mutating func take(_ event: PropertyListEvent) throws(GranaryError) {
        switch event {
        case .key:
            guard levels.last == .dictionary else { throw wrongOrder("a key outside a dictionary") }
            levels.append(.value)
        case .endDictionary:
            guard levels.last == .dictionary else { throw wrongOrder("the end of a dictionary without its beginning") }
            levels.removeLast()
            finishValue()
        case .endArray:
            guard levels.last == .array else { throw wrongOrder("the end of an array without its beginning") }
            levels.removeLast()
            finishValue()
        case .beginArray:
            try beginValue()
            levels.append(.array)
        case .beginDictionary:
            try beginValue()
            levels.append(.dictionary)
        default:
            try beginValue()
            finishValue()
        }
    }

    private func beginValue() throws(GranaryError) {
        guard let last = levels.last else {
            if isDone { throw wrongOrder("a second root value") }
            return
        }
        if last == .dictionary { throw wrongOrder("a value without a key") }
    }

    private mutating func finishValue() {
        if levels.last == .value { levels.removeLast() }
        if levels.isEmpty { isDone = true }
    }

    private func wrongOrder(_ what: String) -> GranaryError {
        GranaryError(.internalDefect, "a property list is written out of order: \(what)")
    }
}
