import Foundation
import GranaryBase
import GranaryFormats
import GranaryImport
import GranaryRecords
import GranaryYAML

extension PlanReader {
    /// The defaults and the import's own mapping, which overrides them.
    struct Layers {
        var mappings: [KeyedMapping<PlanImportKey>]

        subscript(key: PlanImportKey) -> Int? { mappings.last { $0[key] != nil }?[key] }

        /// The values of a key in all layers, the import's own last.
        func all(_ key: PlanImportKey) -> [Int] { mappings.compactMap { $0[key] } }
    }

    func readDefaults(_ node: Int) -> KeyedMapping<PlanImportKey> {
        let defaults = mapping(node, "defaults", PlanImportKey.self)
        for key in PlanImportKey.notInDefaults {
            if let node = defaults.keyNode(key) { report("\(key.rawValue) is allowed only in an import", at: node) }
        }
        return defaults
    }

    /// - Parameter onMissing: the store's policy for all its imports.
    func readImport(
        _ node: Int, defaults: [KeyedMapping<PlanImportKey>], onMissing: Int?
    ) -> SeedPlan.Import? {
        let own = mapping(node, "an import", PlanImportKey.self)
        let layers = Layers(mappings: defaults + [own])
        var options = ImportOptions()
        if let onMissing { readOnMissing(onMissing, &options) }
        readColumns(layers, &options)
        readValues(layers, &options)
        readKey(layers, &options)
        var source = readSource(layers)
        // Stores can contain U+0000.
        if options.restoresAsIs { source.allowsNUL = true }
        let entity = own[.entity].flatMap(text)
        if own[.links] != nil, own[.entity] == nil { report("entity is missing: the owner of the links", at: node) }
        guard let input = readInput(own) else { return nil }
        let result = SeedPlan.Import(
            entity: entity, input: input, source: source, options: options, position: tree.position(node))
        check(result, own)
        return result
    }

    private func readInput(_ own: KeyedMapping<PlanImportKey>) -> SeedPlan.Import.Input? {
        let inputs = [PlanImportKey.file, .terms, .rows].filter { own[$0] != nil }
        guard inputs.count == 1 else {
            let message =
                inputs.isEmpty
                ? "an import needs file, terms or rows" : "an import can have only one of file, terms and rows"
            report(message, at: inputs.last.flatMap(own.keyNode) ?? own.node)
            return nil
        }
        if let file = own[.file] {
            return .files(elements(file).compactMap(self.file))
        }
        if let terms = own[.terms] {
            var position = tree.position(terms)
            if case .text(_, isPlain: false) = tree.content(terms) { position.column += 1 }
            return text(terms).map { .terms($0, at: position) }
        }
        return own[.rows].map { .rows(rows($0)) }
    }

    private func readSource(_ layers: Layers) -> SourceOptions {
        var source = SourceOptions()
        source.format = layers[.format].flatMap(choice)
        source.delimiter = layers[.delimiter].flatMap(text)
        source.quote = layers[.quote].flatMap { option($0, OptionText.byte) }
        source.comment = layers[.comment].flatMap { option($0, OptionText.byte) }
        source.encoding = layers[.encoding].flatMap { option($0, OptionText.encoding) }
        source.columns = layers[.columns].flatMap(names)
        source.hasHeader = !(layers[.noHeader].flatMap(flag) ?? false)
        read(&source.blankLines, layers[.blankLines], choice)
        source.blankRows = .skip
        read(&source.blankRows, layers[.blankRows], choice)
        source.escape = layers[.escape].flatMap { option($0, OptionText.byte) }
        source.skipsSpaces = skipsSpaces(layers)
        read(&source.tokenizer, layers[.tokenizer], choice)
        read(&source.isForSpreadsheets, layers[.spreadsheet], flag)
        source.ignoresUnnamed = layers[.ignore].flatMap(texts)?.contains("") ?? false
        read(&source.allowsNUL, layers[.allowNUL], flag)
        source.skipRows = Int(clamping: layers[.skipRows].flatMap { integer($0, 0...Int64(Int32.max)) } ?? 0)
        source.table = layers[.table].flatMap(text)
        source.query = layers[.sql].flatMap(text)
        source.recordPlaces = layers[.records].map(recordPlaces) ?? []
        source.recordKey = layers[.recordKey].flatMap(text)
        source.attributes = layers[.attribute].flatMap(names)
        source.fieldDelimiter = layers[.fieldDelimiter].flatMap(text)
        source.ordinal = layers[.ordinal].flatMap(text)
        read(&source.ordinalStart, layers[.ordinalStart]) { integer($0, Int64.min...Int64.max) }
        return source
    }

    /// Whether fields are trimmed, all or those of some columns.
    private func skipsSpaces(_ layers: Layers) -> Bool {
        guard let node = layers[.trim] else { return false }
        if case .text(let text, _) = tree.content(node), ["true", "false"].contains(text) { return text == "true" }
        return !(names(node) ?? []).isEmpty
    }

    /// One path, a list of them, or a mapping of entities and their paths.
    private func recordPlaces(_ node: Int) -> [RecordPlace] {
        guard case .mapping = tree.content(node) else { return (texts(node) ?? []).map(OptionText.recordPlace) }
        return pairs(node, "entities and the paths of their records").flatMap { entity, value in
            (texts(value) ?? []).map { RecordPlace($0, entity: entity) }
        }
    }

    private func readKey(_ layers: Layers, _ options: inout ImportOptions) {
        if let node = layers[.key] { readKeys(node, &options) }
        read(&options.mergesEqualRows, layers[.distinct], flag)
        read(&options.prunes, layers[.prune], flag)
        options.maximumPruned = layers[.maxPrune].flatMap { option($0, OptionText.pruneLimit) }
        options.linkRelationship = layers[.links].flatMap(text)
        read(&options.onConflict, layers[.onConflict], choice)
        for node in layers.all(.onMissing) { readOnMissing(node, &options) }
    }

    /// Reads the attributes of the rows' natural key, and texts such as `injuries=name` for the keys of nested objects.
    private func readKeys(_ node: Int, _ options: inout ImportOptions) {
        var found = names(node)
        if case .text(let text, _) = tree.content(node), text.contains("=") { found = texts(node) }
        guard let texts = found else { return }
        let own = texts.filter { !$0.contains("=") }
        do throws(OptionProblem) {
            options.nestedKeys = try OptionText.keys(texts.filter { $0.contains("=") }).nested
        } catch {
            report(error.message, at: node)
        }
        options.key = own.isEmpty ? nil : own
    }

    /// One policy for all relationships, or one for each.
    private func readOnMissing(_ node: Int, _ options: inout ImportOptions) {
        guard case .mapping = tree.content(node) else {
            return read(&options.onMissing, node, choice)
        }
        for (name, value) in pairs(node, "relationships and their policies") {
            options.missingPolicies[name] = choice(value)
        }
    }

    /// Reports contradictions that can be found without the model and the files.
    private func check(_ result: SeedPlan.Import, _ own: KeyedMapping<PlanImportKey>) {
        var formats: [DataFormat] = []
        var isFile = false
        switch result.input {
        case .terms: formats = [.terms]
        case .rows: formats = [.json]
        case .files(let paths):
            isFile = true
            for path in paths {
                if result.source.databaseContent != nil {
                    guard path.path == "-" else { continue }
                    problems.add(
                        .planSyntax, "file: an SQLite database cannot be read from standard input",
                        at: path.position, field: path.label)
                } else if let format = result.source.format(ofFile: path.path) {
                    formats.append(format)
                } else {
                    let problem =
                        DatabaseFile.tableList(path.path).map {
                            "\(path.path) is an SQLite database; set the key table (\($0)) or sql"
                        } ?? "cannot tell the format from '\(path.path)'; set the key format"
                    problems.add(
                        .planSyntax, "file: \(problem)",
                        at: path.position, field: path.label)
                }
                if result.entity == nil, path.path == "-", result.source.format.map({ $0.isNamedAfterEntity }) ?? false
                {
                    report("entity is missing: the entity of the rows", at: own.node)
                }
            }
        }
        // JSON and property lists name their entities, and other files are named after theirs.
        if result.entity == nil, !isFile || formats.contains(.terms) || result.source.query != nil {
            report("entity is missing: the entity of the rows", at: own.node)
        }
        for key in [PlanImportKey.encoding, .records, .recordKey, .table, .sql] where !isFile {
            if let place = own.keyNode(key) { report("\(key.rawValue): applies only to files", at: place) }
        }
        guard isFile || result.source.databaseContent == nil else { return }
        for problem in result.source.problems(for: formats) {
            let key = PlanImportKey(rawValue: problem.option)
            let place = key.flatMap { own.keyNode($0) }
            // Defaults may contain options for other formats.
            if problem.isMoot, place == nil { continue }
            report("\(problem.option): \(problem.message)", at: place ?? own.node)
        }
    }
}
