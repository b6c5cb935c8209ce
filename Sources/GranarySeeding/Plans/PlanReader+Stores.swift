import Foundation
import GranaryBase

extension PlanReader {
    /// Everything that the plan says; without meaning where something was reported.
    func readStores() -> [SeedPlan.Store] {
        let top = mapping(PlanTree.root, "a plan", PlanStoreKey.self)
        if let variables = top[.variables] { readVariables(variables) }
        readSettings(top)
        guard let list = top[.stores] else {
            let stores = readStore(top, below: nil).map { [$0] } ?? []
            return stores
        }
        for key in PlanStoreKey.insteadOfStores {
            if let node = top.keyNode(key) {
                report("\(key.rawValue) belongs to one of the stores where a plan has several", at: node)
            }
        }
        // A text is no store, but the reading of a mapping says that.
        let stores = elements(list).compactMap { node in
            let store = mapping(node, "a store", PlanStoreKey.self)
            for key in PlanStoreKey.onlyAtTop {
                if let node = store.keyNode(key) { report("\(key.rawValue) stands at the top of a plan", at: node) }
            }
            return readStore(store, below: top)
        }
        if stores.count > SeedPlan.maximumStores {
            report("a plan has at most \(SeedPlan.maximumStores) stores", at: list)
        }
        checkPaths(stores)
        return stores
    }

    private func readSettings(_ top: PlanMapping<PlanStoreKey>) {
        if let text = top[.report].flatMap(text) { settings.report = text == "-" ? text : path(text) }
        settings.reportsAll = top[.reportAll].flatMap(flag) ?? false
        settings.force = top[.force].flatMap(flag) ?? false
        settings.isDryRun = top[.dryRun].flatMap(flag) ?? false
        settings.isQuiet = top[.quiet].flatMap(flag) ?? false
        settings.diagnostics = top[.diagnostics].flatMap { choice($0, of: ["text", "json", "sarif"]) }
        settings.progress = top[.progress].flatMap { choice($0, of: ["auto", "always", "never"]) }
        settings.maxDiagnostics = top[.maxDiagnostics].flatMap { integer($0, 0...Int64(Int32.max)) }.map { Int($0) }
    }

    /// One variable may use those before it.
    private func readVariables(_ node: Int) {
        for (name, value) in pairs(node, "variables and their values") {
            guard PlanVariables.isName(name) else {
                report("\"\(Diagnostic.shortened(name))\" is no name of a variable: letters, digits and _", at: value)
                continue
            }
            // What the command line gives instead is not asked of the plan.
            if variables.overrides[name] != nil {
                variables.set(name, "")
            } else if let text = text(value) {
                variables.set(name, text)
            }
        }
    }

    /// - Parameter top: what the plan says for all its stores, where they are several.
    private func readStore(
        _ store: PlanMapping<PlanStoreKey>, below top: PlanMapping<PlanStoreKey>?
    ) -> SeedPlan.Store? {
        func last(_ key: PlanStoreKey) -> Int? { store[key] ?? top?[key] }
        var imports: [SeedPlan.Import] = []
        if let list = store[.imports] {
            let defaults = [top?[.defaults], store[.defaults]].compactMap { $0 }.map(readDefaults)
            imports = elements(list).compactMap {
                readImport($0, defaults: defaults, onMissing: last(.onMissing))
            }
        } else {
            report("imports is missing: a list of what goes into the store", at: store.node)
        }
        if store[.store] == nil { report("store is missing: the store's path", at: store.node) }
        var result = SeedPlan.Store(
            path: "", models: readModels(last(.model)), imports: imports, position: tree.position(store.node))
        if let path = store[.store].flatMap(text) { result.path = self.path(path) }
        readRun(&result, last)
        return result
    }

    private func readModels(_ node: Int?) -> [PlanPath] {
        guard let node else { return [] }
        return elements(node).compactMap { element in
            text(element).map { PlanPath(path: path($0), position: tree.position(element), label: "model") }
        }
    }

    private func readRun(_ store: inout SeedPlan.Store, _ last: (PlanStoreKey) -> Int?) {
        if let mode = last(.mode).flatMap({ choice($0, ImportRunOptions.Mode.self) }) { store.run.mode = mode }
        if let loader = last(.loader).flatMap({ choice($0, ImportRunOptions.Loader.self) }) {
            store.run.loader = loader
        }
        if let node = last(.maxRejects), let count = integer(node, 0...Int64(Int32.max)) {
            store.run.maximumRejects = Int(count)
            if store.run.mode != .keepGood { report("needs mode: keep-good", at: node) }
        }
        if let node = last(.rejects), let path = text(node) {
            store.run.rejectsPath = self.path(path)
            if store.run.mode != .keepGood { report("needs mode: keep-good", at: node) }
        }
        if let noLedger = last(.noLedger).flatMap(flag) { store.run.keepsLedger = !noLedger }
        if let ships = last(.ship).flatMap(flag) { store.ships = ships }
        if let node = last(.revertible), let revertible = flag(node) {
            store.run.isRevertible = revertible
            if revertible, store.ships { report("cannot go with ship: the new UUID makes it another store", at: node) }
            if revertible, !store.run.keepsLedger {
                report("cannot go with no-ledger: what can be taken back is noted", at: node)
            }
        }
        if let node = last(.storeUUID), let text = text(node) {
            store.identifier = UUID(uuidString: text)
            if store.identifier == nil {
                report("a UUID is needed, of 32 digits in five groups", at: node, value: text)
            }
        }
        if let node = last(.like), let text = text(node) {
            store.like = PlanPath(path: path(text), position: tree.position(node), label: "like")
        }
        if let node = last(.busyTimeout), let text = text(node) {
            store.busyTimeout = Double(text).flatMap { (0...86_400).contains($0) ? $0 : nil }
            if store.busyTimeout == nil {
                report("a number of seconds is needed, from 0 to 86400", at: node, value: text)
            }
        }
    }

    private func checkPaths(_ stores: [SeedPlan.Store]) {
        var known: Set<String> = []
        for store in stores {
            for path in [store.path, store.run.rejectsPath].compactMap({ $0 }) where !path.isEmpty {
                if !known.insert(path).inserted {
                    problems.add(.planSyntax, "\(path) is written by two of the stores", at: store.position)
                }
            }
        }
    }
}
