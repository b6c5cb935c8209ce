import Foundation
import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryRecords

/// Changes texts of one column, which an import reads with the options of a survey, to the texts that an import reads
/// without options: `1.234,50 €` becomes `1234.50`.
struct PlainValues: Sendable {
    private enum Form: Sendable {
        case number(NumberFormat, NumberAffixes)
        case date(DateTextReader)
        case boolean(true: Set<String>, false: Set<String>)
    }

    private let form: Form
    private let nulls: Set<String>

    /// Returns nil for a column whose texts stay as they are. A few texts that are no numbers or dates stay as they are
    /// beside the others.
    init?(_ column: SurveyedColumn, options: [SurveyOption]) {
        func values(_ name: String) -> [String] { options.filter { $0.name == name }.compactMap(\.value) }
        let survey = column.survey
        nulls = Set(values("null").filter { survey.nullWords[$0] != nil })
        switch column.role {
        case .number:
            let decimal = values("decimal-separator").first.flatMap { try? OptionText.separator($0) } ?? "."
            let group = values("group-separator").first.flatMap { try? OptionText.separator($0) }
            // Texts that would lose something as numbers stay texts.
            guard survey.numbers.losesNothing,
                let format = NumberFormat(decimalSeparator: decimal, groupSeparator: group)
            else { return nil }
            form = .number(format, NumberAffixes(values("currency")))
        case .date:
            let forms = survey.dates.chosenForms
            guard !forms.isEmpty else { return nil }
            form = .date(DateTextReader(forms, timeZone: .gmt, policy: .earlier))
        case .boolean:
            guard let words = survey.booleanWords else { return nil }
            form = .boolean(true: Set(words.true), false: Set(words.false))
        case .text, .reference, .other, .unknown: return nil
        }
    }

    /// The plain text of a field; nil for NULL.
    func plain(_ bytes: [UInt8]) -> [UInt8]? {
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespaces)
        if nulls.contains(text) { return nil }
        return Array(text.utf8).withUnsafeBufferPointer { text -> [UInt8] in
            switch form {
            case .number(let format, let affixes):
                let number = affixes.number(in: text) ?? Array(text)
                return number.withUnsafeBufferPointer { try? format.plainText(of: $0) } ?? bytes
            case .date(var reader):
                // A copy, because the reader caches offsets of time zones.
                return (try? reader.parse(text)).map { Array(DateText.text($0).utf8) } ?? bytes
            case .boolean(let yes, let no):
                let word = String(decoding: text, as: UTF8.self)
                return yes.contains(word) ? Array("true".utf8) : no.contains(word) ? Array("false".utf8) : bytes
            }
        }
    }
}
