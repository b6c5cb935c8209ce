import GranaryBase
import GranaryImport

/// A list of diagnostics as text: one line for each, and a second line for its help.
///
/// The list prints at most `limit` diagnostics. If `thins` is true, it prints the first five of each rule and property,
/// and then the number of further ones of each.
struct DiagnosticList {
    private struct Key: Hashable {
        let code: Diagnostic.Code
        let severity: Diagnostic.Severity
        let entity: String?
        let property: String?

        /// `value.syntax Patient.age`
        var name: String {
            let subject = [entity, property].compactMap { $0 }.joined(separator: ".")
            return code.rawValue + (subject.isEmpty ? "" : " " + subject)
        }
    }

    private static let shownOfOneRule = 5

    let diagnostics: [Diagnostic]
    /// The number of diagnostics, which can be larger than that of ``diagnostics``.
    let count: Int
    /// The counts of all of them, by rule and property.
    let groups: [DiagnosticGroup]
    let thins: Bool
    let limit: Int
    let help: HelpForm
    /// Whether diagnostics were left out because of the limit, or because the collector did not keep them.
    private(set) var isCut = false
    /// Whether diagnostics were left out because five of the same rule and property were printed.
    private(set) var isThinned = false

    /// Prints diagnostics from a file, in the order in which they were found.
    private static func print(_ all: DiagnosticSpool, limit: Int, help: HelpForm) -> Int {
        struct Enough: Error {}
        var count = 0
        do {
            try all.forEach { diagnostic in
                guard count < limit else { throw Enough() }
                count += 1
                CommandOutput.log(diagnostic, help: help)
            }
        } catch let error as GranaryError {
            CommandOutput.logError(error.message)
        } catch {}
        return count
    }

    /// - Parameter all: all diagnostics, if there are more than `diagnostics` has.
    mutating func print(all: DiagnosticSpool? = nil) {
        var shown: [Key: Int] = [:]
        var order: [Key] = []
        var total = 0
        if !thins, limit > diagnostics.count, let all {
            total = Self.print(all, limit: limit, help: help)
        }
        for diagnostic in total > 0 ? [] : diagnostics {
            let key = Key(
                code: diagnostic.code, severity: diagnostic.severity, entity: diagnostic.entity,
                property: diagnostic.property)
            let known = shown[key] ?? 0
            if known == 0 { order.append(key) }
            if thins, known >= Self.shownOfOneRule { continue }
            guard total < limit else { break }
            shown[key] = known + 1
            total += 1
            CommandOutput.log(diagnostic, help: help)
        }
        var left = count - total
        for key in order where thins && shown[key] == Self.shownOfOneRule {
            let all = groups.first {
                Key(code: $0.code, severity: $0.severity, entity: $0.entity, property: $0.property) == key
            }
            let more = (all?.count ?? 0) - Self.shownOfOneRule
            guard more > 0 else { continue }
            isThinned = true
            left -= more
            CommandOutput.log("… and \(CountText.grouped(more)) more of \(key.name)")
        }
        if left > 0 {
            isCut = true
            CommandOutput.log("… and \(CountText.grouped(left)) more")
        }
    }
}
