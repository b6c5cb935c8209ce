/// A value that a list or an archive stores once if it occurs several times. Text and numbers compare by their bytes.
enum UniqueValue: Hashable {
    case string(ByteText), integer(Int64), unsigned(UInt64), real(UInt64), date(UInt64), data([UInt8]), boolean(Bool)

    /// Returns nil for references, arrays and dictionaries.
    init?(_ value: PropertyListValue) {
        switch value {
        case .string(let text): self = .string(ByteText(text: text))
        case .integer(let value): self = .integer(value)
        case .unsigned(let value): self = .unsigned(value)
        case .real(let value): self = .real(value.bitPattern)
        case .date(let value): self = .date(value.bitPattern)
        case .data(let bytes): self = .data(bytes)
        case .boolean(let value): self = .boolean(value)
        case .uid, .array, .dictionary: return nil
        }
    }
}
