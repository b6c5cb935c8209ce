/// A part of a whole as text: `12 %`, `0.4 %`, `< 0.1 %`.
package enum ShareText {
    package static func percent(_ count: Int, of total: Int) -> String {
        guard total > 0 else { return "" }
        if count == total { return "100 %" }
        let share = Double(count) / Double(total) * 100
        if share >= 10 { return "\(min(99, Int(share.rounded()))) %" }
        if share < 0.1 { return count == 0 ? "0 %" : "< 0.1 %" }
        return "\((share * 10).rounded() / 10) %"
    }
}
