public import GranaryCoordination

/// One change of results: the sections and objects that were inserted, deleted, moved and updated. (The calls of an
/// `NSFetchedResultsControllerDelegate` between `controllerWillChangeContent` and `controllerDidChangeContent`.)
///
/// Old places are places before the change, new ones are places after it. ``apply(to:)`` shows in which order they are
/// used.
public struct ResultsChange<Element> {
    /// The kind of a change. (`NSFetchedResultsChangeType`)
    public enum Kind: Int, Sendable, Hashable {
        /// The object or section is new in the results.
        case insert = 1
        /// The object or section is no longer in the results.
        case delete = 2
        /// The object has changed, and its place among the other objects too.
        case move = 3
        /// The object has changed and has kept its place among the other objects.
        case update = 4
    }

    /// The insertion or deletion of a section. (`controller(_:didChange:atSectionIndex:for:)`)
    public struct SectionChange: Sendable, Hashable {
        /// ``Kind/insert`` or ``Kind/delete``.
        public let kind: Kind
        /// The section's name.
        public let name: String
        /// The section's number: after the change if it was inserted, before the change if it was deleted.
        public let index: Int

        public init(_ kind: Kind, name: String, index: Int) {
            self.kind = kind
            self.name = name
            self.index = index
        }
    }

    /// The change of one object. (`controller(_:didChange:at:for:newIndexPath:)`)
    public struct ObjectChange {
        /// The kind of the change.
        public let kind: Kind
        /// The object's ID.
        public let objectID: ManagedObjectID
        /// The object, or the value made from it; nil for the deletion of an object that only had a value.
        public let element: Element?
        /// The place before the change; nil for an insertion.
        public let indexPath: ResultsIndexPath?
        /// The place after the change; nil for a deletion.
        public let newIndexPath: ResultsIndexPath?

        public init(
            _ kind: Kind, _ objectID: ManagedObjectID, _ element: Element?, at indexPath: ResultsIndexPath?,
            to newIndexPath: ResultsIndexPath?
        ) {
            self.kind = kind
            self.objectID = objectID
            self.element = element
            self.indexPath = indexPath
            self.newIndexPath = newIndexPath
        }
    }

    /// The changed sections: deletions by old index, then insertions by new index. Always empty for results without
    /// sections.
    public var sectionChanges: [SectionChange] = []
    /// The changed objects: deletions by old place, then insertions, moves and updates, each by new place.
    public var objectChanges: [ObjectChange] = []

    public init(sectionChanges: [SectionChange] = [], objectChanges: [ObjectChange] = []) {
        self.sectionChanges = sectionChanges
        self.objectChanges = objectChanges
    }

    /// Whether nothing has changed.
    public var isEmpty: Bool { sectionChanges.isEmpty && objectChanges.isEmpty }

    /// Returns the change with other elements.
    ///
    /// - Parameter transform: called for the elements of all changes but deletions, which then have none.
    /// - Throws: any error from `transform`.
    public func map<Value>(_ transform: (Element) throws -> Value) rethrows -> ResultsChange<Value> {
        ResultsChange<Value>(
            sectionChanges: sectionChanges.map { .init($0.kind.converted(), name: $0.name, index: $0.index) },
            objectChanges: try objectChanges.map { change in
                .init(
                    change.kind.converted(), change.objectID,
                    change.kind == .delete ? nil : try change.element.map(transform), at: change.indexPath,
                    to: change.newIndexPath)
            })
    }
}

extension ResultsChange.Kind {
    /// The same kind for other elements.
    func converted<Other>() -> ResultsChange<Other>.Kind {
        switch self {
        case .insert: .insert
        case .delete: .delete
        case .move: .move
        case .update: .update
        }
    }
}

extension ResultsChange: Sendable where Element: Sendable {}
extension ResultsChange.ObjectChange: Sendable where Element: Sendable {}
extension ResultsChange: Equatable where Element: Equatable {}
extension ResultsChange.ObjectChange: Equatable where Element: Equatable {}
