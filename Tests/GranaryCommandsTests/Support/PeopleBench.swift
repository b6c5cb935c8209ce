import Foundation
import GranarySQLite
import TestSupport
import Testing

/// `granary import` of people, whose codes are unique, into a store that does not exist at first.
struct PeopleBench {
    let runs: CommandRun
    static let model = """
        entities:
          Person:
            attributes:
              code: string unique
              name: string
              note: string
              city: string = Berlin
              tags: transformable
              photo: binary
              age: integer16
            relationships: {boss: Person, friends: "[Person]", home: House}
          House:
            attributes: {street: string, number: integer16}
            unique: [[street, number]]

        """
    /// The valid rows are kept, the others become a table.
    static let table = ["--mode", "keep-good", "--rejects", "@r.csv", "--rejects-format", "csv", "--force"]

    init() throws {
        runs = try CommandRun()
        _ = try runs.folder.write(Self.model, to: "P.granary.yaml")
    }

    func run(_ words: [String], entity: String? = "Person") async -> CommandRun.Result {
        let named = entity.map { ["--entity", $0] } ?? []
        return await runs.run(["import", "--model", "@P.granary.yaml", "--store", "@p.sqlite"] + named + words)
    }

    /// Imports a text as a file, with a table of its rejected records.
    func tabulate(
        _ text: String, as name: String, _ options: [String] = [], entity: String? = "Person"
    ) async throws -> CommandRun.Result {
        _ = try runs.folder.write(text, to: name)
        return await run(["@" + name] + options + Self.table, entity: entity)
    }

    /// Replaces the text of a file.
    func edit(_ changes: [(String, String)], in name: String = "r.csv") throws {
        var text = try runs.text(name)
        for (old, new) in changes {
            #expect(text.contains(old), "\(old) is not in \(text)")
            text = text.replacing(old, with: new)
        }
        _ = try runs.folder.write(text, to: name)
    }

    /// The people as CSV without its header.
    func people(_ columns: String) throws -> [String] { try runs.rows("p.sqlite", "Person", columns) }

    /// Creates a database for a source.
    func database(_ sql: String, _ name: String = "in.db") throws {
        let connection = try Connection(path: runs.path(name), mode: .create)
        try connection.execute(sql)
        try connection.close()
    }

    /// The rows of a table of rejects, by the names of their columns.
    func rows(_ name: String = "r.csv", delimiter: Character = ",") throws -> [[String: String]] {
        var lines = Self.split(try runs.text(name), delimiter)
        if lines.first?.first?.hasPrefix("sep=") ?? false { lines.removeFirst() }
        let header = try #require(lines.first)
        return lines.dropFirst().map { line in Dictionary(zip(header, line)) { first, _ in first } }
    }

    /// The columns of the source in a table of rejects.
    func columns(_ name: String = "r.csv") throws -> [String] {
        let header = try #require(Self.split(try runs.text(name), ",").first)
        return Array(header.drop { $0 != "$record" }.dropFirst())
    }

    private static func split(_ text: String, _ delimiter: Character) -> [[String]] {
        var lines: [[String]] = [[""]]
        var isQuoted = false
        func append(_ character: Character) {
            lines[lines.count - 1][lines[lines.count - 1].count - 1].append(character)
        }
        var previous: Character?
        for character in text where character != "\u{FEFF}" {
            if character == "\"" {
                // A doubled quote closes and opens.
                if !isQuoted, previous == "\"" { append(character) }
                isQuoted.toggle()
            } else if !isQuoted, character == delimiter {
                lines[lines.count - 1].append("")
            } else if !isQuoted, character.isNewline {
                lines.append([""])
            } else {
                append(character)
            }
            previous = character
        }
        return lines.filter { $0 != [""] }
    }
}
