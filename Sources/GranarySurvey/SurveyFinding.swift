/// What a survey of a file has found about one aspect of it.
package struct SurveyFinding: Sendable {
    package enum Aspect: String, Sendable {
        case format, encoding, characters, delimiter, quote, escape, spaces, lines, header, records, null, dates,
            numbers, booleans
        case lists, columns, spreadsheet
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
