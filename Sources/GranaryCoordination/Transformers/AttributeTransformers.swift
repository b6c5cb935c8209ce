public import GranaryBase
public import GranaryModel

/// The transformers of a container by name: those it was given, and the built-in ones.
/// (`NSValueTransformer.setValueTransformer(_:forName:)`, but for one container and not for the whole process)
///
/// Built in are ``AttributeTransformer/secureUnarchiveFromData`` and ``AttributeTransformer/keyedUnarchiveFromData``, each
/// also under its name as Apple's constants spell it, with `TransformerName` behind, and the first under the name of its
/// class, which many models have: where no transformer has a name, Foundation takes the class of that name.
public struct AttributeTransformers: Sendable {
    private static let builtIn: [AttributeTransformer] = [
        .secureUnarchiveFromData, .keyedUnarchiveFromData,
        .keyedArchive(name: "NSSecureUnarchiveFromDataTransformer"),
        .keyedArchive(name: "NSSecureUnarchiveFromDataTransformerName"),
        .insecure(name: "NSKeyedUnarchiveFromDataTransformerName"),
    ]

    private let transformers: [String: AttributeTransformer]

    /// The built-in transformers and these. Of several with one name the last counts; one with a built-in name takes
    /// its place.
    public init(_ transformers: [AttributeTransformer] = []) {
        self.transformers = Dictionary((Self.builtIn + transformers).map { ($0.name, $0) }) { _, last in last }
    }

    /// Whether the model's name of a transformer is none or a built-in one, which makes keyed archives of property lists.
    static func isBuiltIn(_ name: String?) -> Bool {
        guard let name, !name.isEmpty else { return true }
        return builtIn.contains { $0.name == name }
    }

    /// The names of all, sorted.
    public var names: [String] { transformers.keys.sorted() }

    /// The transformer of that name; nil for none.
    public subscript(name: String) -> AttributeTransformer? { transformers[name] }

    /// The transformer of an attribute: the one that the model names, otherwise Core Data's default.
    ///
    /// - Throws: ``GranaryError`` with code `usage` when the attribute is not Transformable, or no transformer of its
    ///   name is registered.
    public func transformer(for attribute: Schema.Attribute) throws(GranaryError) -> AttributeTransformer {
        guard attribute.type == .transformable else {
            throw GranaryError(.usage, "\(attribute.name) is \(attribute.type.phrase), not a Transformable")
        }
        // Xcode writes an empty name for a field that was cleared.
        let given = attribute.description.valueTransformerName ?? ""
        let name = given.isEmpty ? AttributeTransformer.secureUnarchiveFromData.name : given
        if let transformer = self[name] { return transformer }
        let hint = NearestText.hint(for: name, in: names)
        let registered = names.map { "\"\(Diagnostic.shortened($0))\"" }.joined(separator: ", ")
        throw GranaryError(
            .usage,
            "no transformer \"\(Diagnostic.shortened(name))\" is registered, which \(attribute.name) needs\(hint); "
                + "registered are \(registered)")
    }
}

extension AttributeTransformers: ExpressibleByArrayLiteral {
    /// As ``init(_:)``.
    public init(arrayLiteral elements: AttributeTransformer...) { self.init(elements) }
}
