/// The largest time by which the dates of one object move, and the object whose number it depends on.
package struct DateShift: Sendable, Hashable {
    /// The number of steps of ``seconds``.
    let count: Int
    let seconds: Int
    /// The to-one relationship to the object that has the offset; nil for the object itself.
    let relationship: String?

    /// `30 days`, `12 hours of patient`
    init(_ words: ArraySlice<Substring>) throws(AnonymisationRules.Decision.Problem) {
        let words = Array(words)
        let units = ["day": 86_400, "hour": 3600, "minute": 60]
        guard words.count == 2 || words.count == 4 && words[2] == "of", let count = Int(words[0]),
            (1...100_000).contains(count),
            let seconds = units[String(words[1].hasSuffix("s") ? words[1].dropLast() : words[1])]
        else {
            throw AnonymisationRules.Decision.Problem(
                message: "a shift is a number of days, hours or minutes: shift 30 days, shift 30 days of patient")
        }
        self.count = count
        self.seconds = seconds
        relationship = words.count == 4 ? String(words[3]) : nil
    }
}
