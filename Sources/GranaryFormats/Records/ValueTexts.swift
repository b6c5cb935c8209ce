package import GranaryBase

/// Formats the values that a ``TextForm`` writes in another way than ``ValueText`` does: dates, fractions, Booleans.
package struct ValueTexts {
    private var dates: DateTextWriter?
    private let inOrder: [DateFormat]
    private let formats: String
    private let decimalSeparator: [UInt8]?
    private let words: (true: [UInt8], false: [UInt8])?
    private let rounded: RoundedDates?

    /// Nil if the form changes no values.
    ///
    /// - Parameter rounded: counts dates that are not exact; nil if such a date is an error.
    /// - Throws: ``GranaryError`` with code `usage` for a form that cannot be written.
    package init?(_ form: TextForm, rounded: RoundedDates?) throws(GranaryError) {
        if let problem = form.problem { throw GranaryError(.usage, "\(problem.option): \(problem.reason)") }
        guard form.changesDates || form.decimalSeparator != "." || form.trueText != nil else { return nil }
        var forms: [DateTextReader.Form] = []
        for format in form.datesInOrder {
            do throws(ValueTextError) { forms.append(try format.form(locale: form.locale)) } catch {
                throw GranaryError(.usage, "the date format \"\(format.optionText)\": \(error.reason)")
            }
        }
        dates = form.changesDates ? DateTextWriter(forms, timeZone: form.timeZone) : nil
        inOrder = form.datesInOrder
        formats = inOrder.map(\.optionText).joined(separator: " or ")
        decimalSeparator = form.decimalSeparator == "." ? nil : Array(String(form.decimalSeparator).utf8)
        if let trueText = form.trueText, let falseText = form.falseText {
            words = (Array(trueText.utf8), Array(falseText.utf8))
        } else {
            words = nil
        }
        self.rounded = rounded
    }

    /// - Throws: ``GranaryError`` with code `usage` if dates need a time zone that is not given.
    package func checkZone() throws(GranaryError) {
        guard dates?.lacksZone == true else { return }
        throw GranaryError(
            .usage,
            "dates in the format \(formats) need a time zone, such as --time-zone Europe/Berlin or --time-zone UTC")
    }

    /// What was appended for a value.
    package enum Written: Sendable { case text, number }

    /// Appends the text of a value that the form changes.
    ///
    /// - Returns: nil, and appends nothing, for other values.
    /// - Throws: ``GranaryError`` with code `refused` for a date that no format expresses exactly, unless dates may be
    ///   rounded.
    package mutating func append(
        _ value: BorrowedValue, to output: inout [UInt8], entity: @autoclosure () -> String,
        property: @autoclosure () -> String
    ) throws(GranaryError) -> Written? {
        switch value {
        case .date(let date):
            guard date.isFinite, dates != nil else { return nil }
            return try append(date, to: &output, entity: entity(), property: property())
        case .boolean(let flag):
            guard let words else { return nil }
            output.append(contentsOf: flag ? words.true : words.false)
            return .text
        case .float(let number):
            guard let decimalSeparator, number.isFinite else { return nil }
            let start = output.count
            FloatingText.append(number, to: &output)
            Self.replacePoint(in: &output, from: start, by: decimalSeparator)
        case .double(let number):
            guard let decimalSeparator, number.isFinite else { return nil }
            let start = output.count
            FloatingText.append(number, to: &output)
            Self.replacePoint(in: &output, from: start, by: decimalSeparator)
        case .decimal(let number):
            guard let decimalSeparator else { return nil }
            let start = output.count
            DecimalText.append(number, to: &output)
            Self.replacePoint(in: &output, from: start, by: decimalSeparator)
        case .null, .integer, .text, .uri, .uuid, .binary: return nil
        }
        return .number
    }

    private mutating func append(
        _ date: Double, to output: inout [UInt8], entity: String, property: String
    ) throws(GranaryError) -> Written {
        try checkZone()
        switch dates?.append(date, to: &output) {
        case .exact(let isNumber)?: return isNumber ? .number : .text
        case .rounded(let reason)?:
            if let rounded {
                rounded.note(date, entity: entity, property: property)
                return .text
            }
            let exact = date == date.rounded() ? nil : inOrder.lazy.compactMap(\.withFraction).first
            throw inexact(
                date, "the format \(formats) \(reason)",
                help: exact.flatMap { OptionHelp.option("date-format", $0) } ?? "--round-dates")
        case .ambiguous(let reason, let index)?:
            if let rounded {
                rounded.note(date, entity: entity, property: property, isAmbiguous: true)
                return .text
            }
            let format = inOrder[index]
            throw inexact(
                date, "the format \(format.optionText) \(reason)",
                help: format.withOffset.flatMap { OptionHelp.option("date-format", $0) } ?? "--round-dates")
        case .impossible?, nil:
            throw GranaryError(
                Diagnostic(
                    .valueRange, "a date \(date) seconds from 2001 cannot be written in the format \(formats)",
                    help: "--date-format core-data"))
        }
    }

    private func inexact(_ date: Double, _ reason: String, help: String) -> GranaryError {
        let text = DateText.text(date)
        return GranaryError(
            Diagnostic(
                .valuePrecision, "the date \(text) cannot be written exactly: \(reason)", value: text, help: help))
    }

    private static func replacePoint(in output: inout [UInt8], from start: Int, by separator: [UInt8]) {
        guard let point = output[start...].firstIndex(of: UInt8(ascii: ".")) else { return }
        output.replaceSubrange(point...point, with: separator)
    }
}
