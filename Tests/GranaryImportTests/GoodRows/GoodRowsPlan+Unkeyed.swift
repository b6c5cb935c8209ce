import GranaryModel
import TestSupport

/// Objects without a natural key of attributes, which are nested in records.
extension GoodRowsPlan {
    static func unkeyed(_ random: inout SeededGenerator) -> [EntityDescription] {
        let size: PropertyDescription = .attribute("size", .integer16, .minimum(0), .maximum(9))
        let isRequired = Int.random(in: 0..<3, using: &random) == 0
        let crestTeam: PropertyDescription =
            isRequired ? .toOne("team", "Team", inverse: "crest", .required) : .toOne("team", "Team", inverse: "crest")
        return [
            EntityDescription("Crest", [size, crestTeam, .toMany("colours", "Colour", inverse: "crest")]),
            EntityDescription("Colour", [size, .toOne("crest", "Crest", inverse: "colours")]),
            EntityDescription(
                "Note", [size, .attribute("lang", .string), .toOne("team", "Team", inverse: "notes")],
                unique: [["team", "lang"]]),
            EntityDescription("Locker", [size, .toOne("player", "Player", inverse: "locker")]),
        ]
    }

    /// The members of a team that contain such objects.
    static func unkeyedMembers(_ random: inout SeededGenerator) -> [String] {
        var members: [String] = []
        if Int.random(in: 0..<2, using: &random) == 0 {
            let colours = (0..<Int.random(in: 0...2, using: &random)).map { _ in "{\"size\":\(quoted(size(&random)))}" }
            members.append(
                "\"crest\":{\"size\":\(quoted(size(&random))),\"colours\":[\(colours.joined(separator: ","))]}")
        }
        if Int.random(in: 0..<2, using: &random) == 0 {
            let notes = (0..<Int.random(in: 1...2, using: &random)).map { _ in
                "{\"size\":\(quoted(size(&random))),\"lang\":\"\(Bool.random(using: &random) ? "en" : "de")\"}"
            }
            members.append("\"notes\":[\(notes.joined(separator: ","))]")
        }
        return members
    }
}
