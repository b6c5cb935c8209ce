import GranaryBase

/// Moves the members of objects, and the elements of lists, into the object around them, in columns with the path as
/// name, where the guide says so (``MemberContent/columns(kind:)``).
///
/// Objects inside each other are lists of work, not calls, so depth costs no stack.
struct PathFlattener {
    /// Why a record cannot be changed.
    enum Problem {
        /// The source has too many columns.
        case tooMany
        /// A path and a member, or two paths, have one column.
        case duplicate(name: String, first: Int32, second: Int32)
    }

    /// The fields of an object, which move into the object around it.
    private struct Part {
        /// The fields in ``Record/nestedFields``, or those of the record itself.
        let isRecord: Bool
        var next: Int
        let end: Int
        let kind: Int32
        /// The column of the path to the object; −1 for an object that stays.
        let prefix: Int32
    }

    /// An object that stays: the record itself, or one nested in it.
    private struct Owner {
        /// Its index in the record's objects; −1 for the record itself.
        let old: Int32
        /// Its index in ``nested``; −1 for the record itself.
        let new: Int32
        let kind: Int32
    }

    private struct Step: Hashable {
        let prefix: Int32
        let member: Int32
    }

    /// The columns of paths that were met: that of a member under a prefix.
    private var columns: [Step: Int32] = [:]
    /// The column of each element's index.
    private var indexes: [Int: Int32] = [:]
    /// For each column, the number of the last object that has it, and the place.
    private var met: [(object: Int, place: Int32)] = []
    private var objectCount = 0
    private var nested: [Record.Nested] = []
    private var fields: [Record.Field] = []
    private var nestedFields: [Record.Field] = []
    /// The fields of the current owner.
    private var current: [Record.Field] = []
    private var parts: [Part] = []
    private var owners: [Owner] = []
    private var limit = 0
    private var problem: Problem?

    /// Changes a record. Its objects must have the kinds of the guide.
    ///
    /// - Parameter limit: the maximum number of columns.
    mutating func flatten(
        _ record: inout Record, _ table: inout ColumnTable, _ contents: inout MemberContents, limit: Int
    ) -> Problem? {
        self.limit = limit
        problem = nil
        nested.removeAll(keepingCapacity: true)
        nestedFields.removeAll(keepingCapacity: true)
        owners = [Owner(old: -1, new: -1, kind: contents.recordKind)]
        var next = 0
        while next < owners.count, problem == nil {
            let owner = owners[next]
            next += 1
            flatten(owner, record, &table, &contents)
            if owner.new < 0 {
                fields = current
            } else {
                let index = Int(owner.new)
                nested[index].fieldsStart = Int32(truncatingIfNeeded: nestedFields.count)
                nestedFields.append(contentsOf: current)
                nested[index].fieldsEnd = Int32(truncatingIfNeeded: nestedFields.count)
            }
        }
        guard problem == nil else { return problem }
        swap(&record.fields, &fields)
        swap(&record.nested, &nested)
        swap(&record.nestedFields, &nestedFields)
        return nil
    }

    private mutating func flatten(
        _ owner: Owner, _ record: borrowing Record, _ table: inout ColumnTable, _ contents: inout MemberContents
    ) {
        objectCount += 1
        current.removeAll(keepingCapacity: true)
        parts.removeAll(keepingCapacity: true)
        if owner.old < 0 {
            parts.append(Part(isRecord: true, next: 0, end: record.fields.count, kind: owner.kind, prefix: -1))
        } else {
            parts.append(part(of: owner.old, record, kind: owner.kind, prefix: -1))
        }
        while let last = parts.indices.last, problem == nil {
            let part = parts[last]
            guard part.next < part.end else {
                parts.removeLast()
                continue
            }
            let field = part.isRecord ? record.fields[part.next] : record.nestedFields[part.next]
            var end = part.next + 1
            if field.isElement {
                let all = part.isRecord ? record.fields : record.nestedFields
                while end < part.end, all[end].isElement, all[end].column == field.column { end += 1 }
            }
            parts[last].next = end
            take(part.next..<end, field, of: part, owner, record, &table, &contents)
        }
    }

    private func part(of object: Int32, _ record: borrowing Record, kind: Int32, prefix: Int32) -> Part {
        guard record.nested.indices.contains(Int(object)) else {
            return Part(isRecord: false, next: 0, end: 0, kind: kind, prefix: prefix)
        }
        let nested = record.nested[Int(object)]
        return Part(
            isRecord: false, next: Int(nested.fieldsStart), end: Int(nested.fieldsEnd), kind: kind, prefix: prefix)
    }

    /// Takes a field, or all elements of a list.
    private mutating func take(
        _ range: Range<Int>, _ field: Record.Field, of part: Part, _ owner: Owner, _ record: borrowing Record,
        _ table: inout ColumnTable, _ contents: inout MemberContents
    ) {
        guard let column = column(field.column, under: part.prefix, &table) else { return }
        var content = MemberContent.objects(kind: -1)
        switch field.kind {
        case .object, .null, .emptyList: content = contents.content(of: field.column, kind: part.kind, table)
        default: if field.isElement { content = contents.content(of: field.column, kind: part.kind, table) }
        }
        guard case .columns(let kind) = content else {
            guard isNew(column, field.rawStart, table) else { return }
            for index in range {
                let field = part.isRecord ? record.fields[index] : record.nestedFields[index]
                keep(field, in: column, isElement: field.isElement, kind: content.kind, owner, record)
            }
            return
        }
        if field.isElement {
            return takeElements(range, in: column, kind, of: part, owner, record, &table, &contents)
        }
        switch field.kind {
        case .object: parts.append(self.part(of: field.start, record, kind: kind, prefix: column))
        case .null, .emptyList:
            for name in contents.paths(inside: kind).columns { addNull(name, like: field, &table) }
        default: if isNew(column, field.rawStart, table) { keep(field, in: column, owner, record) }
        }
    }

    private mutating func takeElements(
        _ range: Range<Int>, in column: Int32, _ kind: Int32, of part: Part, _ owner: Owner,
        _ record: borrowing Record, _ table: inout ColumnTable, _ contents: inout MemberContents
    ) {
        let paths = contents.paths(inside: kind)
        var hasOthers = false
        var inner: [Part] = []
        for index in range {
            let field = part.isRecord ? record.fields[index] : record.nestedFields[index]
            guard paths.elements.contains(index - range.lowerBound) else {
                if !hasOthers, !isNew(column, field.rawStart, table) { return }
                hasOthers = true
                keep(field, in: column, isElement: true, owner, record)
                continue
            }
            guard let name = self.index(index - range.lowerBound, &table),
                let element = self.column(name, under: column, &table)
            else { return }
            let content = contents.content(of: name, kind: kind, table)
            if field.kind == .object, case .columns(let elementKind) = content {
                inner.append(self.part(of: field.start, record, kind: elementKind, prefix: element))
            } else if isNew(element, field.rawStart, table) {
                keep(field, in: element, kind: content.kind, owner, record)
            }
        }
        // The elements that the list does not have.
        for path in paths.columns {
            let rest = path.dropFirst(paths.prefix.count + 1).prefix { $0 != "." }
            guard let element = Int(rest), element >= range.count else { continue }
            let first = part.isRecord ? record.fields[range.lowerBound] : record.nestedFields[range.lowerBound]
            addNull(path, like: first, &table)
        }
        parts.append(contentsOf: inner.reversed())
    }

    // MARK: Fields

    private mutating func keep(
        _ field: Record.Field, in column: Int32, isElement: Bool = false, kind: Int32 = -1, _ owner: Owner,
        _ record: borrowing Record
    ) {
        var field = field
        field.column = column
        field.isElement = isElement
        if field.kind == .object, record.nested.indices.contains(Int(field.start)) {
            var object = record.nested[Int(field.start)]
            owners.append(Owner(old: field.start, new: Int32(truncatingIfNeeded: nested.count), kind: kind))
            (object.parent, object.column, object.isElement) = (owner.new, column, isElement)
            field.start = Int32(truncatingIfNeeded: nested.count)
            field.end = field.start
            nested.append(object)
        }
        current.append(field)
    }

    private mutating func addNull(_ name: String, like field: Record.Field, _ table: inout ColumnTable) {
        var name = name
        guard let column = name.withUTF8({ table.add($0, limit: limit) }) else {
            problem = problem ?? .tooMany
            return
        }
        guard isNew(column, field.rawStart, table) else { return }
        var null = field
        (null.kind, null.column, null.isElement) = (.null, column, false)
        (null.start, null.end) = (0, 0)
        current.append(null)
    }

    /// Whether the current owner has no field in a column yet; otherwise a problem.
    private mutating func isNew(_ column: Int32, _ place: Int32, _ table: ColumnTable) -> Bool {
        let index = Int(column)
        // A member whose name is invalid is a problem that was found before.
        guard table.names.indices.contains(index) else { return true }
        while met.count <= index { met.append((0, 0)) }
        let other = met[index]
        met[index] = (objectCount, place)
        guard other.object == objectCount else { return true }
        problem = problem ?? .duplicate(name: table.names[index], first: other.place, second: place)
        return false
    }

    // MARK: Columns

    /// The column of a member under a prefix; nil if the source has too many columns.
    private mutating func column(_ member: Int32, under prefix: Int32, _ table: inout ColumnTable) -> Int32? {
        guard prefix >= 0 else { return member }
        let step = Step(prefix: prefix, member: member)
        if let known = columns[step] { return known }
        guard table.names.indices.contains(Int(prefix)), table.names.indices.contains(Int(member)) else { return nil }
        var name = table.names[Int(prefix)] + "." + table.names[Int(member)]
        return note(name.withUTF8 { table.add($0, limit: limit) }, step)
    }

    private mutating func note(_ column: Int32?, _ step: Step) -> Int32? {
        guard let column else {
            problem = problem ?? .tooMany
            return nil
        }
        columns[step] = column
        return column
    }

    /// The column with an element's index as name.
    private mutating func index(_ element: Int, _ table: inout ColumnTable) -> Int32? {
        if let known = indexes[element] { return known }
        var name = String(element)
        guard let column = name.withUTF8({ table.add($0, limit: limit) }) else {
            problem = problem ?? .tooMany
            return nil
        }
        indexes[element] = column
        return column
    }
}
