public import Foundation
import GranaryBase
import GranaryFormats
package import GranaryModel

/// Rows of plain SQLite databases.
///
/// ```swift
/// let job = ImportJob(entity: "Book", sources: [.sqlite(URL(filePath: "app.db"), table: "books")])
/// ```
/// The file is only read, also if another process has it open, and no files stay beside it. A row is a record; in
/// diagnostics the line is the number of the row, and the column that of the column. Integers and reals are read as
/// the numbers of JSON, blobs as binary data. The file must not be a store that the import writes.
extension ImportSource {
    /// The rows of a table or view. If the job has no entity, the table's name is the entity's, in upper or lower case.
    ///
    /// - Parameter options: only ``SourceOptions/allowsNUL`` is used.
    public static func sqlite(_ url: URL, table: String, options: SourceOptions = SourceOptions()) -> ImportSource {
        database(url.path(percentEncoded: false), .table(table), options)
    }

    /// The rows of a query, which must be one statement that only reads. The job needs an entity.
    ///
    /// - Parameters:
    ///   - query: `SELECT title, year FROM books WHERE year > 1900`.
    ///   - options: only ``SourceOptions/allowsNUL`` is used.
    public static func sqlite(_ url: URL, query: String, options: SourceOptions = SourceOptions()) -> ImportSource {
        database(url.path(percentEncoded: false), .query(query), options)
    }

    static func database(_ path: String, _ content: DatabaseContent, _ options: SourceOptions) -> ImportSource {
        var readerOptions = DatabaseReader.Options()
        readerOptions.allowsNUL = options.allowsNUL
        readerOptions.busyTimeout = .seconds(options.busyTimeout)
        var entity: String?
        if case .table(let name) = content { entity = name }
        var source = ImportSource(name: path, nests: false, entity: entity) { [readerOptions] in
            DatabaseReader(path: path, content, options: readerOptions)
        }
        source.origin = .database(path: path)
        return source
    }

    /// Whether the source is the rows of an SQLite database.
    package var isDatabase: Bool { if case .database = origin { true } else { false } }

    /// The entity in the source's name; nil if there is none or the model does not have it. The name of a table can
    /// differ in upper and lower case.
    package func entity(in schema: Schema) -> Schema.Entity? {
        guard let entity else { return nil }
        if let same = schema.entity(named: entity) { return same }
        guard isDatabase else { return nil }
        let fitting = schema.entities.filter { $0.name.lowercased() == entity.lowercased() }
        return fitting.count == 1 ? fitting[0] : nil
    }
}
