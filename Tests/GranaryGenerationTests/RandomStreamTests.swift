import Testing
@testable import GranaryGeneration

@Suite struct RandomStreamTests {
    @Test("A permutation is a bijection with its inverse", arguments: [0, 1, 2, 3, 7, 64, 1000] as [UInt64])
    func permutation(count: UInt64) {
        let order = Permutation(count: count, RandomStream(seed: 3, ["a"]))
        let images = (0..<count).map { order($0) }
        #expect(Set(images).count == Int(count) && images.allSatisfy { $0 < count })
        #expect(images.map { order.inverse($0) } == Array(0..<count))
    }

    @Test("A permutation of many numbers can be inverted")
    func largePermutation() {
        for count in [1 << 62, (1 << 61) + 1, 1_000_000_007] as [UInt64] {
            let order = Permutation(count: count, RandomStream(seed: 9, []))
            for number in [0, 1, 12_345, count - 1] as [UInt64] {
                let image = order(number)
                #expect(image < count && order.inverse(image) == number)
            }
        }
    }

    @Test("Streams differ by seed, names, index and draw")
    func streams() {
        let numbers = [
            RandomStream(seed: 0, ["a", "b"]).number(0), RandomStream(seed: 1, ["a", "b"]).number(0),
            RandomStream(seed: 0, ["ab"]).number(0), RandomStream(seed: 0, ["a", "b"]).number(1),
            RandomStream(seed: 0, ["a", "b"]).number(0, draw: 1), RandomStream(seed: 0, ["b", "a"]).number(0),
        ]
        #expect(Set(numbers).count == numbers.count)
        #expect(RandomStream(seed: 5, ["x"]).number(8) == RandomStream(seed: 5, ["x"]).number(8))
    }

    @Test("Names that are added one by one give the same stream", arguments: [0, 7, 10, 4_294_967_296, UInt64.max])
    func names(_ number: UInt64) {
        let names = RandomStreamNames(seed: 5).adding("é").adding(Array("y".utf8)).adding(number)
        #expect(names.stream.number(3) == RandomStream(seed: 5, ["é", "y", "\(number)"]).number(3))
    }

    @Test("Numbers below a limit are spread over it")
    func spread() {
        let stream = RandomStream(seed: 1, ["spread"])
        var counts = [Int](repeating: 0, count: 10)
        for index in 0..<UInt64(10_000) { counts[Int(stream.number(index, below: 10))] += 1 }
        #expect(counts.allSatisfy { (800...1200).contains($0) }, "\(counts)")
        #expect(stream.number(4, below: 0) == 0)
    }
}
