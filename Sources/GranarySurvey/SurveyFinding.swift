import GranaryBase

/// What a survey of a file has found about one aspect of it.
package struct SurveyFinding: Sendable {
    package enum Aspect: String, Sendable {
        case format, encoding, delimiter, quote, escape, spaces, lines, header, records, null, dates, numbers, booleans
        case lists, columns
    }

    package let aspect: Aspect
    /// What was found: `Windows-1252`, `; (semicolon)`.
    package var value: String
    /// How sure that is: counts of what speaks for it, and against it.
    package var evidence: String
    /// The options of an import that follow from it.
    package var options: [SurveyOption] = []
    /// Nil if there is one reading.
    package var doubt: SurveyDoubt?

    init(_ aspect: Aspect, _ value: String, _ evidence: String, _ options: [SurveyOption] = []) {
        self.aspect = aspect
        self.value = value
        self.evidence = evidence
        self.options = options
    }
}

/// An option of `granary import`, which is also a key of a seed plan.
package struct SurveyOption: Sendable, Hashable {
    package let name: String
    /// Nil for a flag.
    package let value: String?
    /// The column that it is for; nil for the whole file.
    package var column: String?

    package init(_ name: String, _ value: String? = nil, column: String? = nil) {
        self.name = name
        self.value = value
        self.column = column
    }

    /// The option as it is written in a shell; nil for an option of one column, which only a plan can have.
    package var text: String? {
        guard column == nil else { return nil }
        guard let value else { return "--\(name)" }
        return OptionHelp.option(name, value)
    }
}

/// Two readings of a file between which its contents do not decide.
package struct SurveyDoubt: Sendable {
    package let text: String
    /// The options of each reading, the likelier first.
    package let readings: [String]

    init(_ text: String, _ readings: [String]) {
        self.text = text
        self.readings = readings
    }
}
