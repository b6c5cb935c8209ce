package import GranaryBase

extension ImportReport {
    /// A copy whose diagnostics name something else than the sources that were read, such as temporary files.
    ///
    /// - Parameters:
    ///   - files: the names of the sources in which no place is to be shown.
    ///   - change: called with diagnostics in batches.
    package func explained(
        hiding files: Set<String>, _ change: ([Diagnostic]) throws -> [Diagnostic]
    ) throws -> ImportReport {
        guard diagnosticCount > 0 else { return self }
        var report = self
        report.diagnostics = try change(diagnostics)
        report.endings = try change(endings)
        report.allDiagnostics = try allDiagnostics?.changed(change)
        for index in report.rules.indices { report.rules[index].first.removeAll { files.contains($0.file) } }
        report.imports = try imports.map { try $0.explained(hiding: files, change) }
        return report
    }
}

extension DiagnosticSpool {
    /// The number of diagnostics that are in memory at once.
    private static let batchSize = 10_000

    /// A copy with other diagnostics.
    fileprivate func changed(_ change: ([Diagnostic]) throws -> [Diagnostic]) throws -> DiagnosticSpool {
        let copy = DiagnosticSpool()
        var batch: [Diagnostic] = []
        func end() throws {
            for diagnostic in try change(batch) { copy.add(diagnostic) }
            batch.removeAll(keepingCapacity: true)
        }
        try forEach { diagnostic in
            batch.append(diagnostic)
            if batch.count == Self.batchSize { try end() }
        }
        try end()
        return copy
    }
}
