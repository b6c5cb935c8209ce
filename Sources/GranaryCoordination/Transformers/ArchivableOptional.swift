/// Detects nil in an optional whose type is not known.
protocol ArchivableOptional {
    var isNone: Bool { get }
}

extension Optional: ArchivableOptional {
    var isNone: Bool { self == nil }
}
