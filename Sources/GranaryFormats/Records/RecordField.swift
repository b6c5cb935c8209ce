/// The content of one column of a record, as ``RecordReader`` reads and ``RecordWriter`` writes it.
public enum RecordField: Sendable, Hashable {
    /// A single value.
    case value(RecordValue)
    /// The elements of a list, such as the keys of a to-many relationship.
    case list([RecordValue])
}
