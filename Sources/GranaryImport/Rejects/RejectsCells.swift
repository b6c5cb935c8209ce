import GranaryBase
import GranaryFormats
import GranaryModel

/// Turns the members of a JSON object into the fields of a table.
struct RejectsCells {
    let properties: RejectedProperties?
    /// The entity of the record; nil if the source does not name it.
    let entity: String?
    /// The members whose values are of another type than their properties.
    let mistyped: Set<[UInt8]>

    /// - Parameter reasons: the diagnostics of the record.
    init(_ properties: RejectedProperties?, entity: String?, _ reasons: [Diagnostic]) {
        self.properties = properties
        self.entity = entity
        mistyped = Set(reasons.filter { $0.code == .valueSyntax }.compactMap { $0.field.map { Array($0.utf8) } })
    }

    func member(_ name: [UInt8]) -> RejectedProperties.Member {
        properties?.member(name, entity: entity) ?? RejectedProperties.Member()
    }

    /// The field of a member, and whether an import reads the same value from it as from the member.
    func cell(_ name: [UInt8], _ value: JSONMembers.Value) -> (cell: RejectsCell, isExact: Bool) {
        let member = member(name)
        let (cell, isExact) = cell(value, member, isMistyped: mistyped.contains(name))
        guard !cell.text.contains(0) else { return (RejectsCell(text: []), false) }
        return (cell, isExact || member.role == .ignored)
    }

    private func cell(
        _ value: JSONMembers.Value, _ member: RejectedProperties.Member, isMistyped: Bool
    ) -> (cell: RejectsCell, isExact: Bool) {
        switch value {
        case .null: (RejectsCell(text: member.null ?? []), member.null != nil)
        case .text(let text): (RejectsCell(text: text, isQuoted: true), true)
        case .number(let digits):
            (bare(digits, member), member.hasPlainNumbers && fits(member.role, isMistyped: isMistyped))
        case .boolean(let word): (bare(word, member), fitsBoolean(member.role))
        case .object(let json): (bare(json, member), false)
        case .list(let elements, let json): list(elements, json, member, isMistyped: isMistyped)
        }
    }

    /// A field that would be NULL is quoted.
    private func bare(_ text: [UInt8], _ member: RejectedProperties.Member) -> RejectsCell {
        RejectsCell(text: text, isQuoted: member.isNull(text))
    }

    /// Whether the property has the same value for a number and for its digits as a text.
    private func fits(_ role: RejectedProperties.Role, isMistyped: Bool) -> Bool {
        switch role {
        case .attribute(let type):
            switch type {
            case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
            default: !isMistyped && type == .date
            }
        case .toOne, .toMany: !isMistyped
        case .ignored, .other: true
        }
    }

    private func fitsBoolean(_ role: RejectedProperties.Role) -> Bool {
        switch role {
        case .attribute(let type): type == .boolean
        case .toOne, .toMany: false
        case .ignored, .other: true
        }
    }

    private func list(
        _ elements: [JSONMembers.Value], _ json: [UInt8], _ member: RejectedProperties.Member, isMistyped: Bool
    ) -> (cell: RejectsCell, isExact: Bool) {
        switch member.role {
        case .toMany:
            guard !elements.isEmpty else { return (RejectsCell(text: member.null ?? []), member.null != nil) }
            guard let text = joined(elements, member, isMistyped: isMistyped) else {
                return (bare(json, member), false)
            }
            return (bare(text, member), true)
        // A key of several values, which an import reads in this form.
        case .toOne: return (bare(json, member), !isMistyped && !elements.isEmpty)
        case .attribute, .ignored, .other: return (bare(json, member), false)
        }
    }

    /// The elements as an import splits them; nil if one of them is not a key.
    private func joined(
        _ elements: [JSONMembers.Value], _ member: RejectedProperties.Member, isMistyped: Bool
    ) -> [UInt8]? {
        let separator = properties?.listSeparator ?? UInt8(ascii: ";")
        var text: [UInt8] = []
        for (index, element) in elements.enumerated() {
            if index > 0 { text.append(separator) }
            let start = text.count
            switch element {
            case .text(let key): text.append(contentsOf: key)
            case .number(let digits) where member.hasPlainNumbers && !isMistyped: text.append(contentsOf: digits)
            case .list(_, let json): text.append(contentsOf: json)
            case .null, .boolean, .object, .number: return nil
            }
            ListText.quoteElement(at: start, of: &text, separator: separator)
        }
        return text
    }
}
