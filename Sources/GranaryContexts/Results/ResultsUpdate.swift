public import GranaryBase

/// An element of ``ResultsUpdates``: the results, or what has changed in them.
public enum ResultsUpdate<Value: Sendable>: Sendable {
    /// The results as they are now, in one section or the sections that were asked for. They replace earlier elements.
    case results([ResultsSection<Value>])
    /// The changes since the last element.
    case change(ResultsChange<Value>)

    /// Brings results that are kept by the caller up to date.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if these are not the results of the earlier elements.
    public func apply(to sections: inout [ResultsSection<Value>]) throws(GranaryError) {
        switch self {
        case .results(let current): sections = current
        case .change(let change): try change.apply(to: &sections)
        }
    }
}

extension ResultsUpdate: Equatable where Value: Equatable {}
