import Foundation
import GranaryModel
import GranaryPropertyLists

extension UserInfoValue {
    /// The value as an object of a keyed archive. The members of a dictionary are in the order of their keys.
    var archiveTree: KeyedArchiveTree {
        switch self {
        case .string(let value): .string(value)
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .boolean(let value): .boolean(value)
        case .date(let value): .date(value.timeIntervalSinceReferenceDate)
        case .binary(let value): .data(Array(value))
        case .array(let values): .array(values.map(\.archiveTree))
        case .dictionary(let values):
            .dictionary(
                values.sorted { utf8Less($0.key, $1.key) }.map { .init(.string($0.key), $0.value.archiveTree) })
        }
    }

    /// The value of an archived object, at most ``UserInfoValue/depthLimit`` levels deep; nil if a part of it is of a
    /// class that property lists do not have.
    init?(archived tree: KeyedArchiveTree) {
        switch tree {
        case .string(let value): self = .string(value)
        case .integer(let value): self = .integer(value)
        case .real(let value): self = .real(value)
        case .boolean(let value): self = .boolean(value)
        case .date(let value): self = .date(Date(timeIntervalSinceReferenceDate: value))
        case .data(let value): self = .binary(Data(value))
        case .array(let trees):
            let values = trees.compactMap(Self.init(archived:))
            guard values.count == trees.count else { return nil }
            self = .array(values)
        case .dictionary(let entries):
            var values: [String: UserInfoValue] = [:]
            for entry in entries {
                guard case .string(let key) = entry.key, let value = Self(archived: entry.value),
                    values.updateValue(value, forKey: key) == nil
                else { return nil }
            }
            self = .dictionary(values)
        case .null, .unsigned, .decimal, .uuid, .url, .set, .orderedSet, .object: return nil
        }
    }

    /// The cost of the value: one for each part and one more for each 64 bytes of its text or data.
    var weight: Int {
        switch self {
        case .integer, .real, .boolean, .date: 1
        case .string(let value): 1 + value.utf8.count / 64
        case .binary(let value): 1 + value.count / 64
        case .array(let values): values.reduce(1) { $0 + $1.weight }
        case .dictionary(let values): values.reduce(1) { $0 + 1 + $1.key.utf8.count / 64 + $1.value.weight }
        }
    }
}
