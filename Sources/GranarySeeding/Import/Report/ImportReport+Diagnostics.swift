import GranaryBase

extension ImportReport {
    /// Takes over what an import has found wrong.
    mutating func take(_ intake: RecordIntake) {
        diagnostics = Self.sorted(intake.collector, files: intake.files)
        endings = intake.endings
        allDiagnostics = intake.spool
        if intake.collector.isCut {
            let known = Set(diagnostics)
            diagnostics += intake.endings.filter { !known.contains($0) }
        }
        diagnosticCount = intake.collector.count
        errorCount = intake.collector.errorCount
        var groups = DiagnosticCollector(limit: 0)
        // The first places of each rule are then the first in the files, too.
        if !intake.collector.isCut { groups.add(contentsOf: diagnostics) }
        rules = intake.collector.isCut ? intake.collector.groups : groups.groups
    }

    /// In the order of the files and their lines: what is found out at the end stands beside what was seen at once. A cut
    /// list keeps the order of finding, since what is missing from it could be anywhere.
    private static func sorted(_ collector: DiagnosticCollector, files: [String]) -> [Diagnostic] {
        guard !collector.isCut else { return collector.diagnostics }
        let places = Dictionary(files.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        func key(_ diagnostic: Diagnostic) -> (Int, Int, Int) {
            guard let position = diagnostic.position else { return (.max, 0, 0) }
            return (places[position.file] ?? .max - 1, position.line, position.column)
        }
        return collector.diagnostics.enumerated().sorted { left, right in
            let (one, other) = (key(left.element), key(right.element))
            return one == other ? left.offset < right.offset : one < other
        }.map(\.element)
    }
}
