public import Foundation

/// A type of attribute values with an empty value, which a required property of a generated class has while its
/// attribute is NULL.
public protocol EmptyRepresentable: AttributeRepresentable {
    /// 0, false, empty text, no bytes, 2001-01-01 00:00:00 UTC, the UUID of zeros, or `about:blank`.
    static var emptyValue: Self { get }
}

extension EmptyRepresentable where Self: Numeric {
    /// 0.
    public static var emptyValue: Self { 0 }
}

extension Int16: EmptyRepresentable {}
extension Int32: EmptyRepresentable {}
extension Int64: EmptyRepresentable {}
extension Int: EmptyRepresentable {}
extension Float: EmptyRepresentable {}
extension Double: EmptyRepresentable {}
extension Decimal: EmptyRepresentable {}

extension Bool: EmptyRepresentable {
    public static var emptyValue: Bool { false }
}

extension String: EmptyRepresentable {
    public static var emptyValue: String { "" }
}

extension Date: EmptyRepresentable {
    public static var emptyValue: Date { Date(timeIntervalSinceReferenceDate: 0) }
}

extension Data: EmptyRepresentable {
    public static var emptyValue: Data { Data() }
}

extension UUID: EmptyRepresentable {
    public static var emptyValue: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}

extension URL: EmptyRepresentable {
    public static var emptyValue: URL { URL(string: "about:blank") ?? URL(filePath: "/") }
}
