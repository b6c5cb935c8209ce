import GranaryBase

extension StoreDiffSummary: CustomStringConvertible {
    /// The verdict, then a line for each difference of the models and for each entity with differences.
    ///
    /// ```
    /// different: 3 objects
    /// Patient: 297 same, 1 changed, 2 only in A, 0 only in B
    /// ```
    public var description: String {
        ([verdict] + schema.map { "model: \($0)" } + links.map(\.description)
            + entities.filter { $0.differences > 0 }.map(\.description)).joined(separator: "\n")
    }

    /// `equal`, or `different: ` and the numbers of differences.
    package var verdict: String {
        guard !isEqual else { return "equal" }
        var parts: [String] = []
        if differences > 0 { parts.append(CountText.count(differences, "object")) }
        if !links.isEmpty {
            parts.append("links of missing objects in " + CountText.count(links.count, "relationship"))
        }
        if !schema.isEmpty { parts.append(CountText.count(schema.count, "difference") + " of the models") }
        return "different: " + parts.joined(separator: ", ")
    }
}

extension StoreDiffSummary.Entity: CustomStringConvertible {
    /// `Patient: 297 same, 1 changed, 2 only in A, 0 only in B`
    public var description: String {
        "\(name): \(CountText.grouped(same)) same, \(CountText.grouped(changed)) changed, "
            + "\(CountText.grouped(onlyInA)) only in A, \(CountText.grouped(onlyInB)) only in B"
    }
}

extension StoreDiffSummary.SchemaDifference: CustomStringConvertible {
    /// `only in A: Patient.age`, or `Patient.age: Integer 16 -> String (not compared)`.
    public var description: String {
        let name = entity + (property.map { ".\($0)" } ?? "")
        return switch kind {
        case .onlyInA: "only in A: \(name)"
        case .onlyInB: "only in B: \(name)"
        case .different: "\(name): \(a ?? "") -> \(b ?? "")" + (isCompared ? "" : " (not compared)")
        }
    }
}

extension StoreDiffSummary.LinkDifference: CustomStringConvertible {
    /// `Patient.injuries: different links of objects that do not exist: 1 in A, 0 in B`
    public var description: String {
        "\(entity).\(property): different links of objects that do not exist: "
            + "\(CountText.grouped(a)) in A, \(CountText.grouped(b)) in B"
    }
}
