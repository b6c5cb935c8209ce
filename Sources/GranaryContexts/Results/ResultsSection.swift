/// The objects with one section name, or values made from them. (`NSFetchedResultsSectionInfo`)
public struct ResultsSection<Element> {
    /// The value of the section key path as text; empty for NULL and for results without sections.
    public var name: String
    /// The objects in order.
    public var objects: [Element]

    public init(name: String, objects: [Element] = []) {
        self.name = name
        self.objects = objects
    }

    /// The number of objects.
    public var numberOfObjects: Int { objects.count }
}

extension ResultsSection: Sendable where Element: Sendable {}
extension ResultsSection: Equatable where Element: Equatable {}
extension ResultsSection: Hashable where Element: Hashable {}
