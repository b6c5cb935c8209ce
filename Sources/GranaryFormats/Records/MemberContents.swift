/// What a guide said of the members, so that it is asked once and not for every record.
struct MemberContents {
    private struct Known {
        /// Of which objects it was asked last.
        var kind: Int32 = -1
        var content = MemberContent.objects(kind: -1)
    }

    /// Nil: no member holds a value of its own.
    var guide: (any MemberGuide)?
    /// The kind of the record at hand.
    private(set) var recordKind: Int32 = -1
    /// Which of the reader's entities ``recordKind`` is of; -1: the source names none.
    private var recordEntity: Int32 = -2
    /// By column.
    private var known: [Known] = []

    init() {}

    /// Starts a record of an entity, whose name is only looked at when it is another one than before.
    mutating func beginRecord(entity: Int32, name: @autoclosure () -> String?) {
        guard let guide, entity != recordEntity else { return }
        recordEntity = entity
        recordKind = guide.kind(ofRecordsOf: name())
    }

    /// What an object or a list in a column of an object of that kind is.
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
