import Foundation
import GranaryModel
import TestSupport
import Testing

@testable import GranaryPredicates

@Suite struct SortOrderTests {
    private static let id = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))

    private static func date(_ seconds: Double) -> AttributeValue {
        .date(Date(timeIntervalSinceReferenceDate: seconds))
    }

    @Test(
        arguments: [
            (nil, nil, .standard, 0), (nil, 1, .standard, -1), (1, 2, .standard, -1), (1, 1.0, .standard, 0),
            (true, 0.5, .standard, 1), (.double(.nan), 1, .standard, -1), (.double(.nan), .double(.nan), .standard, 0),
            (date(1), date(2), .standard, -1), (date(5), 4, .standard, 1), (1, "1", .standard, -1),
            ("z", .binary(Data([0])), .standard, -1), (.uuid(id), .binary(Data([0])), .standard, 1),
            (.uuid(id), .uuid(id), .standard, 0), (.binary(Data([1])), .binary(Data([1, 0])), .standard, -1),
            ("B", "a", .standard, -1), ("B", "a", .caseInsensitive, 1), ("A", "a", .caseInsensitive, 0),
            ("Äa", "äB", .caseInsensitive, -1), ("é", "z", .standard, 1), ("", "a", .standard, -1),
            ("A", "a", .localizedCaseInsensitive, 0), ("a", "b", .localized, -1),
            ("file10", "file9", .localizedStandard, 1), ("file10", "file9", .standard, -1),
            ("File2", "file10", .localizedStandard, -1),
        ] as [(AttributeValue?, AttributeValue?, ObjectSortDescriptor.Comparison, Int)])
    func order(
        _ left: AttributeValue?, _ right: AttributeValue?, _ comparison: ObjectSortDescriptor.Comparison,
        _ expected: Int
    ) {
        let descriptor = ObjectSortDescriptor("x", ascending: false, comparison: comparison)
        // The direction does not apply here.
        #expect(descriptor.order(left, right).signum() == expected)
        #expect(descriptor.order(right, left).signum() == 0 - expected)
    }

    @Test func keysInTheirOrderAndDirection() {
        let order = SortOrder([ObjectSortDescriptor("a", ascending: false), ObjectSortDescriptor("b")])
        #expect(order.order([1, 2], [2, 1]) > 0)
        #expect(order.order([1, 2], [1, 3]) < 0)
        #expect(order.order([1, 2], [1, 2]) == 0)
        #expect(order.order([nil, 2], [1, 2]) > 0)
        #expect(order.order([1, nil], [1, 2]) < 0)
        #expect(SortOrder([]).order([], []) == 0)
    }

    @Test(arguments: 0..<6)
    func isTotal(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let values: [AttributeValue?] = (0..<14).map { _ in
            switch Int.random(in: 0..<9, using: &random) {
            case 0: return nil
            case 1: return .integer(Int64.random(in: -2...2, using: &random))
            case 2: return .double(Double(Int.random(in: -4...4, using: &random)) / 2)
            case 3: return .boolean(Bool.random(using: &random))
            case 4: return Self.date(Double(Int.random(in: -2...2, using: &random)))
            case 5: return .binary(Data((0..<Int.random(in: 0...2, using: &random)).map { UInt8($0) }))
            case 6: return .uuid(Self.id)
            case 7: return .double(.nan)
            default: return .string(["", "a", "A", "b", "é", "É", "10", "9"].randomElement(using: &random) ?? "")
            }
        }
        for comparison in ObjectSortDescriptor.Comparison.allCases {
            let descriptor = ObjectSortDescriptor("x", comparison: comparison)
            for first in values {
                #expect(descriptor.order(first, first) == 0)
                for second in values {
                    let order = descriptor.order(first, second).signum()
                    if order != 0 - descriptor.order(second, first).signum() {
                        Issue.record("\(comparison): \(String(describing: (first, second)))")
                    }
                    for third in values
                    where order <= 0 && descriptor.order(second, third) <= 0 && descriptor.order(first, third) > 0 {
                        Issue.record("\(comparison): \(String(describing: (first, second, third)))")
                    }
                }
            }
        }
    }

    @Test(arguments: ObjectSortDescriptor.Comparison.allCases)
    func textsAsBytesHaveTheSameOrder(_ comparison: ObjectSortDescriptor.Comparison) {
        let texts = ["", "a", "A", "ab", "b", "é", "É", "e\u{301}", "file9", "File10", "ß", "😀"]
        let descriptor = ObjectSortDescriptor("x", comparison: comparison)
        for left in texts {
            for right in texts {
                let order = Array(left.utf8).withUnsafeBufferPointer { left in
                    Array(right.utf8).withUnsafeBufferPointer { compareTexts(left, $0, comparison) }
                }
                #expect(order == descriptor.order(.string(left), .string(right)))
            }
        }
    }
}
