import Foundation
import GranaryBase
import GranaryImport
import GranaryPostgreSQL
import GranaryYAML

extension PlanReader {
    /// Reads the whole plan. The result is meaningless if a problem was reported.
    func readStores() -> [SeedPlan.Store] {
        let top = mapping(PlacedTree.root, "a plan", PlanStoreKey.self)
        if let variables = top[.variables] { readVariables(variables) }
        readSettings(top)
        guard let list = top[.stores] else {
            return readStore(top, below: nil).map { [$0] } ?? []
        }
        for key in PlanStoreKey.insteadOfStores {
            if let node = top.keyNode(key) {
                report("\(key.rawValue) is a key of each store if a plan has several", at: node)
            }
        }
        // A text instead of a store is reported when its mapping is read.
        let stores = elements(list).compactMap { node in
            let store = mapping(node, "a store", PlanStoreKey.self)
            for key in PlanStoreKey.onlyAtTop {
                if let node = store.keyNode(key) {
                    report("\(key.rawValue) is allowed only at the top of a plan", at: node)
                }
            }
            return readStore(store, below: top)
        }
        if stores.count > SeedPlan.maximumStores {
            report("a plan has at most \(SeedPlan.maximumStores) stores", at: list)
        } else {
            checkPaths(stores)
        }
        return stores
    }

    private func readSettings(_ top: KeyedMapping<PlanStoreKey>) {
        if let text = top[.report].flatMap(text) { settings.report = text == "-" ? text : path(text) }
        if let text = top[.html].flatMap(text) { settings.page = text == "-" ? text : path(text) }
        read(&settings.reportsAll, top[.reportAll], flag)
        read(&settings.force, top[.force], flag)
        read(&settings.isDryRun, top[.dryRun], flag)
        read(&settings.isQuiet, top[.quiet], flag)
        settings.diagnostics = top[.diagnostics].flatMap { choice($0, of: ["text", "json", "sarif", "csv"]) }
        settings.progress = top[.progress].flatMap { choice($0, of: ["auto", "always", "never"]) }
        settings.maxDiagnostics = top[.maxDiagnostics].flatMap { integer($0, 0...Int64(Int32.max)) }.map { Int($0) }
    }

    /// Reads the variables. Each can use the variables before it.
    private func readVariables(_ node: Int) {
        for (name, value) in pairs(node, "variables and their values") {
            guard PlanVariables.isName(name) else {
                report("\"\(Diagnostic.shortened(name))\" is not a variable name; use letters, digits and _", at: value)
                continue
            }
            // The plan's value is not expanded if it is overridden.
            if variables.overrides[name] != nil {
                variables.set(name, "")
            } else if let text = text(value) {
                variables.set(name, text)
            }
        }
    }

    /// - Parameter top: the keys at the top of a plan with several stores.
    private func readStore(
        _ store: KeyedMapping<PlanStoreKey>, below top: KeyedMapping<PlanStoreKey>?
    ) -> SeedPlan.Store? {
        func last(_ key: PlanStoreKey) -> Int? { store[key] ?? top?[key] }
        var imports: [SeedPlan.Import] = []
        if let list = store[.imports] {
            let defaults = [top?[.defaults], store[.defaults]].compactMap { $0 }.map(readDefaults)
            imports = elements(list).compactMap {
                readImport($0, defaults: defaults, onMissing: last(.onMissing))
            }
        } else if store[.generate] == nil, store[.subsets] == nil {
            report("imports is missing: the list of imports", at: store.node)
        }
        let subsets = store[.subsets].map { elements($0).compactMap(readSubset) } ?? []
        if let place = store.keyNode(.subsets), imports.contains(where: \.options.restoresAsIs) {
            report("subsets cannot be combined with imports that have as-is", at: place)
        }
        if store[.store] == nil { report("store is missing: the path of the store", at: store.node) }
        let path = store[.store].flatMap(text).map(storePath)
        let models = (last(.model).map(elements) ?? []).compactMap { readPath($0, "model") }
        let like = last(.like).flatMap { readPath($0, "like") }
        var target = StoreImport(path: path ?? "", jobs: [], run: ImportRunOptions())
        target.models = models.map(\.path)
        target.like = like?.path
        target.position = tree.position(store.node)
        readRun(&target, last)
        if let node = store[.generate] { target.run.generation = readGeneration(node) }
        var read = SeedPlan.Store(target: target, models: models, like: like, imports: imports, subsets: subsets)
        func note(_ path: String?, _ node: Int?, _ label: String) {
            guard let path, let node else { return }
            read.outputs.append(PlanPath(path: path, position: tree.position(node), label: label))
        }
        if !target.isInDatabase { note(path, store[.store], "store") }
        note(target.run.rejectsPath, last(.rejects), "rejects")
        return read
    }

    /// The path of a store, or its connection string, unchanged.
    func storePath(_ text: String) -> String { ConnectionText.isConnection(text) ? text : path(text) }

    func readPath(_ node: Int, _ label: String) -> PlanPath? {
        text(node).map { PlanPath(path: path($0), position: tree.position(node), label: label) }
    }

    private func readRun(_ store: inout StoreImport, _ last: (PlanStoreKey) -> Int?) {
        read(&store.run.mode, last(.mode), choice)
        read(&store.run.loader, last(.loader), choice)
        if let node = last(.maxRejects), let count = integer(node, 0...Int64(Int32.max)) {
            store.run.maximumRejects = Int(count)
            if store.run.mode != .keepGood { report("needs mode: keep-good", at: node) }
        }
        if let node = last(.rejects), let path = text(node) {
            store.run.rejectsPath = self.path(path)
            if store.run.mode != .keepGood { report("needs mode: keep-good", at: node) }
        }
        read(&store.run.rejectsFormat, last(.rejectsFormat), choice)
        if let noLedger = last(.noLedger).flatMap(flag) { store.run.keepsLedger = !noLedger }
        read(&store.ships, last(.ship), flag)
        if let node = last(.external), let place = choice(node, of: ["files", "inline"]) {
            store.inlinesExternalData = place == "inline"
            if !store.ships { report("needs ship: true", at: node) }
        }
        if let node = last(.revertible), let revertible = flag(node) {
            store.run.isRevertible = revertible
            if revertible, store.ships {
                report("cannot be combined with ship, because shipping gives the store a new UUID", at: node)
            }
            if revertible, !store.run.keepsLedger {
                report("cannot be combined with no-ledger, because reverting needs the ledger", at: node)
            }
        }
        if let node = last(.storeUUID), let text = text(node) {
            store.identifier = UUID(uuidString: text)
            if store.identifier == nil {
                report("a UUID is required, with 32 digits in five groups", at: node, value: text)
            }
        }
        if let node = last(.busyTimeout), let text = text(node) {
            store.busyTimeout = Double(text).flatMap { (0...86_400).contains($0) ? $0 : nil }
            if store.busyTimeout == nil {
                report("a number of seconds is required, from 0 to 86400", at: node, value: text)
            }
        }
    }

    /// Reports the stores and rejects files that are one file, also under another name or behind a link.
    private func checkPaths(_ stores: [SeedPlan.Store]) {
        var known: [PlanPath] = []
        for output in stores.flatMap(\.outputs) where !output.path.isEmpty {
            let same = known.first { other in
                var files = ProtectedFiles()
                files.add(other.path, as: "")
                return files.conflict(of: output.path) != nil
            }
            known.append(output)
            guard let same else { continue }
            let name = same.path == output.path ? "" : "as \(same.path) "
            let place = "\(same.position.file):\(same.position.line):\(same.position.column)"
            problems.add(
                .planSyntax, "\(output.path) is written by two of the stores: it is also written \(name)at \(place)",
                at: output.position, field: output.label, value: output.path)
        }
    }
}
