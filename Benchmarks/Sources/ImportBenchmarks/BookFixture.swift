import Foundation

/// Books with a unique key, an author, a publisher and a list of two genres each, as files of several forms.
struct BookFixture {
    /// A file of books, and what it contains beside the book's own values.
    enum Form: String, CaseIterable {
        case flat, oneLookup, twoLookups, list, jsonLines, nested

        var name: String { self == .jsonLines || self == .nested ? "\(rawValue).jsonl" : "\(rawValue).csv" }

        /// The relationships with a column.
        var lookups: [String] {
            switch self {
            case .flat, .nested: []
            case .oneLookup: ["author"]
            case .twoLookups: ["author", "publisher"]
            case .list, .jsonLines: ["author", "publisher", "genres"]
            }
        }
    }

    static let authors = 20_000
    static let publishers = 500
    static let genres = 40

    let folder: URL
    let rows: Int

    func path(_ name: String) -> String { folder.appending(path: name).path }

    var model: String { path("Books.xcdatamodel") }

    func bytes(_ form: Form) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path(form.name))
        return attributes?[.size] as? Int ?? 0
    }

    func write() throws {
        try FileManager.default.createDirectory(atPath: model, withIntermediateDirectories: true)
        try Data(Self.modelText.utf8).write(to: URL(filePath: model).appending(path: "contents"))
        for (name, count) in [("Author", Self.authors), ("Publisher", Self.publishers), ("Genre", Self.genres)] {
            let lines = (0..<count).map { "\(name) \($0)\n" }.joined()
            try Data("name\n\(lines)".utf8).write(to: folder.appending(path: "\(name).csv"))
        }
        for form in Form.allCases { try write(form) }
    }

    private func write(_ form: Form) throws {
        let header = (["isbn", "title", "pages", "price"] + form.lookups).joined(separator: ",") + "\n"
        guard FileManager.default.createFile(atPath: path(form.name), contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        let file = try FileHandle(forWritingTo: URL(filePath: path(form.name)))
        defer { try? file.close() }
        var text = form.name.hasSuffix("csv") ? header : ""
        for row in 0..<rows {
            text += line(row, form)
            if text.utf8.count > 1 << 20 {
                try file.write(contentsOf: Data(text.utf8))
                text = ""
            }
        }
        try file.write(contentsOf: Data(text.utf8))
    }

    private func line(_ row: Int, _ form: Form) -> String {
        // Numbers without an order, and the keys without one too.
        let value = row &* 7_368_787 % 100_000_007
        let isbn = 9_780_000_000_000 + row &* 982_451_653 % 9_999_999_967
        let (pages, price) = (30 + value % 1470, Double(100 + value % 9899) / 100)
        let author = "Author \(value % Self.authors)"
        let publisher = "Publisher \(value % Self.publishers)"
        let genres = ["Genre \(value % Self.genres)", "Genre \((value + 7) % Self.genres)"]
        let start = "\"isbn\":\"\(isbn)\",\"title\":\"The title of book \(row)\",\"pages\":\(pages),\"price\":\(price)"
        switch form {
        case .jsonLines:
            return "{\(start),\"author\":\"\(author)\",\"publisher\":\"\(publisher)\","
                + "\"genres\":[\"\(genres[0])\",\"\(genres[1])\"]}\n"
        case .nested:
            return "{\(start),\"author\":{\"name\":\"\(author)\"},\"publisher\":{\"name\":\"\(publisher)\"},"
                + "\"genres\":[{\"name\":\"\(genres[0])\"},{\"name\":\"\(genres[1])\"}]}\n"
        case .flat, .oneLookup, .twoLookups, .list:
            let all = [author, publisher, genres.joined(separator: ";")].prefix(form.lookups.count)
            return (["\(isbn)", "The title of book \(row)", "\(pages)", "\(price)"] + all).joined(separator: ",") + "\n"
        }
    }

    /// The statements with which the shell imports the list: a staging table, and joins.
    var statements: String {
        """
        CREATE TABLE staging (isbn, title, pages, price, author, publisher, genres);
        .mode csv
        .import --skip 1 \(path(Form.list.name)) staging
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
        CREATE TABLE publisher (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
        CREATE TABLE genre (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
        CREATE TABLE book (id INTEGER PRIMARY KEY, isbn TEXT, title TEXT, pages INTEGER, price REAL, author INTEGER,
            publisher INTEGER);
        CREATE TABLE book_genre (book INTEGER, genre INTEGER, PRIMARY KEY (book, genre));
        BEGIN;
        INSERT INTO author (name) SELECT DISTINCT author FROM staging;
        INSERT INTO publisher (name) SELECT DISTINCT publisher FROM staging;
        INSERT OR IGNORE INTO genre (name) SELECT substr(genres, 1, instr(genres, ';') - 1) FROM staging;
        INSERT OR IGNORE INTO genre (name) SELECT substr(genres, instr(genres, ';') + 1) FROM staging;
        INSERT INTO book (isbn, title, pages, price, author, publisher) SELECT isbn, title, pages, price, author.id,
            publisher.id FROM staging JOIN author ON author.name = staging.author
            JOIN publisher ON publisher.name = staging.publisher ORDER BY staging.rowid;
        INSERT INTO book_genre SELECT staging.rowid, genre.id FROM staging JOIN genre
            ON genre.name = substr(genres, 1, instr(genres, ';') - 1) ORDER BY staging.rowid;
        INSERT INTO book_genre SELECT staging.rowid, genre.id FROM staging JOIN genre
            ON genre.name = substr(genres, instr(genres, ';') + 1) ORDER BY staging.rowid;
        CREATE UNIQUE INDEX book_isbn ON book (isbn);
        CREATE INDEX book_author ON book (author);
        CREATE INDEX book_publisher ON book (publisher);
        CREATE INDEX genre_book ON book_genre (genre, book);
        DROP TABLE staging;
        COMMIT;
        """
    }

    private static var modelText: String {
        func relationship(_ name: String, isToMany: Bool, to entity: String, inverse: String) -> String {
            "<relationship name=\"\(name)\" optional=\"YES\" \(isToMany ? "toMany=\"YES\"" : "maxCount=\"1\"") "
                + "deletionRule=\"Nullify\" destinationEntity=\"\(entity)\" inverseName=\"\(inverse)\" "
                + "inverseEntity=\"\(entity)\"/>"
        }
        func entity(_ name: String, _ content: String, unique: String) -> String {
            "<entity name=\"\(name)\">\(content)<uniquenessConstraints><uniquenessConstraint>"
                + "<constraint value=\"\(unique)\"/></uniquenessConstraint></uniquenessConstraints></entity>"
        }
        let parents = [("Author", "author"), ("Genre", "genres"), ("Publisher", "publisher")].map { name, inverse in
            entity(
                name,
                "<attribute name=\"name\" attributeType=\"String\"/>"
                    + relationship("books", isToMany: true, to: "Book", inverse: inverse), unique: "name")
        }
        let types = [("isbn", "String"), ("pages", "Integer 32"), ("price", "Double"), ("title", "String")]
        let book = entity(
            "Book",
            types.map { "<attribute name=\"\($0.0)\" attributeType=\"\($0.1)\"/>" }.joined()
                + relationship("author", isToMany: false, to: "Author", inverse: "books")
                + relationship("genres", isToMany: true, to: "Genre", inverse: "books")
                + relationship("publisher", isToMany: false, to: "Publisher", inverse: "books"), unique: "isbn")
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><model "
            + "type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\">"
            + (parents + [book]).joined() + "</model>"
    }
}
