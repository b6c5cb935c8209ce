import Foundation
import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryRecords

extension ImportSidecar {
    /// The options for the source's records: the given ones, and what the sidecar says where they say nothing.
    func applied(to options: ImportOptions) -> ImportOptions {
        let standard = ImportOptions()
        var result = options
        if let null = sidecar.null, !options.given.contains(.nullTexts), options.nullTexts == standard.nullTexts {
            result.nullTexts = [null]
        }
        if sidecar.dates == .seconds, !options.given.contains(.dateFormats),
            options.dateFormats == standard.dateFormats
        {
            result.dateFormats = [.seconds]
        }
        let form = sidecar.form
        if form.changesDates, !options.given.contains(.dateFormats), options.dateFormats == standard.dateFormats {
            result.dateFormats = form.datesInOrder
            result.locale = options.locale ?? form.locale
        }
        result.timeZone = options.timeZone ?? form.timeZone
        if options.decimalSeparator == standard.decimalSeparator { result.decimalSeparator = form.decimalSeparator }
        if options.trueTexts == nil, options.falseTexts == nil, let trueText = form.trueText,
            let falseText = form.falseText
        {
            (result.trueTexts, result.falseTexts) = ([trueText], [falseText])
        }
        if !options.given.contains(.binaryFormat), options.binaryFormat == standard.binaryFormat {
            result.binaryFormat = sidecar.binary
        }
        for (relationship, lookup) in lookups(options) { result.lookups[relationship] = lookup }
        result.ignoredColumns.formUnion(expressions(options))
        let files = tables.flatMap(\.columns).filter(\.isFile)
        if let blobs = sidecar.blobs, !files.isEmpty {
            var inline: [String: Set<String>] = [:]
            for table in tables {
                for column in table.columns where !column.isFile {
                    inline[column.entity ?? table.entity, default: []].insert(column.name)
                }
            }
            result.valueFiles = ValueFiles(
                parent: folder, name: blobs, columns: Set(files.map(\.name)), inline: inline)
        }
        return result
    }

    /// The columns with values of expressions that the options leave out of the import by saying nothing about them.
    private func expressions(_ options: ImportOptions) -> [String] {
        expressions.filter {
            options.columnMap[$0] == nil && options.columnOptions[$0] == nil && !options.ignores($0)
                && !options.ignoresOtherColumns
        }
    }

    /// A note that names the columns with values of expressions, which are not imported; nil if there are none.
    func note(_ options: ImportOptions, source: String) -> Diagnostic? {
        let names = expressions(options)
        guard !names.isEmpty else { return nil }
        return Diagnostic(
            .headerUnknown,
            "the sidecar says that \(CountText.count(names.count, "column")) "
                + (names.count == 1 ? "contains an expression: " : "contain expressions: ")
                + names.joined(separator: ", ")
                + "; \(names.count == 1 ? "it is" : "they are") left out, and changes in "
                + "\(names.count == 1 ? "it" : "them") are not imported", severity: .note,
            at: SourcePosition(file: source, line: 1, column: 1), entity: entity)
    }

    /// The lookups of relationships for which the options have none. Relationships of one name that refer to objects
    /// in different ways are left out; an import then recognises each form.
    private func lookups(_ options: ImportOptions) -> [String: ImportOptions.Lookup] {
        var found: [String: ImportOptions.Lookup] = [:]
        var contradictory: Set<String> = []
        for column in tables.flatMap(\.columns) {
            guard let reference = column.reference, let first = reference.first else { continue }
            let name = options.columnMap[column.name] ?? column.name
            guard options.lookups[name] == nil, options.nestedKeys[name] == nil else { continue }
            let lookup: ImportOptions.Lookup =
                reference.count > 1
                ? .attributes(reference)
                : first == RecordTable.identifierColumn ? .identifier : .attribute(first)
            if let other = found.updateValue(lookup, forKey: name), other != lookup { contradictory.insert(name) }
        }
        return found.filter { !contradictory.contains($0.key) }
    }

    /// Checks that the source's columns are properties of the model with the types that they had when the source was
    /// exported.
    ///
    /// - Parameter entity: the entity that the import names; nil for the sidecar's.
    /// - Throws: ``GranaryError`` with code `refused` and all differences.
    func check(entity: String?, _ schema: Schema, _ options: ImportOptions) throws(GranaryError) {
        var problems: [Diagnostic] = []
        for table in tables {
            let name = tables.count == 1 ? entity ?? table.entity : table.entity
            if schema.versionHashes[name]?.base64EncodedString() == table.hash, schema.checksum == sidecar.model {
                continue
            }
            guard let found = schema.entity(named: name) else {
                problems.append(problem("the model has no entity \"\(Diagnostic.shortened(name))\"", nil))
                continue
            }
            for column in table.columns {
                let owner = column.entity.map { schema.entity(named: $0) ?? found } ?? found
                if let reason = mismatch(column, owner, schema, options) {
                    problems.append(problem(reason, owner.name, column.name))
                }
            }
        }
        guard problems.isEmpty else {
            throw GranaryError(
                .refused, "\(path): the sidecar does not fit the model; map or ignore the columns, or remove it",
                diagnostics: problems)
        }
    }

    private func problem(_ reason: String, _ entity: String?, _ column: String? = nil) -> Diagnostic {
        Diagnostic(
            .storeMismatch, "the sidecar does not fit the model: " + reason,
            at: SourcePosition(file: path, line: 1, column: 1), field: column, entity: entity)
    }

    /// Why a column does not fit the property of its name; nil if it fits, or if the options say what it is.
    private func mismatch(
        _ column: ExportSidecar.Column, _ entity: Schema.Entity, _ schema: Schema, _ options: ImportOptions
    ) -> String? {
        guard !["id", "entity", ExportSidecar.Column.expression].contains(column.type),
            options.columnMap[column.name] == nil,
            !options.ignoredColumns.contains(column.name), options.columnOptions[column.name] == nil
        else { return nil }
        switch entity.property(named: column.name) {
        case .attribute(let index)?:
            let type = entity.attributes[index].type
            return type.name == column.type ? nil : "the column is \(column.type), and the attribute is \(type.name)"
        case .relationship(let index)?:
            let relationship = entity.relationships[index]
            let type = relationship.isToMany ? "to-many" : "to-one"
            guard type == column.type else { return "the column is \(column.type), and the property is \(type)" }
            let destination = schema.entities[relationship.destination]
            if let named = column.destination, named != destination.name {
                return "the column refers to \(named), and the relationship to \(destination.name)"
            }
            guard let reference = column.reference, reference != [RecordTable.identifierColumn],
                options.lookups[column.name] == nil
            else { return nil }
            let keys = [true, false].compactMap { NaturalKey(of: destination, allowsSeveral: $0) }
            if keys.contains(where: { $0.attributes.map(\.name) == reference }) { return nil }
            return "the column contains \(reference.joined(separator: ", ")), which is not the key of "
                + destination.name
        case nil: return "\(entity.name) has no property \"\(Diagnostic.shortened(column.name))\""
        }
    }
}
