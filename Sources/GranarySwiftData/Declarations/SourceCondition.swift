/// A condition of `#if`.
package indirect enum SourceCondition: Codable, Sendable, Hashable {
    case boolean(Bool)
    /// A flag of `-D`.
    case flag(String)
    /// `os(iOS)`, `canImport(UIKit)`, `swift(>=5.9)`: the name and its argument as written.
    case platform(String, String)
    case not(SourceCondition)
    case all([SourceCondition])
    case any([SourceCondition])
    /// Any other condition, as text.
    case other(String)
}
