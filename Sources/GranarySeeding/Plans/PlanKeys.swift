/// The keys of a kind of mapping in a plan. A test compares them with docs/seed-plan.schema.json.
protocol PlanKey: RawRepresentable<String>, CaseIterable, Hashable, Sendable {}

/// The keys at the top of a plan, and of each of several stores.
enum PlanStoreKey: String, PlanKey {
    case model, store, imports, defaults, generate
    case mode, loader, rejects, ship, revertible, like
    case maxRejects = "max-rejects"
    case onMissing = "on-missing"
    case storeUUID = "store-uuid"
    case noLedger = "no-ledger"
    case busyTimeout = "busy-timeout"
    case stores, variables
    case report, force, diagnostics, quiet, progress
    case reportAll = "report-all"
    case dryRun = "dry-run"
    case maxDiagnostics = "max-diagnostics"

    /// The keys that are allowed only at the top.
    static let onlyAtTop: Set<PlanStoreKey> = [
        .stores, .variables, .report, .reportAll, .force, .dryRun, .diagnostics, .maxDiagnostics, .quiet, .progress,
    ]
    /// The keys that `stores` replaces at the top.
    static let insteadOfStores: Set<PlanStoreKey> = [.store, .imports, .generate, .rejects, .storeUUID]
}

/// The keys of an import: the options of `granary import`.
enum PlanImportKey: String, PlanKey {
    case entity, file, terms, rows, links
    case format, delimiter, quote, comment, encoding, columns
    case skipRows = "skip-rows"
    case noHeader = "no-header"
    case blankLines = "blank-lines"
    case tokenizer, spreadsheet
    case allowNUL = "allow-nul"
    case attribute, ordinal
    case fieldDelimiter = "field-delimiter"
    case ordinalStart = "ordinal-start"
    case map, ignore, constant, lookup
    case listSeparator = "list-separator"
    case key, distinct, prune
    case maxPrune = "max-prune"
    case onConflict = "on-conflict"
    case onMissing = "on-missing"
    case null, binary, trim, locale, dst
    case emptyIsNull = "empty-is-null"
    case nullQuoted = "null-quoted"
    case trueTexts = "true"
    case falseTexts = "false"
    case nullIsDefault = "null-is-default"
    case allowRounding = "allow-rounding"
    case allowZeroFraction = "allow-zero-fraction"
    case asIs = "as-is"
    case dateFormat = "date-format"
    case timeZone = "time-zone"
    case decimalSeparator = "decimal-separator"
    case groupSeparator = "group-separator"
    case missingFiles = "missing-files"
    case columnOptions = "column-options"

    /// The keys that are not allowed in defaults.
    static let notInDefaults: Set<PlanImportKey> = [.entity, .file, .terms, .rows, .links]
}

/// The keys of a generation.
enum PlanGenerateKey: String, PlanKey {
    case counts, locale, generators
    case randomSeed = "random-seed"
    case nullPercent = "null-percent"
}

/// The keys of a column.
enum PlanColumnKey: String, PlanKey {
    case property, null, binary, trim, scale, enumeration
    case dateFormat = "date-format"
    case timeZone = "time-zone"
    case decimalSeparator = "decimal-separator"
    case groupSeparator = "group-separator"
    case trueTexts = "true"
    case falseTexts = "false"
}
