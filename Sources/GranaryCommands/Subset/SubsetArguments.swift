import ArgumentParser
import Foundation
import GranaryBase
import GranaryPredicates
import GranarySubset

/// The texts of `--sample`, `--reference` and `--follow`.
enum SubsetArguments {
    /// `500`, or `5%`.
    static func sample(_ text: String?) throws -> SubsetOptions.Sample? {
        guard let text else { return nil }
        if text.hasSuffix("%"), let share = Double(text.dropLast()), (0...100).contains(share) {
            return .percent(share)
        }
        guard let count = Int(text), count >= 0 else {
            throw ValidationError("--sample \(text): write a number of objects, or a percentage such as 5%.")
        }
        return .count(count)
    }

    /// `Visit.patientID=Patient.id`
    static func reference(_ text: String) throws -> SubsetOptions.Reference {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard parts.count == 2, parts.allSatisfy({ $0.contains(".") }) else {
            throw ValidationError("--reference '\(text)': write ENTITY.ATTRIBUTE=ENTITY.ATTRIBUTE.")
        }
        return SubsetOptions.Reference(parts[0], to: parts[1])
    }

    /// `Patient.visits`, then any of `WHERE CONDITION`, `LIMIT N` and `SORT KEYPATH[:desc]`, the condition first.
    static func follow(_ text: String) throws -> SubsetOptions.Follow {
        var rest = Substring(text)
        var follow = SubsetOptions.Follow("")
        // From the end, so that the condition can contain these words.
        while let (before, word, value) = lastClause(rest) {
            switch word.lowercased() {
            case "limit":
                guard let limit = Int(value), limit >= 0, follow.limit == nil else {
                    throw ValidationError("--follow '\(text)': LIMIT needs a number of members.")
                }
                follow.limit = limit
            default: follow.sortDescriptors.insert(try SelectionOptions.descriptor(String(value), "--follow"), at: 0)
            }
            rest = before
        }
        // `Patient.visits WHERE …` has the form of a query.
        let query: QueryText
        do { query = try QueryText(String(rest)) } catch {
            throw ValidationError("--follow '\(text)': \(error.message)")
        }
        guard query.entity.contains(".") else {
            throw ValidationError("--follow '\(text)': write ENTITY.RELATIONSHIP, then WHERE, LIMIT and SORT.")
        }
        follow.relationship = query.entity
        follow.predicate = query.predicate
        return follow
    }

    /// The last two words, if the first of them is LIMIT or SORT.
    private static func lastClause(
        _ text: Substring
    ) -> (before: Substring, word: Substring, value: Substring)? {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count > 2, let value = words.last else { return nil }
        let word = words[words.count - 2]
        guard ["limit", "sort"].contains(word.lowercased()) else { return nil }
        // Inside a text of the condition, an odd number of quotes comes before.
        guard text[..<word.startIndex].count(where: { $0 == "\"" }).isMultiple(of: 2),
            text[..<word.startIndex].count(where: { $0 == "'" }).isMultiple(of: 2)
        else { return nil }
        return (text[..<word.startIndex], word, value)
    }
}
