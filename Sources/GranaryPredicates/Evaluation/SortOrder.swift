import Foundation

/// The order of objects by several keys, prepared from descriptors.
package struct SortOrder: Sendable {
    private let descriptors: [ObjectSortDescriptor]

    package init(_ descriptors: [ObjectSortDescriptor]) { self.descriptors = descriptors }

    /// The order of two objects by the values of their keys, in the order of the descriptors: negative, zero or
    /// positive. Missing values are NULL.
    package func order(_ left: [AttributeValue?], _ right: [AttributeValue?]) -> Int {
        for (index, descriptor) in descriptors.enumerated() {
            let first = index < left.count ? left[index] : nil
            let second = index < right.count ? right[index] : nil
            let order = descriptor.order(first, second)
            if order != 0 { return descriptor.isAscending ? order : 0 - order }
        }
        return 0
    }
}

extension ObjectSortDescriptor {
    /// The ascending order of two values: negative, zero or positive. ``isAscending`` is not applied.
    ///
    /// NULL is first, then numbers and dates (by their seconds since 2001), text and URIs, and binary data and UUIDs,
    /// as in SQLite. Numbers compare by value, text by ``comparison``, binary data and UUIDs by their bytes. NaN is
    /// before the other numbers.
    package func order(_ left: AttributeValue?, _ right: AttributeValue?) -> Int {
        Self.order(left, right, comparison)
    }

    /// The order of two values by ``Comparison/standard``.
    static func standardOrder(_ left: AttributeValue, _ right: AttributeValue) -> Int {
        order(left, right, .standard)
    }

    private static func order(_ left: AttributeValue?, _ right: AttributeValue?, _ comparison: Comparison) -> Int {
        guard let left else { return right == nil ? 0 : -1 }
        guard let right else { return 1 }
        switch (left, right) {
        case (.integer(let left), .integer(let right)): return left < right ? -1 : (left > right ? 1 : 0)
        case (.string(let left), .string(let right)): return order(texts: left, right, comparison)
        default: break
        }
        let (first, second) = (left.sortClass, right.sortClass)
        if first != second { return first < second ? -1 : 1 }
        if let left = left.comparedText, let right = right.comparedText { return order(texts: left, right, comparison) }
        if let left = left.sortNumber, let right = right.sortNumber {
            return left.order(to: right) ?? orderOfNaN(left, right)
        }
        if case .uuid(let left) = left, case .uuid(let right) = right {
            return left == right ? 0 : (left < right ? -1 : 1)
        }
        let (leftData, rightData) = (left.sortData, right.sortData)
        return leftData == rightData ? 0 : (leftData.lexicographicallyPrecedes(rightData) ? -1 : 1)
    }

    private static func order(texts left: String, _ right: String, _ comparison: Comparison) -> Int {
        guard comparison.isLocalized else {
            let rule = comparison == .caseInsensitive ? TextRule.caseInsensitive : TextRule.bytes
            return rule.order(left, right)
        }
        return comparison.order(left, right)
    }

    /// The order if one of the numbers is NaN.
    private static func orderOfNaN(_ left: ComparedNumber, _ right: ComparedNumber) -> Int {
        let (first, second) = (left.nearestDouble.isNaN, right.nearestDouble.isNaN)
        return first == second ? 0 : (first ? -1 : 1)
    }
}

extension ObjectSortDescriptor.Comparison {
    fileprivate var isLocalized: Bool {
        switch self {
        case .standard, .caseInsensitive: false
        case .localized, .localizedCaseInsensitive, .localizedStandard: true
        }
    }

    /// The order by the rules of the current locale.
    fileprivate func order(_ left: String, _ right: String) -> Int {
        let options: String.CompareOptions =
            switch self {
            case .localizedCaseInsensitive: .caseInsensitive
            case .localizedStandard: [.caseInsensitive, .numeric]
            case .standard, .caseInsensitive, .localized: []
            }
        return left.compare(right, options: options, range: nil, locale: .current).rawValue
    }
}

extension TextRule {
    /// `[c]`.
    fileprivate static let caseInsensitive = TextRule(.caseInsensitive)
}

/// The order of two texts in UTF-8 by a comparison: negative, zero or positive. The collations of a store and the order
/// in memory are the same.
package func compareTexts(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>,
    _ comparison: ObjectSortDescriptor.Comparison
) -> Int {
    switch comparison {
    case .standard: return ByteText.order(left, right)
    case .caseInsensitive:
        return TextRule.caseInsensitive.withBytes(of: left) { left in
            TextRule.caseInsensitive.withBytes(of: right) { ByteText.order(left, $0) }
        }
    case .localized, .localizedCaseInsensitive, .localizedStandard:
        return comparison.order(String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self))
    }
}

extension AttributeValue {
    /// The place of the kind in the order of mixed kinds, as SQLite stores them.
    fileprivate var sortClass: Int {
        switch self {
        case .integer, .boolean, .float, .double, .decimal, .date: 1
        case .string, .uri: 2
        case .binary, .uuid: 3
        }
    }

    fileprivate var sortNumber: ComparedNumber? {
        if case .date(let date) = self { return .real(date.timeIntervalSinceReferenceDate) }
        return ComparedNumber(self)
    }

    fileprivate var sortData: Data {
        switch self {
        case .binary(let data): data
        case .uuid(let id): withUnsafeBytes(of: id.uuid) { Data($0) }
        default: Data()
        }
    }
}
