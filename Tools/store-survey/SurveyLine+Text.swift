extension SurveyLine {
    /// One line, and another for each example of a difference.
    var text: String {
        var parts = ["\(isGood ? "ok  " : "FAIL") \(kind.rawValue)", path]
        if let error { parts.append("cannot be read: \(error)") }
        if let model { parts += model.parts }
        if let store { parts += store.parts }
        if !changedFiles.isEmpty {
            parts.append("FILES CHANGED: \(changedFiles.map { $0.isEmpty ? "the store" : $0 }.joined(separator: ", "))")
        }
        if warnings > 0 { parts.append("\(warnings) warnings") }
        parts.append("\(Int(milliseconds)) ms, \(peakBytes >> 20) MiB")
        return ([parts.joined(separator: "; ")] + (store?.compared.examples ?? []).map { "     \($0)" })
            .joined(separator: "\n")
    }
}

extension ModelFigures {
    fileprivate var parts: [String] {
        var parts = ["\(entities) entities"]
        if problems > 0 {
            parts.append("\(problems) problems")
        } else {
            parts.append(roundTripProblem.map { "ROUND TRIP: \($0)" } ?? "round trip equal")
            parts.append("hash \(hash.rawValue)")
        }
        return parts
    }
}

extension StoreFigures {
    fileprivate var parts: [String] {
        var parts = ["model \(modelSource)", "\(entities) entities"]
        if let frameworkVersion { parts.append("framework \(frameworkVersion)") }
        parts.append("\(compared.rows) of \(storedRows) rows, \(compared.values) values, \(compared.links) links")
        if compared.unequal > 0 { parts.append("\(compared.unequal) UNEQUAL") }
        if compared.failures > 0 { parts.append("\(compared.failures) UNREAD") }
        if compared.invalid > 0 { parts.append("\(compared.invalid) invalid") }
        if compared.rowsWithoutFile > 0 { parts.append("\(compared.rowsWithoutFile) rows without their file") }
        if compared.dangling > 0 { parts.append("\(compared.dangling) dangling links") }
        if compared.uncompared > 0 { parts.append("\(compared.uncompared) relationships not compared") }
        parts.append("findings: \(SurveySummary.list(findings))")
        return parts
    }
}
