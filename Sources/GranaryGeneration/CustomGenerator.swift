import Foundation
public import GranaryPredicates

/// A generator of an attribute's values in code.
///
/// ```swift
/// options.customGenerators["Patient.code"] = CustomGenerator(from: ["birthYear"]) { context in
///     guard case .integer(let year)? = try context.value(of: "birthYear") else { return nil }
///     return .string("\(year)-\(context.number)-\(Int.random(in: 10...99, using: &context.random))")
/// }
/// ```
///
/// The values are checked as all others: a value that breaks a rule of the model stops the run with the names of the
/// attribute and the number of the object, and so do errors that the code throws. Several threads call the code, in any
/// order of objects, so it must not depend on earlier calls.
public struct CustomGenerator: Sendable {
    /// The attributes of the same object whose values the code uses.
    let sources: [String]
    let make: @Sendable (inout GenerationContext) throws -> AttributeValue?
    /// Code cannot be compared, so each generator is equal only to itself and its copies.
    private let identity = UUID()

    /// - Parameters:
    ///   - attributes: the attributes of the same object whose values the code uses. Their values are set before.
    ///   - value: makes the value of an object; nil for NULL. It is converted to the attribute's type.
    public init(
        from attributes: [String] = [],
        _ value: @escaping @Sendable (_ context: inout GenerationContext) throws -> AttributeValue?
    ) {
        sources = attributes
        make = value
    }
}

extension CustomGenerator: Hashable {
    public static func == (left: Self, right: Self) -> Bool { left.identity == right.identity }

    public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
