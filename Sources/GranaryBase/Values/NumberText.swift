/// Numbers for people.
package enum NumberText {
    /// About six digits of a number.
    package static func short(_ number: Double) -> String {
        guard number.isFinite else { return "\(number)" }
        if number == number.rounded(), abs(number) < 1e15 { return "\(Int64(number))" }
        var scale = 1.0
        while abs(number) * scale < 100_000, scale < 1e12 { scale *= 10 }
        return "\((number * scale).rounded() / scale)"
    }
}
