import GranaryBase

/// A value that is decoded and encoded by one list of its members.
///
/// Default values are omitted, so that archives are short and archives from before a member existed can be decoded.
protocol MemberCoded {
    associatedtype CodingKeys: CodingKey & CaseIterable

    /// Decodes or encodes each member.
    mutating func code(_ coder: inout MemberCoder<CodingKeys>) throws
}

extension MemberCoded {
    /// Returns a copy with the decoded members.
    ///
    /// - Parameter others: keys that are ignored.
    /// - Throws: `DecodingError`, also for unknown keys. Otherwise a misspelt key would be ignored silently.
    func decoded(from decoder: any Decoder, ignoring others: Set<String> = []) throws -> Self {
        let known = Set(CodingKeys.allCases.map(\.stringValue))
        for key in try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
        where !known.contains(key) && !others.contains(key) {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "\"\(Diagnostic.shortened(key))\" is not known"
                        + NearestText.hint(for: key, in: known.sorted())))
        }
        var copy = self
        var coder = MemberCoder(source: try decoder.container(keyedBy: CodingKeys.self))
        try copy.code(&coder)
        return copy
    }

    func encodeMembers(to encoder: any Encoder) throws {
        var copy = self
        var coder = MemberCoder(target: encoder.container(keyedBy: CodingKeys.self))
        try copy.code(&coder)
    }
}

private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { return nil }
}
