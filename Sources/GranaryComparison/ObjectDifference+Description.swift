import Foundation
import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryPredicates

extension ObjectDifference: CustomStringConvertible {
    /// The number of destinations of a to-many relationship that the description lists.
    private static let shownObjects = 5
    /// Longer binary data is shown as its size and the beginning of its SHA-256.
    private static let shownBytes = 16

    /// One line: `only in A: Patient "ada@example.org"`, or `Patient "ada@example.org": age: 36 -> 37`.
    public var description: String {
        switch kind {
        case .onlyInA: "only in A: \(object)"
        case .onlyInB: "only in B: \(object)"
        case .changed: "\(object): " + properties.map(\.description).joined(separator: ", ")
        }
    }

    fileprivate static func list(_ names: [String], _ count: Int) -> String {
        let shown = names.prefix(shownObjects)
        return shown.joined(separator: ", ")
            + (count > shown.count ? ", … \(CountText.grouped(count - shown.count)) more" : "")
    }

    fileprivate static func bytes(_ count: Int, _ digest: String) -> String {
        "\(CountText.count(count, "byte")) (SHA-256 \(digest.prefix(12))…)"
    }

    /// A text in quotes, with a backslash before each quote and backslash inside it.
    private static func quoted(_ text: String) -> String {
        let escaped = Diagnostic.shortened(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(escaped)\""
    }

    fileprivate static func text(_ value: AttributeValue) -> String {
        switch value {
        case .string(let text): return quoted(text)
        case .uri(let url): return quoted(url.absoluteString)
        case .binary(let data) where data.count > shownBytes:
            var digest = ContentDigest()
            data.withUnsafeBytes { digest.update($0) }
            return bytes(data.count, digest.hexadecimal)
        case .binary(let data):
            var text = Array("<".utf8)
            for (index, byte) in data.enumerated() {
                if index > 0, index % 4 == 0 { text.append(UInt8(ascii: " ")) }
                text.append(contentsOf: String(byte >> 4, radix: 16).utf8)
                text.append(contentsOf: String(byte & 15, radix: 16).utf8)
            }
            return String(decoding: text, as: UTF8.self) + ">"
        case .integer, .boolean, .float, .double, .decimal, .date, .uuid:
            return value.withBorrowed { (value) -> String in
                var bytes: [UInt8] = []
                // ISO 8601 has years with four digits only. Other dates are seconds.
                for dates in [DateStyle.iso8601, .seconds] {
                    bytes.removeAll()
                    let text: Void? = try? ValueText.append(
                        value, dates: dates, binary: .hex, nonFinite: .text, to: &bytes)
                    if text != nil { break }
                }
                return String(decoding: bytes, as: UTF8.self)
            }
        }
    }
}

extension ObjectDifference.Object: CustomStringConvertible {
    /// `Patient "ada@example.org"`, or `Patient/p57` without a key.
    public var description: String {
        guard !key.isEmpty else { return id }
        return entity + " " + key.map(ObjectDifference.text).joined(separator: ", ")
    }
}

extension ObjectDifference.Property: CustomStringConvertible {
    /// `age: 36 -> 37`, or `patients: - Patient "a" + Patient "b"` for an unordered to-many relationship.
    public var description: String {
        if !isOrdered, case .objects(let left, let leftCount) = a, case .objects(let right, let rightCount) = b,
            leftCount == left.count, rightCount == right.count
        {
            let (before, after) = (left.map(\.description), right.map(\.description))
            let (beforeSet, afterSet) = (Set(before), Set(after))
            let removed = before.filter { !afterSet.contains($0) }
            let added = after.filter { !beforeSet.contains($0) }
            if !removed.isEmpty || !added.isEmpty {
                var parts: [String] = []
                if !removed.isEmpty { parts.append("- " + ObjectDifference.list(removed, removed.count)) }
                if !added.isEmpty { parts.append("+ " + ObjectDifference.list(added, added.count)) }
                return "\(name): " + parts.joined(separator: " ")
            }
        }
        let (left, right) = (a.description, b.description)
        // Composed and decomposed letters look the same, and so do the beginnings of long texts.
        return "\(name): \(left) -> \(right)" + (left == right ? " (different bytes)" : "")
    }
}

extension ObjectDifference.Value: CustomStringConvertible {
    /// The value as `granary store diff` prints it: `"abc"`, `NULL`, `2026-01-31T10:00:00Z`.
    public var description: String {
        switch self {
        case .null: "NULL"
        case .value(let value): ObjectDifference.text(value)
        case .data(let count, let digest): ObjectDifference.bytes(count, digest)
        case .object(let object): object.description
        case .objects(let objects, let count):
            "[" + ObjectDifference.list(objects.map(\.description), count) + "]"
        case .invalid(let reason): "invalid (\(reason))"
        }
    }
}
