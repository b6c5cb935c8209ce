import GranaryBase
package import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryRecords

extension Exporter {
    /// Exports a store to a destination in the format of the destination.
    ///
    /// - Throws: as ``run(_:into:files:)``, and ``GranaryError`` with code `usage` or `uncreatable` for the
    ///   destination.
    package func run(_ store: any StoreBackend, to destination: ExportDestination) throws -> ExportReport {
        let format = try destination.resolvedFormat()
        try check(format, destination)
        let beside = format == .terms ? nil : FilesBeside(destination, options)
        try destination.check(beside: beside?.paths ?? [])
        var completed = options
        completed.identifiers = options.identifiers ?? (format.isDelimited ? .whereNeeded : .always)
        let exporter = Exporter(options: completed)
        if format == .terms { return try exporter.runTerms(store, to: destination) }
        let rounded = options.roundsDates ? RoundedDates() : nil
        var report = try exporter.run(store, to: destination, format, beside, rounded)
        report.warnings += rounded?.diagnostics(options.form) ?? []
        return report
    }

    private func run(
        _ store: any StoreBackend, to destination: ExportDestination, _ format: DataFormat, _ beside: FilesBeside?,
        _ rounded: RoundedDates?
    ) throws -> ExportReport {
        let groups = try ExportPlan.groups(store.schema, options)
        try destination.check(tables: groups.count, format, isFamily: options.entities.count == 1)
        // A document of one entity is an array.
        let isOne = destination.isFolder || Set(options.entities).count == 1 && groups.count == 1
        switch format {
        case .csv, .tsv:
            var csv = format == .tsv ? CSVWriter.Options.tsv : CSVWriter.Options()
            if let nullText = options.nullText { csv.null = nullText }
            (csv.dates, csv.binary, csv.nonFinite) = (options.dates, options.binary, options.nonFinite)
            csv.escapesFormulas = options.isForSpreadsheets
            csv.apply(options.form, rounded: rounded)
            return try run(store, to: destination, format, beside) { [csv] file throws(GranaryError) in
                try CSVWriter(file, options: csv)
            }
        case .json, .ndjson:
            var json = JSONWriter.Options()
            json.shape = format == .ndjson ? .lines : isOne ? .array : .document
            (json.dates, json.binary, json.nonFinite) = (options.dates, options.binary, options.nonFinite)
            (json.form, json.rounded) = (options.form, rounded)
            return try run(store, to: destination, format, beside) { [json] file throws(GranaryError) in
                JSONWriter(file, options: json)
            }
        case .plist, .terms:
            var list = PropertyListWriter.Options()
            list.shape = isOne ? .array : .document
            list.encoding = options.propertyListEncoding
            list.nonFinite = options.nonFinite
            return try run(store, to: destination, format, beside) { [list] file throws(GranaryError) in
                PropertyListWriter(file, options: list)
            }
        }
    }

    /// Exports to a folder with a file for each table, or to one file.
    private func run<Table: ValueWriter>(
        _ store: any StoreBackend, to destination: ExportDestination, _ format: DataFormat, _ beside: FilesBeside?,
        _ makeText: @escaping (ByteOutput) throws(GranaryError) -> Table
    ) throws -> ExportReport {
        let identifiers = options.identifiers ?? .always
        let plan = try ExportPlan(schema: store.schema, options: options, identifiers: identifiers)
        try check(plan)
        func makeTable(_ output: ByteOutput) throws(GranaryError) -> Table {
            options.form.apply(to: output)
            return try makeText(output)
        }
        guard destination.isFolder else {
            let output = try destination.output()
            let writer = try makeTable(output)
            guard let beside else {
                var report = try run(store, into: writer)
                if let csv = writer as? CSVWriter, csv.blankRows > 0 {
                    report.warnings.append(Self.note(csv.blankRows))
                }
                return report
            }
            let files = try beside.begin(ExportSidecar(plan, options, format, file: beside.name))
            output.beforePublishing = { () throws(GranaryError) in try files.beginRenames() }
            output.afterPublishing = { () throws(GranaryError) in try files.finish() }
            return try run(store, into: writer, files: files.values)
        }
        let writer = try destination.folder(
            format, sidecar: ExportSidecar(plan, options, format, file: nil).text, blobs: options.blobs == .files,
            makeTable)
        return try run(store, into: writer, files: writer.blobs)
    }

    /// The warning about rows that an import without a sidecar takes for empty ones.
    private static func note(_ blankRows: Int) -> Diagnostic {
        Diagnostic(
            .valueMissing,
            "\(CountText.count(blankRows, "row")) \(blankRows == 1 ? "is" : "are") NULL in all columns, which an import "
                + "skips unless it is told otherwise",
            severity: .warning, help: "--blank-rows null")
    }

    /// Throws if dates need a time zone that the options do not have.
    private func check(_ plan: ExportPlan) throws(GranaryError) {
        guard plan.hasDates, let texts = try ValueTexts(options.form, rounded: nil) else { return }
        try texts.checkZone()
    }

    /// Throws if options do not apply to the format or the destination.
    private func check(_ format: DataFormat, _ destination: ExportDestination) throws(GranaryError) {
        if options.isForSpreadsheets, !format.isDelimited {
            throw GranaryError(.usage, "only CSV and TSV can be written for spreadsheets")
        }
        if let problem = options.form.problem(for: format) {
            throw GranaryError(.usage, "\(problem.option): \(problem.reason)")
        }
        if options.form.changesDates, options.dates != .iso8601 {
            throw GranaryError(.usage, "dates cannot be seconds and have a format or a time zone")
        }
        if !options.nested.isEmpty {
            if !format.nests {
                throw GranaryError(
                    .usage,
                    "nested objects need JSON, JSON Lines or a property list; \(format.rawValue) cannot contain them")
            }
            if options.omitsInverses {
                throw GranaryError(
                    .usage, "an export with objects in objects cannot omit one side of relationships")
            }
        }
        guard options.blobs == .files else { return }
        if format == .terms { throw GranaryError(.usage, "a constant table contains its values, not paths of files") }
        let isStream =
            switch destination.target {
            case .standardOutput, .stream: true
            case .file(let path, _): FileKind(path) == .special
            case .folder: false
            }
        if isStream {
            throw GranaryError(
                .usage,
                "files of values need a file or folder beside them, not standard output, a stream, a device or a pipe")
        }
    }

    private func runTerms(_ store: any StoreBackend, to destination: ExportDestination) throws -> ExportReport {
        guard let terms = options.terms, let entity = options.entities.first, options.entities.count == 1 else {
            throw GranaryError(.usage, "a constant table needs one entity, its attributes and a delimiter")
        }
        let (dates, binary, nonFinite) = (options.dates, options.binary, options.nonFinite)
        let rounded = options.roundsDates ? RoundedDates() : nil
        func table(_ output: ByteOutput) throws(GranaryError) -> TermsWriter {
            options.form.apply(to: output)
            return try TermsWriter(
                output, delimiter: terms.delimiter, fieldDelimiter: terms.fieldDelimiter, dates: dates, binary: binary,
                nonFinite: nonFinite, form: options.form, rounded: rounded)
        }
        var report: ExportReport
        if destination.isFolder {
            let writer = try destination.folder(.terms, sidecar: [], blobs: false) { output throws(GranaryError) in
                try table(output)
            }
            report = try runTerms(
                store, entity: entity, attributes: terms.attributes, ordinal: terms.ordinal, into: writer)
        } else {
            report = try runTerms(
                store, entity: entity, attributes: terms.attributes, ordinal: terms.ordinal,
                into: try table(try destination.output()))
        }
        report.warnings = try store.strayRowWarnings(read: [:]) + (rounded?.diagnostics(options.form) ?? [])
        return report
    }
}
