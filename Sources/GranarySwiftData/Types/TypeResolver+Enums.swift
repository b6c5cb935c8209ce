import GranaryModel

extension TypeResolver {
    /// An enum: a composite of one element with the raw value, or of an element for each case.
    func enumeration(_ entry: SourceTypeEntry, _ property: String) -> TypeMeaning {
        let cases = entry.declaration.cases.filter { index.conditions.value($0.conditions) != false }
        if let type = rawType(of: entry) {
            return .known(.rawEnum(name: entry.bareName, type, values: rawValues(cases, type)))
        }
        // A raw value that the type itself computes.
        if entry.conforms(to: "RawRepresentable") || entry.variable(named: "rawValue") != nil {
            guard case .named(let name, _)? = entry.variable(named: "rawValue")?.type,
                let type = BuiltinTypes.attributeType(name)
            else { return unknown(entry, property, "the type of its raw value is not known") }
            return .known(.rawEnum(name: entry.bareName, type, values: nil))
        }
        if cases.contains(where: \.hasPayload) {
            return unknown(entry, property, "no known store tells how SwiftData stores an enum with associated values")
        }
        if cases.contains(where: { index.conditions.value($0.conditions) == nil }) {
            return unknown(entry, property, "#if decides which cases it has")
        }
        return .known(.caseEnum(name: entry.bareName, cases: cases.map(\.name)))
    }

    private func unknown(_ entry: SourceTypeEntry, _ property: String, _ reason: String) -> TypeMeaning {
        let cases = PropertyShape.caseEnum(name: entry.bareName, cases: entry.declaration.cases.map(\.name))
        return .unknown(
            "the enum \(entry.name): \(reason)", subject: entry.name,
            candidates: [cases] + BuiltinTypes.allShapes(named: property))
    }

    /// The attribute type of the raw values; nil if there are none.
    private func rawType(of entry: SourceTypeEntry) -> AttributeType? {
        // Only the first type after the colon of the declaration can be a raw type.
        guard let first = entry.declaration.inherited.first, case .named(let name, _) = first else { return nil }
        switch index.find(name.split(separator: ".").map(String.init), from: Array(entry.path.dropLast())) {
        case .nothing: break
        case .alias(.named(let name, _), _): return BuiltinTypes.attributeType(name)
        default: return nil
        }
        switch BuiltinTypes.attributeType(name) {
        case .string?: return .string
        case .integer16?: return .integer16
        case .integer32?: return .integer32
        case .integer64?: return .integer64
        case .double?: return .double
        case .float?: return .float
        default: return nil
        }
    }

    /// The raw values; nil if one of them is not a literal.
    private func rawValues(_ cases: [SourceCase], _ type: AttributeType) -> [RawValue]? {
        var values: [RawValue] = []
        var next: Int64? = 0
        for item in cases {
            switch (item.rawValue, type) {
            case (nil, .string): values.append(RawValue(name: item.name, text: item.name))
            case (.string(let text)?, .string): values.append(RawValue(name: item.name, text: text))
            case (nil, .integer16), (nil, .integer32), (nil, .integer64):
                guard let number = next else { return nil }
                values.append(RawValue(name: item.name, text: "\(number)"))
                next = number < Int64.max ? number + 1 : nil
            case (.integer(let digits)?, .integer16), (.integer(let digits)?, .integer32),
                (.integer(let digits)?, .integer64):
                guard let number = Int64(digits) else { return nil }
                values.append(RawValue(name: item.name, text: "\(number)"))
                next = number < Int64.max ? number + 1 : nil
            default: return nil
            }
        }
        return values
    }
}
