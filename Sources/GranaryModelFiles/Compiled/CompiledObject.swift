import GranaryModel
import GranaryPropertyLists

/// An object of a compiled model with its fields by name, without fields that are nil.
struct CompiledObject {
    let item: KeyedArchive.Item
    /// Its class and superclasses, the nearest first.
    let classNames: [String]
    let fields: [String: KeyedArchive.Item]

    var className: String { classNames.first ?? "" }

    /// Whether the object is of that class or a subclass.
    func isKind(of name: String) -> Bool { classNames.contains(name) }
}
