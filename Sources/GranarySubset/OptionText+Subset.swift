import Foundation
package import GranaryBase
import GranaryExport
import GranaryPredicates
package import GranaryRecords

/// The texts of the options of `granary subset`, which are keys of a subset in a plan under the same names.
extension OptionText {
    /// Parses the chosen objects: `Patient`, or `Patient WHERE age > 60`.
    package static func selection(_ text: String) throws(OptionProblem) -> SubsetOptions.Selection {
        do throws(GranaryError) { return try SubsetOptions.Selection(query: text) } catch {
            throw OptionProblem(error.message)
        }
    }

    /// Parses a part of the chosen objects: `500`, or `5%`.
    package static func sample(_ text: String) throws(OptionProblem) -> SubsetOptions.Sample {
        if text.hasSuffix("%"), let share = Double(text.dropLast()), (0...100).contains(share) {
            return .percent(share)
        }
        guard let count = Int(text), count >= 0 else {
            throw OptionProblem("\(text): write a number of objects, or a percentage such as 5%")
        }
        return .count(count)
    }

    /// Parses the number from which replacements and samples are computed.
    package static func randomSeed(_ text: String) throws(OptionProblem) -> UInt64 {
        guard let number = UInt64(text) else {
            throw OptionProblem("a whole number is required, from 0 to \(UInt64.max)")
        }
        return number
    }

    /// Parses `Visit.patientID=Patient.id`.
    package static func reference(_ text: String) throws(OptionProblem) -> SubsetOptions.Reference {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard parts.count == 2, parts.allSatisfy({ $0.contains(".") }) else {
            throw OptionProblem("'\(text)': write ENTITY.ATTRIBUTE=ENTITY.ATTRIBUTE")
        }
        return SubsetOptions.Reference(parts[0], to: parts[1])
    }

    /// Parses `Patient.visits`, then any of `WHERE CONDITION`, `LIMIT N` and `SORT KEYPATH[:desc]`, the condition first.
    package static func follow(_ text: String) throws(OptionProblem) -> SubsetOptions.Follow {
        var rest = Substring(text)
        var follow = SubsetOptions.Follow("")
        // From the end, so that the condition can contain these words.
        while let (before, word, value) = lastClause(rest) {
            switch word.lowercased() {
            case "limit":
                guard let limit = Int(value), limit >= 0, follow.limit == nil else {
                    throw OptionProblem("'\(text)': LIMIT needs a number of members")
                }
                follow.limit = limit
            default: follow.sortDescriptors.insert(try sortDescriptor(String(value)), at: 0)
            }
            rest = before
        }
        // `Patient.visits WHERE …` has the form of a query.
        let query: QueryText
        do throws(GranaryError) { query = try QueryText(String(rest)) } catch {
            throw OptionProblem("'\(text)': \(error.message)")
        }
        guard query.entity.contains(".") else {
            throw OptionProblem("'\(text)': write ENTITY.RELATIONSHIP, then WHERE, LIMIT and SORT")
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

    /// Parses an attribute whose values are replaced; nil for `all-text`, which stands for all texts.
    package static func anonymised(_ text: String) throws(OptionProblem) -> String? {
        if text == "all-text" { return nil }
        guard text.contains(".") else { throw OptionProblem("\(text): write ENTITY.ATTRIBUTE or all-text") }
        return text
    }

    /// Options that exclude each other, or that have no effect without others.
    ///
    /// - Parameters:
    ///   - given: the names of the options that are set, without dashes.
    ///   - dashes: what precedes the names in messages: `--` on the command line.
    /// - Returns: a problem for each, with the option where it is to be reported.
    package static func subsetProblems(_ given: Set<String>, dashes: String) -> [OptionProblem] {
        let excluded = [
            ("rules", "anonymise"), ("model-rules", "rules"), ("model-rules", "anonymise"), ("limit", "sample"),
        ]
        var problems = excluded.filter { given.contains($0.0) && given.contains($0.1) }.map {
            OptionProblem("\(dashes)\($0.0) and \(dashes)\($0.1) exclude each other", option: $0.0)
        }
        let needed = [
            ("key-file", ["rules", "model-rules"]), ("random-seed", ["anonymise", "rules", "model-rules", "sample"]),
        ]
        for (option, others) in needed where given.contains(option) && given.isDisjoint(with: others) {
            let names = others.map { dashes + $0 }
            let list = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
            problems.append(OptionProblem("\(dashes)\(option) applies only to \(list)", option: option))
        }
        return problems
    }
}

extension SubsetOptions.Selection {
    /// - Parameter query: `Patient`, or `Patient WHERE age > 60`.
    /// - Throws: ``GranaryError`` with code `usage` for a text of another form.
    package init(query text: String) throws(GranaryError) {
        let query = try QueryText(text)
        self.init(query.entity, where: query.predicate)
        condition = query.condition
    }
}

extension SubsetOptions {
    /// Limits each selection.
    package mutating func restrictSelections(limit: Int?, sample: Sample?) {
        for index in selections.indices {
            selections[index].limit = limit
            selections[index].sample = sample
        }
    }

    /// Sets the attributes whose values are replaced; nil is all texts, as ``OptionText/anonymised(_:)`` gives it.
    package mutating func anonymise(_ names: [String?]) {
        anonymisesAllText = names.contains(nil)
        anonymisedAttributes = names.compactMap(\.self)
    }
}
