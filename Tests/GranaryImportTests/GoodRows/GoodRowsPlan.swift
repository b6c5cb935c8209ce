import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryRecords
import TestSupport
@testable import GranaryImport

/// A generated plan: a model, objects that are there before, and jobs whose rows are often bad by themselves, because
/// of one another, or because of the store.
struct GoodRowsPlan {
    /// One record of a job, as one line of CSV or one JSON object.
    typealias Rows = [String]

    struct Job {
        let name: String
        let entity: String
        /// Nil for JSON.
        let header: String?
        var rows: Rows
        var options = ImportOptions()

        var text: String {
            guard let header else { return "[" + rows.joined(separator: ",\n") + "]" }
            return ([header] + rows).map { $0 + "\n" }.joined()
        }

        /// The job with only the records that are not rejected; numbers count from 1.
        func without(_ rejected: Set<Int>) -> Job {
            var job = self
            job.rows = rows.enumerated().filter { !rejected.contains($0.offset + 1) }.map(\.element)
            return job
        }

        var importJob: ImportJob {
            let (text, name, isJSON) = (text, name, header == nil)
            let source = ImportSource(name: name, nests: isJSON) { () throws(GranaryError) -> any RecordReader in
                let bytes = ByteSource(bytes: Array(text.utf8), name: name)
                if isJSON { return JSONReader(bytes) }
                return try CSVReader(bytes)
            }
            return ImportJob(entity: entity, sources: [source], options: options)
        }
    }

    let model: ManagedObjectModel
    let before: [Job]
    let jobs: [Job]

    init(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        model = Self.model(&random)
        before = Self.before(&random)
        var jobs: [Job] = []
        for number in 1...Int.random(in: 1...3, using: &random) { jobs.append(Self.job(number, &random)) }
        self.jobs = jobs
    }

    // MARK: The model

    private static func model(_ random: inout SeededGenerator) -> ManagedObjectModel {
        let needsTeam = Int.random(in: 0..<4, using: &random) == 0
        let needsChief = Int.random(in: 0..<5, using: &random) == 0
        let isCounted = Int.random(in: 0..<3, using: &random) == 0
        let isOrdered = Bool.random(using: &random)
        let team: PropertyDescription =
            needsTeam
            ? .toOne("team", "Team", inverse: "players", .required) : .toOne("team", "Team", inverse: "players")
        let chief: PropertyDescription =
            needsChief
            ? .toOne("chief", "Player", inverse: "leads", .required) : .toOne("chief", "Player", inverse: "leads")
        let players: PropertyDescription
        switch (isCounted, isOrdered) {
        case (true, _): players = .toMany("players", "Player", inverse: "team", .count(0, 2))
        case (false, true): players = .toMany("players", "Player", inverse: "team", .ordered)
        case (false, false): players = .toMany("players", "Player", inverse: "team")
        }
        return ManagedObjectModel(
            entities: [
                EntityDescription(
                    "Team",
                    [
                        .attribute("name", .string), .attribute("badge", .integer16), .attribute("city", .string),
                        players,
                        chief, .toOne("crest", "Crest", inverse: "team"), .toMany("notes", "Note", inverse: "team"),
                    ],
                    unique: [["name"], ["badge"]]),
                EntityDescription(
                    "Player",
                    [
                        .attribute("code", .string), .attribute("badge", .integer16),
                        .attribute("size", .integer16, .minimum(0), .maximum(9)), team,
                        .toOne("leads", "Team", inverse: "chief"), .toOne("mate", "Player", inverse: "mate"),
                        .toMany("friends", "Player", inverse: "friendOf"),
                        .toMany("friendOf", "Player", inverse: "friends"), .toOne("idol", "Player", inverse: nil),
                        .toOne("locker", "Locker", inverse: "player"),
                    ], unique: [["code"], ["badge"]]),
            ] + unkeyed(&random))
    }

    // MARK: Values

    static func name(_ letter: String, _ random: inout SeededGenerator) -> String {
        "\(letter)\(Int.random(in: 1...6, using: &random))"
    }

    /// Often empty, sometimes what nobody is.
    private static func reference(_ letter: String, _ random: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<6: ""
        case 6: letter + "99"
        default: name(letter, &random)
        }
    }

    private static func list(_ letter: String, _ random: inout SeededGenerator) -> [String] {
        guard Int.random(in: 0..<3, using: &random) == 0 else { return [] }
        return (0..<Int.random(in: 0...2, using: &random)).map { _ in name(letter, &random) }
    }

    private static func badge(_ random: inout SeededGenerator) -> String {
        Bool.random(using: &random) ? "" : "\(Int.random(in: 1...6, using: &random))"
    }

    static func size(_ random: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<14, using: &random) {
        case 0: "x"
        case 1: "10"
        default: "\(Int.random(in: 0...9, using: &random))"
        }
    }

    // MARK: Jobs

    private static func before(_ random: inout SeededGenerator) -> [Job] {
        guard Int.random(in: 0..<3, using: &random) > 0 else { return [] }
        let teams = (1...3).map { "t\($0),\($0),Rome,p\($0)" }
        let players = (1...4).map { number in
            let mate = number < 3 ? "p\(3 - number)" : ""
            return "p\(number),\(number),\(number),t\(min(number, 3)),\(mate),p\(number % 4 + 1)"
        }
        return [
            Job(name: "teams", entity: "Team", header: "name,badge,city,chief", rows: teams),
            Job(name: "players", entity: "Player", header: "code,badge,size,team,mate,friends", rows: players),
        ]
    }

    private static func job(_ number: Int, _ random: inout SeededGenerator) -> Job {
        let count = Int.random(in: 1...6, using: &random)
        var options = ImportOptions()
        options.onConflict = [.error, .update, .update, .skip, .replace].randomElement(using: &random) ?? .error
        options.onMissing = [.error, .error, .error, .null, .create].randomElement(using: &random) ?? .error
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: return teams(number, count, options, &random)
        case 2, 3: return teamObjects(number, count, options, &random)
        case 4:
            options.onConflict = .error
            options.linkRelationship = "friends"
            let rows = (0..<count).map { _ in
                "\(name("p", &random)),\(name("p", &random))"
            }
            return Job(name: "\(number).csv", entity: "Player", header: "code,friends", rows: rows, options: options)
        case 5: return playerObjects(number, count, options, &random)
        default: return players(number, count, options, &random)
        }
    }

    private static func players(
        _ number: Int, _ count: Int, _ options: ImportOptions, _ random: inout SeededGenerator
    ) -> Job {
        var columns = ["code", "badge", "size", "team", "leads", "mate", "friends", "idol"]
        // A job by the other unique attribute finds objects whose code it changes.
        var options = options
        if options.onConflict != .error, Int.random(in: 0..<4, using: &random) == 0 { options.key = ["badge"] }
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            let column = Int.random(in: 2..<columns.count, using: &random)
            // A file without a column that is required is refused as a whole.
            if columns[column] != "team" { columns.remove(at: column) }
        }
        let rows = (0..<count).map { _ in
            columns.map { column -> String in
                switch column {
                case "code": return name("p", &random)
                case "badge": return badge(&random)
                case "size": return size(&random)
                case "team", "leads": return reference("t", &random)
                case "friends": return list("p", &random).joined(separator: ";")
                default: return reference("p", &random)
                }
            }.joined(separator: ",")
        }
        return Job(
            name: "\(number).csv", entity: "Player", header: columns.joined(separator: ","), rows: rows,
            options: options)
    }

    private static func teams(
        _ number: Int, _ count: Int, _ options: ImportOptions, _ random: inout SeededGenerator
    ) -> Job {
        var columns = ["name", "badge", "city", "chief", "players"]
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let column = Int.random(in: 1..<columns.count, using: &random)
            if columns[column] != "chief" { columns.remove(at: column) }
        }
        let rows = (0..<count).map { _ in
            columns.map { column -> String in
                switch column {
                case "name": return name("t", &random)
                case "badge": return badge(&random)
                case "city": return ["Rome", "Oslo", ""].randomElement(using: &random) ?? ""
                case "chief": return reference("p", &random)
                default: return list("p", &random).joined(separator: ";")
                }
            }.joined(separator: ",")
        }
        return Job(
            name: "\(number).csv", entity: "Team", header: columns.joined(separator: ","), rows: rows,
            options: options)
    }

    static func quoted(_ text: String) -> String { text.isEmpty ? "null" : "\"\(text)\"" }

    private static func playerObjects(
        _ number: Int, _ count: Int, _ options: ImportOptions, _ random: inout SeededGenerator
    ) -> Job {
        let rows = (0..<count).map { _ in
            var members = ["\"code\":\"\(name("p", &random))\""]
            if Bool.random(using: &random) { members.append("\"size\":\(quoted(size(&random)))") }
            if Bool.random(using: &random) { members.append("\"team\":\(quoted(reference("t", &random)))") }
            if Bool.random(using: &random) { members.append("\"mate\":\(quoted(reference("p", &random)))") }
            if Bool.random(using: &random) {
                members.append("\"friends\":[\(list("p", &random).map { quoted($0) }.joined(separator: ","))]")
            }
            if Int.random(in: 0..<3, using: &random) == 0 {
                members.append("\"locker\":{\"size\":\(quoted(size(&random)))}")
            }
            return "{\(members.joined(separator: ","))}"
        }
        return Job(name: "\(number).json", entity: "Player", header: nil, rows: rows, options: options)
    }

    private static func teamObjects(
        _ number: Int, _ count: Int, _ options: ImportOptions, _ random: inout SeededGenerator
    ) -> Job {
        let rows = (0..<count).map { _ in
            var members = ["\"name\":\"\(name("t", &random))\""]
            if Bool.random(using: &random) { members.append("\"city\":\"Bern\"") }
            if Bool.random(using: &random) {
                let players = (0..<Int.random(in: 0...2, using: &random)).map { _ -> String in
                    let code = name("p", &random)
                    guard Bool.random(using: &random) else { return quoted(code) }
                    return "{\"code\":\"\(code)\",\"size\":\(quoted(size(&random)))}"
                }
                members.append("\"players\":[\(players.joined(separator: ","))]")
            }
            members += unkeyedMembers(&random)
            return "{\(members.joined(separator: ","))}"
        }
        return Job(name: "\(number).json", entity: "Team", header: nil, rows: rows, options: options)
    }
}
