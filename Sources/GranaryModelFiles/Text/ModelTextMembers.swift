import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates

/// The members of a mapping that is written, by their keys.
struct ModelTextMembers<Key: RawRepresentable<String>> {
    private(set) var members: [ModelTextNode.Member] = []

    mutating func add(_ key: Key, _ value: ModelTextNode) { members.append(.init(key.rawValue, value)) }

    mutating func add(_ key: Key, _ text: String?) { if let text { add(key, .text(text)) } }

    /// Adds a flag that is not set by default.
    mutating func add(_ key: Key, if flag: Bool) { if flag { add(key, .flag(true)) } }

    mutating func add(_ key: Key, notes: [String: String]) {
        guard !notes.isEmpty else { return }
        let sorted = notes.sorted { utf8Less($0.key, $1.key) }
        add(key, .flow(sorted.map { .init($0.key, .text($0.value)) }))
    }

    mutating func add(_ key: Key, userInfo: [String: UserInfoValue]) {
        guard !userInfo.isEmpty else { return }
        add(key, .userInfo(userInfo))
    }
}

extension ModelTextNode {
    /// User info as a mapping.
    static func userInfo(_ values: [String: UserInfoValue]) -> ModelTextNode {
        .flow(values.sorted { utf8Less($0.key, $1.key) }.map { .init($0.key, userInfo($0.value)) })
    }

    private static func userInfo(_ value: UserInfoValue) -> ModelTextNode {
        switch value {
        case .string(let text): return .text(text)
        case .integer(let number): return .plain(String(number))
        case .boolean(let flag): return .flag(flag)
        case .real(let number):
            let text = number.description
            if case .real(number) = ModelTextValue.plain(text) { return .plain(text) }
            return .flow([.init("real", .text(text))])
        case .date(let date):
            let text = ModelTextValue.text(.date(date)) ?? date.timeIntervalSinceReferenceDate.description
            return .flow([.init("date", .text(text))])
        case .binary(let data): return .flow([.init("binary", .text(data.base64EncodedString()))])
        case .array(let values): return .list(values.map(userInfo))
        case .dictionary(let values): return .flow([.init("dictionary", userInfo(values))])
        }
    }
}
