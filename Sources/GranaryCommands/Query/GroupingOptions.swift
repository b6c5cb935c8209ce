import ArgumentParser
import Foundation
import GranaryExport

/// The options on groups of objects.
struct GroupingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Print one row for the objects with equal values of these key paths, separated by commas.",
            valueName: "a,b.c,…"))
    var groupBy: String?

    @Option(
        help: ArgumentHelp(
            "The aggregates of each group, or of all objects, separated by commas: count, count:A, sum:A, avg:A, min:A "
                + "and max:A. They leave out NULL; sums of whole numbers and Decimals are exact.",
            valueName: "count,sum:a,…"))
    var aggregate: String?

    /// The groups; nil if neither option is given.
    ///
    /// - Throws: `ValidationError` for a text of another form.
    func query() throws -> GroupedQuery? {
        guard groupBy != nil || aggregate != nil else { return nil }
        let keys = Self.parts(groupBy)
        if keys.contains("") { throw ValidationError("--group-by contains an empty name.") }
        let aggregates = try Self.parts(aggregate).map { text in
            guard let aggregate = GroupedQuery.Aggregate(text) else {
                throw ValidationError(
                    "--aggregate \(text): write count, or a function and a key path such as sum:price; the functions are "
                        + GroupedQuery.Aggregate.names.joined(separator: ", ") + ".")
            }
            return aggregate
        }
        let names = keys + aggregates.map(\.name)
        if let double = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw ValidationError("\(double) is given twice.")
        }
        return GroupedQuery(keys: keys, aggregates: aggregates)
    }

    private static func parts(_ text: String?) -> [String] {
        // In quotes, people write spaces after commas. No key path begins or ends with one.
        text?.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) } ?? []
    }
}
