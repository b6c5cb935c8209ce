import GranaryModel

extension StagedMigrationGenerator {
    /// The source of the file.
    var text: String {
        var lines = [GeneratedFile.mark, ""]
        for module in ["CoreData", "Foundation"] { lines += access.importing(module) }
        lines += [
            "", "/// The staged migration of the model \(SwiftIdentifier.comment(modelName)).",
            "@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)",
            "\(access.prefix)enum \(SwiftIdentifier.valid(modelName) + "Migration") {",
        ]
        lines += (versionLines + [""] + managerLines + [""] + stagesLines).map { $0.isEmpty ? $0 : "    " + $0 }
        return (lines + ["}", ""]).joined(separator: "\n")
    }

    private func name(_ index: Int) -> String { SwiftIdentifier.comment(chain.versions[index].name) }

    private var versionLines: [String] {
        var lines = [
            "/// The versions, oldest first, with their checksums.",
            "\(access.prefix)enum Version: String, CaseIterable {",
        ]
        for index in 0...last {
            lines += [
                "    /// The version \(name(index)).",
                "    case \(SwiftIdentifier.text(cases[index])) = "
                    + SwiftIdentifier.literal(chain.versions[index].checksum ?? ""),
            ]
        }
        return lines + [
            "", "    /// A reference to the version in the compiled model. The checksum selects the version.",
            "    \(access.prefix)func reference(in bundle: Foundation.Bundle) -> NSManagedObjectModelReference {",
            "        NSManagedObjectModelReference("
                + "name: \(SwiftIdentifier.literal(modelName)), in: bundle, versionChecksum: rawValue)",
            "    }", "}",
        ]
    }

    private var managerLines: [String] {
        [
            "/// The manager for a store's option NSPersistentStoreStagedMigrationManagerOptionKey. The options",
            "/// for automatic migration and inferred mappings must be true.", "///", "/// - Parameters:",
            "///   - bundle: the bundle with the compiled model.",
            "///   - configure: is called with each custom stage and the version it migrates to; sets handlers.",
            "\(access.prefix)static func manager(",
        ] + parameterLines + [
            ") -> NSStagedMigrationManager {",
            "    NSStagedMigrationManager(stages(in: bundle, configure: configure))", "}",
        ]
    }

    private var stagesLines: [String] {
        var lines = ["/// The stages, oldest first.", "\(access.prefix)static func stages("]
        lines += parameterLines + [") -> [NSMigrationStage] {"]
        for (index, stage) in stages.enumerated() {
            switch stage {
            case .lightweight(let versions): lines += lightweightLines("stage\(index + 1)", versions, before: index + 1)
            case .custom(let from, let to): lines += customLines("stage\(index + 1)", from, to)
            }
        }
        lines += ["    return ["] + list(stages.indices.map { "stage\($0 + 1)" }) + ["    ]", "}"]
        return lines
    }

    private var parameterLines: [String] {
        [
            "    in bundle: Foundation.Bundle = .main,",
            "    configure: (NSCustomMigrationStage, Version) -> Void = { _, _ in }",
        ]
    }

    /// - Parameter next: the index of the next stage.
    private func lightweightLines(_ variable: String, _ versions: [Int], before next: Int) -> [String] {
        var end = last
        if next < stages.count, case .custom(let from, _) = stages[next] { end = from }
        return [
            "    // Core Data infers one mapping from each of these versions to \(name(end)).",
            "    let \(variable) = NSLightweightMigrationStage([",
        ] + list(versions.map { "Version.\(cases[$0]).rawValue" }) + [
            "    ])", "    \(variable).label = \(SwiftIdentifier.literal("to \(chain.versions[end].name)"))",
        ]
    }

    private func customLines(_ variable: String, _ from: Int, _ to: Int) -> [String] {
        let label = "\(chain.versions[from].name) to \(chain.versions[to].name)"
        let reasons = chain.reasons(from: from, to: to).map { "    //   " + SwiftIdentifier.comment($0) }
        return remarkLines(from, to) + reasons + [
            "    let \(variable) = NSCustomMigrationStage(",
            "        migratingFrom: Version.\(cases[from]).reference(in: bundle),",
            "        to: Version.\(cases[to]).reference(in: bundle))",
            "    \(variable).label = \(SwiftIdentifier.literal(label))",
            "    \(variable).willMigrateHandler = { _, _ in",
            "        // The container of the manager has the objects of \(name(from)).", "    }",
            "    \(variable).didMigrateHandler = { _, _ in",
            "        // The container of the manager has the objects of \(name(to)).", "    }",
            "    configure(\(variable), .\(cases[to]))",
        ]
    }

    private func remarkLines(_ from: Int, _ to: Int) -> [String] {
        switch chain.step(from: from, to: to) {
        case .none, .granaryOnly, .inferred:
            [
                "    // Core Data infers this step, but possibly no longer one, so the migration stops at both",
                "    // versions. The handlers can stay empty.",
            ]
        case .inferredIfDataFits:
            ["    // Core Data infers this step if the data fits. The first handler can change the data:"]
        case .unsure: ["    // It is not known whether Core Data infers this step. Test it with a store:"]
        case .needsMapping:
            [
                "    // Core Data does not infer this step, so the stage fails. Add versions between the two, such",
                "    // that Core Data infers each step:",
            ]
        }
    }

    /// The elements of an array, a line each. Formatters accept no comma after a single element.
    private func list(_ elements: [String]) -> [String] {
        elements.map { "        " + $0 + (elements.count > 1 ? "," : "") }
    }
}
