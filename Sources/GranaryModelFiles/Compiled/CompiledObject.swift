import GranaryPropertyLists

/// An object of a compiled model with its fields by name; those that are nil are left out.
struct CompiledObject {
    let item: KeyedArchive.Item
    /// Its class and those it comes from, the nearest first.
    let classNames: [String]
    let fields: [String: KeyedArchive.Item]

    var className: String { classNames.first ?? "" }

    /// Whether it is of that class or of one that comes from it.
    func isKind(of name: String) -> Bool { classNames.contains(name) }
}
