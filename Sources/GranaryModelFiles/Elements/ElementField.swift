import GranaryModel

/// One attribute of an element: its name, and how a description reads and writes it.
struct ElementField<Description>: Sendable {
    let name: String
    /// Stores the attribute in the description and collects its problems.
    let read: @Sendable (inout ElementAttributes, inout Description) -> Void
    /// The attribute in Granary's spelling; nil to leave it out.
    let text: @Sendable (Description) -> String?

    static func text(_ name: String, _ path: any WritableKeyPath<Description, String?> & Sendable) -> Self {
        Self(name: name, read: { $1[keyPath: path] = $0.text(name) }, text: { $0[keyPath: path] })
    }

    /// `YES` if the flag is set; left out if it is not.
    static func flag(_ name: String, _ path: any WritableKeyPath<Description, Bool> & Sendable) -> Self {
        Self(name: name, read: { $1[keyPath: path] = $0.flag(name) }, text: { $0[keyPath: path] ? "YES" : nil })
    }

    /// An integer that is 0 if it is left out.
    static func count(_ name: String, _ path: any WritableKeyPath<Description, Int> & Sendable) -> Self {
        Self(
            name: name, read: { $1[keyPath: path] = $0.integer(name, in: 0...Int.max) ?? 0 },
            text: { $0[keyPath: path] == 0 ? nil : String($0[keyPath: path]) })
    }

    /// An attribute that ``ModelElement/init(required:)`` or another field reads, or that is only kept as a note.
    static func written(_ name: String, _ text: @escaping @Sendable (Description) -> String? = { _ in nil }) -> Self {
        Self(name: name, read: { _, _ in }, text: text)
    }
}
