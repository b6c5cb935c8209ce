import Foundation
import Testing

@testable import GranaryPredicates

struct PatternBudgetTests {
    @Test("Slow matches use the budget; fast ones do not")
    func budget() {
        let budget = PatternBudget(.milliseconds(50))
        for _ in 0..<10_000 { #expect(budget.spend { true } == true) }
        var runs = 0
        while runs < 100, budget.spend({ usleep(20_000) }) != nil { runs += 1 }
        #expect((1...10).contains(runs), "\(runs)")
        // The budget regains a tenth of the elapsed time.
        usleep(300_000)
        #expect(budget.spend { true } == true)
    }
}
