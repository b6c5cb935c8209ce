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
