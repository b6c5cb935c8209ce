/// A cache of a guide's answers about members, so that the guide is not asked for every record.
struct MemberContents {
    private struct Known {
        /// The kind of objects for which ``content`` was asked last.
        var kind: Int32 = -1
        var content = MemberContent.objects(kind: -1)
    }

    /// Nil if no member holds JSON values.
    var guide: (any MemberGuide)?
    /// The kind of the current record.
    private(set) var recordKind: Int32 = -1
    /// The index of the entity that ``recordKind`` belongs to; -1 if the source names no entities.
    private var recordEntity: Int32 = -2
    /// By column.
    private var known: [Known] = []

    init() {}

    /// Starts a record of an entity. `name` is evaluated only if the entity differs from the previous record's.
    mutating func beginRecord(entity: Int32, name: @autoclosure () -> String?) {
        guard let guide, entity != recordEntity else { return }
        recordEntity = entity
        recordKind = guide.kind(ofRecordsOf: name())
    }

    /// The meaning of an object or a list in a column of an object of a kind.
    mutating func content(of column: Int32, kind: Int32, _ columns: ColumnTable) -> MemberContent {
        guard let guide, kind >= 0, column >= 0, Int(column) < columns.names.count else { return .objects(kind: -1) }
        let index = Int(column)
        while known.count <= index { known.append(Known()) }
        if known[index].kind != kind {
            known[index] = Known(kind: kind, content: guide.content(of: columns.names[index], kind: kind))
        }
        return known[index].content
    }
}
