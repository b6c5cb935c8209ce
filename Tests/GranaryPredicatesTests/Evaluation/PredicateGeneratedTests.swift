import TestSupport
import Testing

@testable import GranaryPredicates
@testable import StoreTestSupport

@Suite struct PredicateGeneratedTests {
    @Test(arguments: 0..<40)
    func agreesWithTheObviousTwin(_ seed: Int) {
        var maker = RandomPredicate(random: SeededGenerator(seed: UInt64(seed)))
        var counts = (true: 0, false: 0)
        for _ in 0..<250 {
            let predicate = maker.predicate(depth: 3)
            let value = maker.value()
            let expected = PredicateTwin(value: value).holds(predicate)
            let found = predicate.evaluate(with: value)
            if found != expected { Issue.record("\(predicate) on \(String(describing: value))") }
            let outcome = CompiledPredicate(predicate).outcome(with: value)
            if outcome != (expected ? .holds : .fails) { Issue.record("compiled: \(predicate)") }
            if expected { counts.true += 1 } else { counts.false += 1 }
        }
        #expect(counts.true > 25 && counts.false > 25)
    }
}
