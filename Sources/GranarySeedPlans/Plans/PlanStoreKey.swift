import GranaryYAML

/// The keys at the top of a plan, and of each of several stores.
enum PlanStoreKey: String, TreeKey {
    case model, store, imports, defaults, subsets, generate
    case mode, loader, rejects, ship, external, revertible, like
    case maxRejects = "max-rejects"
    case rejectsFormat = "rejects-format"
    case onMissing = "on-missing"
    case storeUUID = "store-uuid"
    case noLedger = "no-ledger"
    case busyTimeout = "busy-timeout"
    case stores, variables
    case report, html, force, diagnostics, quiet, progress
    case reportAll = "report-all"
    case dryRun = "dry-run"
    case maxDiagnostics = "max-diagnostics"

    /// The keys that are allowed only at the top.
    static let onlyAtTop: Set<PlanStoreKey> = [
        .stores, .variables, .report, .html, .reportAll, .force, .dryRun, .diagnostics, .maxDiagnostics, .quiet,
        .progress,
    ]
    /// The keys that `stores` replaces at the top.
    static let insteadOfStores: Set<PlanStoreKey> = [.store, .imports, .subsets, .generate, .rejects, .storeUUID]
}
