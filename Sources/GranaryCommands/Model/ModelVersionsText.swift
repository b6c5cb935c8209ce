import Foundation
import GranaryBase
import GranaryModel

/// The text of `model versions`.
enum ModelVersionsText {
    /// The largest number of versions for which the matrix is printed.
    private static let widestMatrix = 40
    /// The number of entities and reasons that are printed in one place.
    private static let few = 5

    static func text(of answer: ModelVersionsAnswer) -> String {
        let sections = [
            versions(answer.chain), matrix(answer.chain), steps(answer.chain), equalChecksums(answer),
            answer.route.map { route($0, answer) } ?? "", answer.store.map { store($0, answer) } ?? "",
            answer.mappings.map { mapping($0, answer) }.joined(),
        ]
        return sections.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private static func versions(_ chain: ModelVersionChain) -> String {
        var table = TextTable()
        table.add("  version", "checksum", "from the version before", "entities only here")
        for (index, version) in chain.versions.enumerated() {
            table.add(
                (version.isCurrent ? "* " : "  ") + version.name, version.checksum ?? "has problems (model check)",
                index == 0 ? "" : words(chain.step(from: index - 1, to: index)), list(chain.uniqueEntities(of: index)))
        }
        return table.text
    }

    private static func list(_ names: [String]) -> String {
        let more = names.count > few ? ", … (\(names.count))" : ""
        return names.prefix(few).joined(separator: ", ") + more
    }

    private static func words(_ migration: ModelDifference.Migration) -> String {
        switch migration {
        case .none: "equal version hashes"
        case .granaryOnly: "no migration"
        case .inferred: "inferred"
        case .inferredIfDataFits: "inferred if the data fits"
        case .unsure: "unsure"
        case .needsMapping: "needs a mapping model"
        }
    }

    // MARK: - Steps

    private static func matrix(_ chain: ModelVersionChain) -> String {
        let count = chain.versions.count
        if count < 2 { return "" }
        guard count <= widestMatrix else {
            return "the matrix of \(count) versions is in the JSON (--format json)\n"
        }
        var table = TextTable(indent: "  ")
        // The numbers of the columns, tens above ones.
        if count > 9 { table.add("", "", row((1...count).map { $0 > 9 ? "\($0 / 10)" : " " })) }
        table.add("", "", row((1...count).map { "\($0 % 10)" }))
        for (from, version) in chain.versions.enumerated() {
            let marks = chain.versions.indices.map { to in
                to < from ? " " : to == from ? "." : mark(chain.step(from: from, to: to))
            }
            table.add("\(from + 1)", version.name, row(marks))
        }
        return "from each version (row) to each newer one (column):\n" + table.text
            + "  = equal version hashes, i inferred, d inferred if the data fits, ? unsure, x needs a mapping model\n"
    }

    private static func row(_ marks: [String]) -> String { marks.joined(separator: " ") }

    private static func mark(_ migration: ModelDifference.Migration) -> String {
        switch migration {
        case .none, .granaryOnly: "="
        case .inferred: "i"
        case .inferredIfDataFits: "d"
        case .unsure: "?"
        case .needsMapping: "x"
        }
    }

    /// The steps to the next version that are not certain, with the reasons.
    private static func steps(_ chain: ModelVersionChain) -> String {
        var text = ""
        for (from, to) in zip(chain.versions.indices, chain.versions.indices.dropFirst()) {
            let step = chain.step(from: from, to: to)
            guard step.reason != nil, step != .granaryOnly else { continue }
            let reasons = chain.reasons(from: from, to: to)
            text += "\(shown(chain.versions[from].name)) to \(shown(chain.versions[to].name)): \(words(step))\n"
            text += reasons.prefix(few).map { "  \(VisibleText.escaped($0))\n" }.joined()
            if reasons.count > few { text += "  … and \(reasons.count - few) more; model diff lists all\n" }
        }
        return text
    }

    private static func equalChecksums(_ answer: ModelVersionsAnswer) -> String {
        answer.chain.equalChecksums.map { group in
            let names = group.map { shown(answer.name($0)) }.joined(separator: ", ")
            return "\(names): equal checksums; Core Data refuses a staged migration with both\n"
        }.joined()
    }

    // MARK: - Questions

    private static func route(_ route: ModelVersionsAnswer.Route, _ answer: ModelVersionsAnswer) -> String {
        let ends = "from \(shown(answer.name(route.from))) to \(shown(answer.name(route.to)))"
        guard let path = route.path else { return "there is no path of inferred migrations \(ends)\n" }
        var text = "the shortest path \(ends) has \(CountText.count(path.count - 1, "step")):\n"
        for (from, to) in zip(path, path.dropFirst()) {
            let step = words(answer.chain.step(from: from, to: to))
            text += "  \(shown(answer.name(from))) to \(shown(answer.name(to))): \(step)\n"
        }
        return text
    }

    private static func store(_ store: ModelVersionsAnswer.Store, _ answer: ModelVersionsAnswer) -> String {
        let path = VisibleText.escaped(store.path)
        let name = shown(answer.name(store.nearest.index))
        let differences = store.nearest.differences
        if differences.isEmpty { return "\(path): written by \(name)\n" }
        var table = TextTable(indent: "  ")
        for match in differences {
            let versions = list(match.versions.map(answer.name))
            let origin = versions.isEmpty ? "in no version as in the store" : "as in \(versions)"
            table.add(match.entity, match.what.rawValue, match.what == .onlyInModel ? "" : origin)
        }
        let count =
            differences.count == 1 ? "1 entity differs" : "\(CountText.grouped(differences.count)) entities differ"
        return "\(path): written by none of these versions; the nearest is \(name), \(count):\n" + table.text
    }

    private static func mapping(_ mapping: ModelVersionsAnswer.Mapping, _ answer: ModelVersionsAnswer) -> String {
        let file = VisibleText.escaped(URL(filePath: mapping.file).lastPathComponent)
        let steps = mapping.steps.map { step in "\(shown(answer.name(step.from))) to \(shown(answer.name(step.to)))" }
        let text = "\(file) maps \(steps.joined(separator: ", "))"
        if mapping.policies.isEmpty { return text + "\n" }
        let noun = mapping.policies.count == 1 ? "class" : "classes"
        return text + " with the policy \(noun) \(mapping.policies.map(shown).joined(separator: ", "))\n"
    }

    private static func shown(_ name: String) -> String { Diagnostic.shortened(name) }
}
