import Foundation
import GranaryBase
import GranaryCoordination
package import GranaryFormats
package import GranaryModel

/// The description of exported files: which entity each contains, the types of its columns, and the forms of values.
///
/// It is a JSON file beside the data: `granary.json` in an exported folder, `FILE.granary.json` beside an exported file
/// that cannot be read without it. An import reads it, so that it needs no options.
package struct ExportSidecar: Sendable, Equatable {
    /// The name of the sidecar in a folder.
    package static let folderName = "granary.json"
    /// The suffix of the sidecar of a single file.
    package static let suffix = ".granary.json"
    /// The name of the folder for values in an exported folder.
    package static let blobFolder = "blobs"
    /// The suffix of the folder for values beside a single file.
    package static let blobSuffix = ".blobs"
    /// The first member, whose value is the version of the format.
    static let marker = "granarySidecar"
    static let version = 1

    /// One column of a table.
    package struct Column: Sendable, Equatable {
        /// The type of a column with values that the store computes.
        package static let expression = "expression"

        package var name: String
        /// The name of an attribute's type, `to-one`, `to-many`, `id`, `entity` or `expression`.
        package var type: String
        /// The destination of a relationship.
        package var destination: String?
        /// How a relationship's destinations are named: `$id`, or the attributes of the key.
        package var reference: [String]?
        /// Whether the column contains the paths of files.
        package var isFile = false
        /// The entity whose rows have the column; nil for all rows.
        package var entity: String?
    }

    /// The table in a file.
    package struct Table: Sendable, Equatable {
        package var entity: String
        /// The version hash of the entity, in Base64.
        package var hash: String
        package var columns: [Column]

        package init(entity: String, hash: String, columns: [Column]) {
            self.entity = entity
            self.hash = hash
            self.columns = columns
        }
    }

    /// The name of the format: `csv`, `json`.
    package var format: String
    /// The checksum of the model's version hashes.
    package var model: String
    /// The order of the rows: `primary key`, or the sort keys.
    package var order: String
    /// CSV and TSV: the text for NULL.
    package var null: String?
    package var dates = DateStyle.iso8601
    package var binary = BinaryStyle.base64
    package var nonFinite = NonFiniteStyle.error
    package var isForSpreadsheets = false
    /// The separators, the encoding, and the forms of dates, fractions and Booleans.
    package var form = TextForm()
    /// The folder with the files of values, beside the data; nil if there are none.
    package var blobs: String?
    /// The tables of each file, by its name.
    package var files: [String: [Table]] = [:]

    package init(format: String, model: String, order: String) {
        self.format = format
        self.model = model
        self.order = order
    }
}

extension ExportSidecar.Column {
    package init(_ column: RecordTable.Column, _ schema: Schema) {
        self.init(name: column.name, type: Self.expression)
        entity = column.entity.map { schema.entities[$0].name }
        isFile = column.isFile
        switch column.content {
        case .identifier: type = "id"
        case .entityName: type = "entity"
        case .computed: break
        case .attribute(let attribute):
            if !column.isExpression { type = attribute.type.name }
        case .relationship(let relationship, let style):
            type = relationship.isToMany ? "to-many" : "to-one"
            destination = schema.entities[relationship.destination].name
            switch style {
            case .id: reference = [RecordTable.identifierColumn]
            case .key(let key): reference = key.attributes.map(\.name)
            }
        }
    }
}

// MARK: - Text

extension ExportSidecar {
    /// The sidecar while files get their names. With it an import is refused.
    package static let incompleteText = Array(
        "{\n  \"\(marker)\": \(version),\n  \"incomplete\": true,\n  \"files\": {}\n}\n".utf8)

    /// The sidecar as JSON. Equal sidecars have equal bytes.
    package var text: [UInt8] {
        var json = SidecarText()
        json.begin("{")
        json.member(Self.marker, raw: "\(Self.version)")
        json.member("format", format)
        json.member("model", model)
        json.member("order", order)
        if let null { json.member("null", null) }
        if format != DataFormat.plist.rawValue {
            json.member("dates", dates.rawValue)
            json.member("binary", binary.rawValue)
        }
        json.member("nonFinite", nonFinite.rawValue)
        if isForSpreadsheets { json.member("spreadsheet", raw: "true") }
        append(form, to: &json)
        if let blobs { json.member("blobs", blobs) }
        json.name("files")
        json.begin("{")
        for (name, tables) in files.sorted(by: { utf8Less($0.key, $1.key) }) {
            json.name(name)
            json.begin("[")
            for table in tables { append(table, to: &json) }
            json.end("]")
        }
        json.end("}")
        json.end("}")
        return json.bytes + [0x0A]
    }

    /// Appends what a reader needs; a byte order mark tells itself.
    private func append(_ form: TextForm, to json: inout SidecarText) {
        func member(_ name: String, _ byte: UInt8?) {
            if let byte { json.member(name, String(decoding: [byte], as: UTF8.self)) }
        }
        member("delimiter", form.delimiter)
        member("quote", form.quote)
        if let encoding = form.encoding { json.member("encoding", encoding.optionName) }
        if form.decimalSeparator != "." { json.member("decimalSeparator", String(form.decimalSeparator)) }
        if !form.dateFormats.isEmpty { json.member("dateFormats", form.dateFormats.map(\.optionText)) }
        if let locale = form.locale { json.member("locale", locale.identifier) }
        if let zone = form.timeZone { json.member("timeZone", zone.identifier) }
        if let text = form.trueText { json.member("true", text) }
        if let text = form.falseText { json.member("false", text) }
    }

    private func append(_ table: Table, to json: inout SidecarText) {
        json.element()
        json.begin("{")
        json.member("entity", table.entity)
        json.member("hash", table.hash)
        json.name("columns")
        json.begin("[")
        for column in table.columns {
            json.element()
            json.begin("{", isInline: true)
            json.member("name", column.name)
            json.member("type", column.type)
            if let destination = column.destination { json.member("destination", destination) }
            if let reference = column.reference { json.member("reference", reference) }
            if column.isFile { json.member("file", raw: "true") }
            if let entity = column.entity { json.member("entity", entity) }
            json.end("}")
        }
        json.end("]")
        json.end("}")
    }
}

/// Appends JSON, one member on each line.
private struct SidecarText {
    private(set) var bytes: [UInt8] = []
    /// For each open object or list, whether it is on one line.
    private var open: [Bool] = []
    private var isFirst = true

    mutating func begin(_ bracket: String, isInline: Bool = false) {
        bytes.append(contentsOf: bracket.utf8)
        open.append(isInline)
        isFirst = true
    }

    mutating func end(_ bracket: String) {
        let isInline = open.popLast() ?? true
        if !isFirst, !isInline { newLine() }
        bytes.append(contentsOf: bracket.utf8)
        isFirst = false
    }

    /// Begins an element of a list.
    mutating func element() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        if open.last == true { if !isFirst { bytes.append(0x20) } } else { newLine() }
        isFirst = false
    }

    /// Begins a member, whose value follows.
    mutating func name(_ name: String) {
        element()
        JSONText.append(name, to: &bytes)
        bytes.append(contentsOf: ": ".utf8)
    }

    mutating func member(_ name: String, _ text: String) {
        self.name(name)
        JSONText.append(text, to: &bytes)
    }

    mutating func member(_ name: String, raw: String) {
        self.name(name)
        bytes.append(contentsOf: raw.utf8)
    }

    mutating func member(_ name: String, _ texts: [String]) {
        self.name(name)
        bytes.append(UInt8(ascii: "["))
        for (index, text) in texts.enumerated() {
            if index > 0 { bytes.append(contentsOf: ", ".utf8) }
            JSONText.append(text, to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func newLine() {
        bytes.append(0x0A)
        bytes.append(contentsOf: repeatElement(0x20, count: 2 * open.count))
    }
}
