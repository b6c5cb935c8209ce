import Foundation
package import GranaryBase
import GranaryFormats

/// The sidecar beside a source, which tells how to read it. Options that are set have precedence.
package struct ImportSidecar: Sendable, Equatable {
    /// The path of the sidecar.
    package let path: String
    package let sidecar: ExportSidecar
    /// The tables in the source.
    package let tables: [ExportSidecar.Table]
    /// The folder with the source.
    package let folder: String

    /// The entity of the source; nil if it contains several tables.
    package var entity: String? { tables.count == 1 ? tables[0].entity : nil }

    /// The names of the columns with values of expressions, which are no properties.
    package var expressions: [String] {
        tables.flatMap(\.columns).filter { $0.type == ExportSidecar.Column.expression }.map(\.name)
    }

    /// The maximum size of a sidecar in bytes.
    private static let sizeLimit = 16 << 20

    /// Returns the sidecar of a source; nil if there is none.
    ///
    /// It is `SOURCE.granary.json`, or else `granary.json` in the source's folder if that lists the source. A file
    /// `granary.json` that does not begin as a sidecar is another file, unless it is empty or truncated.
    ///
    /// - Throws: ``GranaryError`` with code `refused` for a malformed sidecar, or `unreadable`.
    package static func find(besides source: String) throws(GranaryError) -> ImportSidecar? {
        let (folder, name) = split(source)
        guard !isName(name), FileKind(source) == .file else { return nil }
        let own = source + ExportSidecar.suffix
        if let sidecar = try read(own, isOwn: true) {
            // The file may have been renamed together with its sidecar.
            let tables = sidecar.files[name] ?? (sidecar.files.count == 1 ? sidecar.files.values.first : nil)
            return ImportSidecar(path: own, sidecar: sidecar, tables: tables ?? [], folder: folder)
        }
        let common = (folder.isEmpty ? "" : folder + "/") + ExportSidecar.folderName
        guard let sidecar = try read(common, isOwn: false), let tables = sidecar.files[name] else { return nil }
        return ImportSidecar(path: common, sidecar: sidecar, tables: tables, folder: folder)
    }

    /// Whether an import would read an existing sidecar for a file of this path, even if the file does not exist yet.
    package static func describes(_ source: String) -> Bool {
        if isSidecar(source + ExportSidecar.suffix) { return true }
        let (folder, name) = split(source)
        let common = (folder.isEmpty ? "" : folder + "/") + ExportSidecar.folderName
        return (try? read(common, isOwn: false))?.files[name] != nil
    }

    /// Whether a file is the sidecar of an export, and not data.
    package static func isSidecar(_ path: String) -> Bool {
        guard isName(split(path).name), FileKind(path) == .file else { return false }
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        guard let start = try? file.read(upToCount: 256) else { return false }
        return hasMarker(Array(start))
    }

    private static func isName(_ name: String) -> Bool {
        name == ExportSidecar.folderName || name.hasSuffix(ExportSidecar.suffix)
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        let bytes = Array(path.utf8)
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
        let folder = slash == 0 ? "/" : String(decoding: bytes[..<slash], as: UTF8.self)
        return (folder, String(decoding: bytes[(slash + 1)...], as: UTF8.self))
    }

    /// Whether a JSON text begins with the member that every sidecar begins with.
    private static func hasMarker(_ text: [UInt8]) -> Bool {
        afterBrace(text)?.starts(with: "\"\(ExportSidecar.marker)\"".utf8) ?? false
    }

    /// Whether a text ends before the end of the marker: a sidecar that was not written to its end.
    private static func endsInMarker(_ text: [UInt8]) -> Bool {
        if text.allSatisfy(isSpace) { return true }
        guard var start = afterBrace(text) else { return false }
        // An editor can have added a line end.
        while let last = start.last, isSpace(last) { start.removeLast() }
        return "\"\(ExportSidecar.marker)\"".utf8.starts(with: start)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// The text after the brace of an object and spaces; nil if it is no object.
    private static func afterBrace(_ text: [UInt8]) -> ArraySlice<UInt8>? {
        let start = text.drop(while: isSpace)
        guard start.first == UInt8(ascii: "{") else { return nil }
        return start.dropFirst().drop(while: isSpace)
    }

    /// Reads a sidecar; nil if there is no such file, or if it is another one.
    ///
    /// - Parameter isOwn: whether only a sidecar can have the name.
    private static func read(_ path: String, isOwn: Bool) throws(GranaryError) -> ExportSidecar? {
        guard FileKind(path) == .file else { return nil }
        guard isSidecar(path) else {
            var start = [UInt8](repeating: 0, count: 256)
            let count = try ByteSource(path: path).read(into: &start)
            start.removeSubrange(count...)
            guard isOwn || endsInMarker(start) else { return nil }
            guard endsInMarker(start) else {
                throw GranaryError(
                    Diagnostic(
                        .jsonSyntax,
                        "\(split(path).name) has the name of a sidecar but is not one; rename it, or remove it to import "
                            + "the data without it",
                        at: SourcePosition(file: path, line: 1, column: 1)))
            }
            throw broken(path, start.isEmpty ? "is empty" : "is truncated")
        }
        let text = try ByteSource(path: path).readAll(limit: sizeLimit)
        do {
            return try JSONDecoder().decode(SidecarMembers.self, from: Data(text)).sidecar()
        } catch let error as GranaryError {
            throw GranaryError(.refused, "\(path): \(error.message)", underlying: error)
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            throw broken(path, "has another kind of value than expected at \(Self.path(context.codingPath))")
        } catch DecodingError.keyNotFound(let key, let context) {
            throw broken(path, "has no member \(Self.path(context.codingPath + [key]))")
        } catch {
            throw broken(path, "is not valid JSON, or is truncated")
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        let path = keys.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
        return path.isEmpty ? "its top" : "\"\(Diagnostic.shortened(path))\""
    }

    private static func broken(_ path: String, _ reason: String) -> GranaryError {
        GranaryError(
            Diagnostic(
                .jsonSyntax,
                "the sidecar \(reason); export again, or remove it to import the data without it, with the options that "
                    + "it stands for",
                at: SourcePosition(file: path, line: 1, column: 1)))
    }
}

/// The members of a sidecar's JSON.
private struct SidecarMembers: Decodable {
    struct Column: Decodable {
        var name: String
        var type: String
        var destination: String?
        var reference: [String]?
        var file: Bool?
        var entity: String?
    }

    struct Table: Decodable {
        var entity: String
        var hash: String?
        var columns: [Column]
    }

    var granarySidecar: Int
    var incomplete: Bool?
    var format: String?
    var model: String?
    var order: String?
    var null: String?
    var dates: String?
    var binary: String?
    var nonFinite: String?
    var spreadsheet: Bool?
    var delimiter: String?
    var quote: String?
    var encoding: String?
    var decimalSeparator: String?
    var dateFormats: [String]?
    var locale: String?
    var timeZone: String?
    var `true`: String?
    var `false`: String?
    var blobs: String?
    var files: [String: [Table]]

    func sidecar() throws(GranaryError) -> ExportSidecar {
        guard granarySidecar == ExportSidecar.version else {
            throw GranaryError(
                .refused, "the sidecar has version \(granarySidecar), and this program reads \(ExportSidecar.version)")
        }
        if incomplete == true {
            throw GranaryError(
                .refused,
                "an export was interrupted while its files got their names, and old and new files may be mixed; "
                    + "export again, or remove the sidecar to import the file without it")
        }
        var result = ExportSidecar(format: format ?? "", model: model ?? "", order: order ?? "")
        result.null = null
        if let dates { result.dates = try Self.value(dates, "dates") }
        if let binary { result.binary = try Self.value(binary, "binary") }
        if let nonFinite { result.nonFinite = try Self.value(nonFinite, "nonFinite") }
        result.isForSpreadsheets = spreadsheet ?? false
        result.form = try form()
        if let blobs {
            guard ValueFiles.isName(blobs) else {
                throw GranaryError(.refused, "the sidecar's folder of values must be beside the data")
            }
            result.blobs = blobs
        }
        for (name, tables) in files {
            result.files[name] = tables.map { table in
                ExportSidecar.Table(
                    entity: table.entity, hash: table.hash ?? "",
                    columns: table.columns.map { column in
                        ExportSidecar.Column(
                            name: column.name, type: column.type, destination: column.destination,
                            reference: column.reference, isFile: column.file ?? false, entity: column.entity)
                    })
            }
        }
        return result
    }

    private func form() throws(GranaryError) -> TextForm {
        var form = TextForm()
        form.delimiter = try Self.option(delimiter, "delimiter", OptionText.byte)
        form.quote = try Self.option(quote, "quote", OptionText.byte)
        form.encoding = try Self.option(encoding, "encoding", OptionText.encoding)
        if let separator = try Self.option(decimalSeparator, "decimalSeparator", OptionText.separator) {
            form.decimalSeparator = separator
        }
        for format in dateFormats ?? [] {
            if let format = try Self.option(format, "dateFormats", OptionText.dateFormat) {
                form.dateFormats.append(format)
            }
        }
        form.locale = try Self.option(locale, "locale", OptionText.locale)
        form.timeZone = try Self.option(timeZone, "timeZone", OptionText.timeZone)
        (form.trueText, form.falseText) = (self.true, self.false)
        if let problem = form.problem {
            throw GranaryError(.refused, "the sidecar's member \(problem.option): \(problem.reason)")
        }
        return form
    }

    private static func option<Value>(
        _ text: String?, _ member: String, _ read: (String) throws(OptionProblem) -> Value
    ) throws(GranaryError) -> Value? {
        guard let text else { return nil }
        do throws(OptionProblem) { return try read(text) } catch {
            throw GranaryError(.refused, "the sidecar's member \(member): \(error.message)")
        }
    }

    private static func value<Value: RawRepresentable<String>>(
        _ text: String, _ member: String
    ) throws(GranaryError) -> Value {
        guard let value = Value(rawValue: text) else {
            throw GranaryError(
                .refused, "\"\(Diagnostic.shortened(text))\" is not a value of the sidecar's member \(member)")
        }
        return value
    }
}
