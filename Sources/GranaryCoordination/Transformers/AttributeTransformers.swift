public import GranaryBase
public import GranaryModel

/// The transformers of a container by name, including the built-in ones.
/// (`NSValueTransformer.setValueTransformer(_:forName:)`, but for one container instead of the process)
///
/// The built-in transformers are ``AttributeTransformer/secureUnarchiveFromData`` and
/// ``AttributeTransformer/keyedUnarchiveFromData``. Each is also registered under the name of Apple's constant, with
/// the suffix `TransformerName`; the first also under its class name, which many models use because Foundation falls
/// back to the class of that name.
public struct AttributeTransformers: Sendable {
    private static let builtIn: [AttributeTransformer] = [
        .secureUnarchiveFromData, .keyedUnarchiveFromData,
        .keyedArchive(name: "NSSecureUnarchiveFromDataTransformer"),
        .keyedArchive(name: "NSSecureUnarchiveFromDataTransformerName"),
        .insecure(name: "NSKeyedUnarchiveFromDataTransformerName"),
    ]

    private let transformers: [String: AttributeTransformer]

    /// Creates a set of the built-in transformers and the given ones. The last transformer with a name replaces earlier
    /// ones, including built-in ones.
    public init(_ transformers: [AttributeTransformer] = []) {
        self.transformers = Dictionary((Self.builtIn + transformers).map { ($0.name, $0) }) { _, last in last }
    }

    /// Whether a transformer name in a model is missing or built in, so that values are keyed archives of property
    /// lists.
    package static func isBuiltIn(_ name: String?) -> Bool {
        guard let name, !name.isEmpty else { return true }
        return builtIn.contains { $0.name == name }
    }

    /// The names of all transformers, sorted.
    public var names: [String] { transformers.keys.sorted() }

    /// Equal for sets of the same transformers.
    package var identities: [String: String] { transformers.mapValues(\.identity) }

    /// The transformer with a name; nil if there is none.
    public subscript(name: String) -> AttributeTransformer? { transformers[name] }

    /// Returns the transformer that the model names for an attribute, or Core Data's default if it names none.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if the attribute is not Transformable, or its transformer is not
    ///   registered.
    public func transformer(for attribute: Schema.Attribute) throws(GranaryError) -> AttributeTransformer {
        guard attribute.type == .transformable else {
            throw GranaryError(.usage, "\(attribute.name) is \(attribute.type.phrase), not a Transformable")
        }
        // Xcode writes an empty name for a cleared field.
        let given = attribute.description.valueTransformerName ?? ""
        let name = given.isEmpty ? AttributeTransformer.secureUnarchiveFromData.name : given
        if let transformer = self[name] { return transformer }
        let hint = NearestText.hint(for: name, in: names)
        let registered = names.map { "\"\(Diagnostic.shortened($0))\"" }.joined(separator: ", ")
        throw GranaryError(
            .usage,
            "\(attribute.name) needs the transformer \"\(Diagnostic.shortened(name))\", which is not "
                + "registered\(hint); registered are \(registered)")
    }
}

extension AttributeTransformers: ExpressibleByArrayLiteral {
    /// Creates the same set as ``init(_:)``.
    public init(arrayLiteral elements: AttributeTransformer...) { self.init(elements) }
}
