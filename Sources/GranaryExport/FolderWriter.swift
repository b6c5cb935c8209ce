import Foundation
package import GranaryBase
import GranaryCoordination
package import GranaryFormats
import GranaryRecords

/// Writes tables to a folder, one file for each, named after its entity, and a sidecar that describes them.
///
/// The folder is built under a temporary name and renamed at the end, so that the target is always either the old
/// folder or the complete new one.
package final class FolderWriter<Table: ValueWriter>: ValueWriter {
    private let path: String
    private let fileExtension: String
    private let makeTable: (ByteOutput) throws(GranaryError) -> Table
    private let folder: FolderOutput
    private let permissions: UInt32
    private let sidecar: [UInt8]
    /// The folder for values that are written to files; nil if all values are in the tables.
    let blobs: ValueFolder?
    private var table: Table?

    /// Creates the temporary folder.
    ///
    /// - Parameters:
    ///   - fileExtension: the extension of the files, without the dot.
    ///   - replacing: whether an existing folder may be replaced. One that contains other files is never replaced.
    ///   - permissions: the mode of the files. The folder also has search permission for everybody who may read.
    ///   - sidecar: the content of the sidecar; empty for none.
    ///   - hasBlobs: whether values are written to files in the folder ``ExportSidecar/blobFolder``.
    /// - Throws: ``GranaryError`` with code `uncreatable` if it cannot be created, or exists and may not be replaced.
    package init(
        path: String, fileExtension: String, replacing: Bool, permissions: UInt32 = 0o666, sidecar: [UInt8] = [],
        hasBlobs: Bool = false, makeTable: @escaping (ByteOutput) throws(GranaryError) -> Table
    ) throws(GranaryError) {
        self.fileExtension = fileExtension
        self.makeTable = makeTable
        self.permissions = permissions
        self.sidecar = sidecar
        try Self.check(path, fileExtension, replacing)
        folder = try FolderOutput(path: path, permissions: permissions | (permissions & 0o444) >> 2)
        self.path = folder.path
        let name = ExportSidecar.blobFolder
        blobs =
            hasBlobs ? ValueFolder(folder: "\(folder.temporary)/\(name)", name: name, permissions: permissions) : nil
    }

    /// Throws if the target exists and may not be replaced.
    private static func check(_ path: String, _ fileExtension: String, _ replacing: Bool) throws(GranaryError) {
        func refusal(_ message: String) -> GranaryError { GranaryError(.uncreatable, "\(path): \(message)") }
        let files = FileManager.default
        var isFolder: ObjCBool = false
        guard files.fileExists(atPath: path, isDirectory: &isFolder) else { return }
        guard isFolder.boolValue else { throw refusal("is a file and cannot be replaced by a folder") }
        guard replacing else { throw GranaryError(.uncreatable, "\(path): already exists", help: "--force") }
        do {
            for name in try files.contentsOfDirectory(atPath: path)
            where !name.hasSuffix("." + fileExtension) && name != ExportSidecar.blobFolder
                && !ImportSidecar.isSidecar("\(path)/\(name)")
            {
                throw refusal("cannot be replaced: it contains \(name), which is not a .\(fileExtension) file")
            }
        } catch let error as GranaryError {
            throw error
        } catch {
            throw refusal("cannot be read: \(error.localizedDescription)")
        }
        if let reason = ValueFolder.refusal(toReplace: "\(path)/\(ExportSidecar.blobFolder)") {
            throw refusal("cannot be replaced: in \(ExportSidecar.blobFolder), \(reason)")
        }
    }

    /// Starts a file.
    ///
    /// - Throws: ``GranaryError`` with code `uncreatable` if the name of the entity cannot be a file name.
    package func beginTable(entity: String, columns: [String]) throws(GranaryError) {
        guard table == nil else { throw misuse() }
        guard !entity.isEmpty, !entity.hasPrefix("."), !entity.utf8.contains(where: { $0 == 0x2F || $0 == 0 }) else {
            throw GranaryError(.uncreatable, "\(path): no file can be named after the entity \(entity)")
        }
        let output = try ByteOutput.file(
            "\(folder.temporary)/\(entity).\(fileExtension)", replacing: false, permissions: permissions)
        let table = try makeTable(output)
        try table.beginTable(entity: entity, columns: columns)
        self.table = table
    }

    /// Starts a row in the table's file.
    package func beginRow() throws(GranaryError) { try open().beginRow() }

    /// Writes one value to the table's file.
    package func write(_ value: BorrowedValue, column: Int) throws(GranaryError) {
        try open().write(value, column: column)
    }

    /// Starts a list in the table's file.
    package func beginList(column: Int) throws(GranaryError) { try open().beginList(column: column) }

    /// Writes one element of the list.
    package func writeElement(_ value: BorrowedValue) throws(GranaryError) { try open().writeElement(value) }

    /// Ends the list.
    package func endList() throws(GranaryError) { try open().endList() }

    /// Ends the row.
    package func endRow() throws(GranaryError) { try open().endRow() }

    /// Ends the table and its file.
    package func endTable() throws(GranaryError) {
        let table = try open()
        self.table = nil
        try table.endTable()
        try table.finish(model: nil)
    }

    /// Writes the sidecar and renames the folder to its final name. The model is not written: a file of one entity
    /// does not contain it.
    package func finish(model: [UInt8]?) throws(GranaryError) {
        guard table == nil else { throw misuse() }
        if !sidecar.isEmpty {
            let output = try ByteOutput.file(
                "\(folder.temporary)/\(ExportSidecar.folderName)", replacing: false, permissions: permissions)
            output.buffer.append(contentsOf: sidecar)
            try output.finish()
        }
        try folder.finish()
    }

    /// The table that is being written.
    func open() throws(GranaryError) -> Table {
        guard let table else { throw misuse() }
        return table
    }

    private func misuse() -> GranaryError {
        GranaryError(.internalDefect, "\(path): the calls of the writer are not nested correctly")
    }
}

extension FolderWriter: BinaryStreamWriter {
    package func write(contentsOf source: ByteSource, column: Int) throws(GranaryError) {
        let table = try open()
        if let stream = table as? any BinaryStreamWriter { return try stream.write(contentsOf: source, column: column) }
        let bytes = try source.readAll(limit: Int(UInt32.max))
        try bytes.withBorrowedBinary { (value) throws(GranaryError) in try table.write(value, column: column) }
    }
}

/// Rows that are formatted apart, if the tables accept them.
extension FolderWriter: SplitWriter where Table: SplitWriter {
    package func makePart(columns: [String]) throws(GranaryError) -> Table.Part {
        try open().makePart(columns: columns)
    }

    package func append(rowsOf part: Table.Part) throws(GranaryError) { try open().append(rowsOf: part) }
}

/// JSON values, if the tables accept them.
extension FolderWriter: JSONValueWriter where Table: JSONValueWriter {
    package func write(json: [UInt8], column: Int) throws(GranaryError) {
        try open().write(json: json, column: column)
    }

    package func write(
        archive: UnsafeBufferPointer<UInt8>, json: [UInt8], column: Int
    ) throws(GranaryError) {
        try open().write(archive: archive, json: json, column: column)
    }
}

/// Names of NULL columns, if the tables have them.
extension FolderWriter: NullNamingWriter where Table: NullNamingWriter {
    package var columnsNeedingNull: Set<Int>? {
        get { table?.columnsNeedingNull }
        set { table?.columnsNeedingNull = newValue }
    }
}

/// Objects in rows, if the tables accept them.
extension FolderWriter: NestingWriter where Table: NestingWriter {
    package func addObjectColumns(
        _ columns: [String], entity: String, columnsNeedingNull: Set<Int>
    ) throws(GranaryError) -> Int {
        try open().addObjectColumns(columns, entity: entity, columnsNeedingNull: columnsNeedingNull)
    }

    package func beginObject(_ number: Int, column: Int?) throws(GranaryError) {
        try open().beginObject(number, column: column)
    }

    package func endObject() throws(GranaryError) { try open().endObject() }
}
