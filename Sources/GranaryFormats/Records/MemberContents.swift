/// A cache of a guide's answers about members, so that the guide is not asked for every record.
struct MemberContents {
    private struct Known {
        /// The kind of objects for which ``content`` was asked last.
        var kind: Int32 = -1
        var content = MemberContent.objects(kind: -1)
    }

    /// Nil if objects and lists in members are always related objects.
    var guide: (any MemberGuide)? {
        didSet { hasPaths = guide?.hasPaths ?? false }
    }
    /// Whether members of objects can be fields of the object around them.
    private(set) var hasPaths = false
    /// The paths of each kind that was asked for.
    private var paths: [Int32: MemberPaths] = [:]
    /// The kind of the current record.
    private(set) var recordKind: Int32 = -1
    /// The index of the entity that ``recordKind`` belongs to; -1 if the source names no entities.
    private var recordEntity: Int32 = -2
    /// By column.
    private var known: [Known] = []
    /// All answers, by kind and column.
    private var all: [UInt64: MemberContent] = [:]

    init() {}

    /// Starts a record of an entity. `name` is evaluated only if the entity differs from the previous record's.
    mutating func beginRecord(entity: Int32, name: @autoclosure () -> String?) {
        guard let guide, entity != recordEntity else { return }
        recordEntity = entity
        recordKind = guide.kind(ofRecordsOf: name())
    }

    /// The paths through an object or a list of a kind.
    mutating func paths(inside kind: Int32) -> MemberPaths {
        if let known = paths[kind] { return known }
        let found = guide?.paths(inside: kind) ?? MemberPaths()
        paths[kind] = found
        return found
    }

    /// The meaning of an element of a list whose elements can be fields.
    mutating func content(ofElement index: Int, inside kind: Int32) -> MemberContent {
        guard let guide, paths(inside: kind).elements.contains(index) else { return .objects(kind: -1) }
        return guide.content(of: String(index), kind: kind)
    }

    /// The meaning of an object or a list in a column of an object of a kind.
    mutating func content(of column: Int32, kind: Int32, _ columns: ColumnTable) -> MemberContent {
        guard let guide, kind >= 0, column >= 0, Int(column) < columns.names.count else { return .objects(kind: -1) }
        let index = Int(column)
        while known.count <= index { known.append(Known()) }
        if known[index].kind != kind {
            let key = UInt64(UInt32(bitPattern: kind)) << 32 | UInt64(UInt32(bitPattern: column))
            let content = all[key] ?? guide.content(of: columns.names[index], kind: kind)
            all[key] = content
            known[index] = Known(kind: kind, content: content)
        }
        return known[index].content
    }
}
