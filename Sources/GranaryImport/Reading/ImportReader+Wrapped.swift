import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryRecords

/// Documents that are one object with the records inside.
extension ImportReader {
    /// A diagnostic with the place of the records if the document is one object that has fewer properties of the entity
    /// than the objects in one of its members. Nil if the object can be a record itself.
    func wrapping(
        _ entity: Schema.Entity, _ record: borrowing Record, _ fields: ArraySlice<Record.Field>,
        _ reader: any RecordReader, _ rowParser: RowParser
    ) -> Diagnostic? {
        guard record.number == 1, let wrapped = reader.abilities?.wrappedRecords, !wrapped.isEmpty else { return nil }
        let plan = rowParser.plan
        var own: Set<Int32> = []
        var unknown: [String: Record.Field] = [:]
        for field in fields {
            if plan.property(ofColumn: Int(field.column)) != nil {
                own.insert(field.column)
            } else if plan.hasNoProperty(column: Int(field.column)), unknown[plan.columnName(field.column)] == nil {
                unknown[plan.columnName(field.column)] = field
            }
        }
        func fit(_ place: WrappedRecords) -> Int {
            place.members.count { name in ((try? plan.property(of: name)) ?? nil) != nil }
        }
        // The objects in a property are related objects.
        let places = wrapped.filter { place in
            if place.isWeak, !own.isEmpty { return false }
            return place.path.first.map { unknown[$0] != nil } ?? (own.isEmpty && !unknown.isEmpty)
        }
        let likely = places.filter { !$0.isWeak }
        let arrays = (likely.isEmpty ? places : likely).filter { !$0.isKeyed }
        var best = places.first
        for place in places { if fit(place) > best.map(fit) ?? 0 { best = place } }
        if own.isEmpty, arrays.count == 1, best.map(fit) == 0 { best = arrays[0] }
        guard let best, fit(best) > own.count || own.isEmpty && arrays == [best] else { return nil }
        let field = (best.path.first ?? best.firstName).flatMap { unknown[$0] }
        var position = record.position(ofRaw: 0, file: reader.sourceName)
        if let field { position = record.position(of: field, file: reader.sourceName) }
        return Diagnostic(
            .headerUnknown, "the document is one object and not a record of \(entity.name); \(best.advice)",
            at: position,
            field: field.map { plan.columnName($0.column) }, entity: entity.name, help: help(best, plan))
    }

    /// The options that read the records of a place.
    private func help(_ place: WrappedRecords, _ plan: ColumnPlan) -> String? {
        guard place.isKeyed else { return place.help(key: "") }
        // The names of the records are probably their key.
        let natural = NaturalKey(of: plan.entity, allowsSeveral: false)?.attributes.map(\.name) ?? []
        let key = natural.first { name in
            !place.members.contains { ((try? plan.property(of: $0)) ?? nil) == name }
        }
        if let key { return place.help(key: key) }
        var column = "key"
        while place.members.contains(column) || ((try? plan.property(of: column)) ?? nil) != nil { column += "_" }
        return OptionHelp.all([place.help(key: column), OptionHelp.option("ignore", column)])
    }
}
