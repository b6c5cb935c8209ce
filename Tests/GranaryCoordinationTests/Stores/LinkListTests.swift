import StoreTestSupport
import TestSupport
import Testing

@testable import GranaryContexts
@testable import GranaryCoordination
@testable import GranaryCoreDataStore
@testable import GranaryInspection

@Suite("Link lists") struct LinkListTests {
    /// A simple model of a link list: two arrays, one in list order and one sorted at every access.
    private struct Twin {
        var ordered: [Int64] = []
        var others: [Int64] = []
        var keys: [Int64] { ordered + others.sorted() }
    }

    @Test("Random operations give the same result as two arrays", arguments: 0..<30)
    func programs(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var (list, twin) = (LinkList(), Twin())
        for _ in 0..<200 {
            let key = Int64.random(in: 0..<20, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                list.completeOrder()
                twin = Twin(ordered: twin.keys)
            case 1..<4:
                list.remove(key)
                twin.ordered.removeAll { $0 == key }
                twin.others.removeAll { $0 == key }
            default:
                list.insert(LinkList.Entry(entity: 0, key: key))
                if !twin.keys.contains(key) { twin.others.append(key) }
            }
            #expect(list.entries.map(\.key) == twin.keys)
            #expect(list.contains(key) == twin.keys.contains(key))
        }
    }

    @Test("The first of equal entries counts")
    func duplicates() {
        let entries = [3, 1, 3, 2, 1].map { LinkList.Entry(entity: 0, key: $0) }
        #expect(LinkList(entries, isOrdered: true).entries.map(\.key) == [3, 1, 2])
        #expect(LinkList(entries, isOrdered: false).entries.map(\.key) == [1, 2, 3])
    }
}
