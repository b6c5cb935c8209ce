package import GranaryBase

extension PropertyListValue {
    /// Gives the tree as events, without recursion.
    package func forEachEvent(_ handle: (PropertyListEvent) throws(GranaryError) -> Void) throws(GranaryError) {
        enum Step {
            case value(PropertyListValue)
            case event(PropertyListEvent)
        }
        var steps = [Step.value(self)]
        while let step = steps.popLast() {
            switch step {
            case .event(let event): try handle(event)
            case .value(.array(let values)):
                try handle(.beginArray)
                steps.append(.event(.endArray))
                steps.append(contentsOf: values.reversed().map(Step.value))
            case .value(.dictionary(let entries)):
                try handle(.beginDictionary)
                steps.append(.event(.endDictionary))
                for entry in entries.reversed() {
                    steps.append(.value(entry.value))
                    steps.append(.event(.key(entry.key)))
                }
            case .value(.string(let value)): try handle(.string(value))
            case .value(.integer(let value)): try handle(.integer(value))
            case .value(.unsigned(let value)): try handle(.unsigned(value))
            case .value(.real(let value)): try handle(.real(value))
            case .value(.boolean(let value)): try handle(.boolean(value))
            case .value(.date(let value)): try handle(.date(value))
            case .value(.data(let value)): try handle(.data(value))
            case .value(.uid(let value)): try handle(.uid(value))
            }
        }
    }
}
