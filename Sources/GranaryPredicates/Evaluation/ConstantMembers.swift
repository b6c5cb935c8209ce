import Foundation

/// The constants of `IN {...}`, prepared so that a long list costs little per object.
struct ConstantMembers: Sendable {
    private let rule: TextRule
    private var integers: Set<Int64> = []
    /// Floating-point numbers and decimals, in the order of their nearest doubles. NaN equals nothing and is left out.
    private var numbers: [(nearest: Double, number: ComparedNumber)] = []
    /// The folded bytes of the texts, in their order.
    private var texts: [[UInt8]] = []
    private var references: Set<ObjectReference> = []
    /// Dates, UUIDs and binary data.
    private var others: Set<AttributeValue> = []

    /// Nil if an element is not a constant, or the comparison depends on the locale. NULL is left out.
    init?(_ elements: [ObjectExpression], _ rule: TextRule) {
        guard !rule.isLocalized else { return nil }
        self.rule = rule
        for element in elements {
            switch element {
            case .null: break
            case .object(let reference): references.insert(reference)
            case .constant(let value): insert(value)
            default: return nil
            }
        }
        numbers.sort { $0.nearest < $1.nearest }
        texts.sort { $0.lexicographicallyPrecedes($1) }
    }

    private mutating func insert(_ value: AttributeValue) {
        switch value {
        case .integer(let value): integers.insert(value)
        case .boolean(let value): integers.insert(value ? 1 : 0)
        case .float, .double, .decimal:
            guard let number = ComparedNumber(value), !number.nearestDouble.isNaN else { return }
            numbers.append((number.nearestDouble, number))
        case .string, .uri: texts.append(rule.foldedBytes(value.comparedText ?? ""))
        case .date, .uuid, .binary: others.insert(value)
        }
    }

    func contains(_ operand: PredicateOperand?) -> Bool {
        switch operand {
        case nil, .list?: return false
        case .value(let value)?: return contains(value)
        case .some(let object): return object.objectReference.map(references.contains) ?? false
        }
    }

    private func contains(_ value: AttributeValue) -> Bool {
        switch value {
        case .integer(let integer): return integers.contains(integer) || containsNumber(value)
        case .boolean(let truth): return integers.contains(truth ? 1 : 0) || containsNumber(value)
        case .float, .double, .decimal:
            guard !integers.isEmpty, let whole = PredicateOperand.value(value).wholeNumber,
                integers.contains(whole)
            else { return containsNumber(value) }
            return true
        case .string, .uri:
            guard !texts.isEmpty, let text = value.comparedText else { return false }
            return rule.withBytes(of: text) { containsText($0) }
        case .date, .uuid, .binary: return others.contains(value)
        }
    }

    private func containsNumber(_ value: AttributeValue) -> Bool {
        guard !numbers.isEmpty, let number = ComparedNumber(value) else { return false }
        // Equal numbers have the same nearest double, but different decimals can have it too.
        let nearest = number.nearestDouble
        guard !nearest.isNaN else { return false }
        var (low, high) = (0, numbers.count)
        while low < high {
            let middle = low + (high - low) / 2
            if numbers[middle].nearest < nearest { low = middle + 1 } else { high = middle }
        }
        while low < numbers.count, numbers[low].nearest == nearest {
            if numbers[low].number.order(to: number) == 0 { return true }
            low += 1
        }
        return false
    }

    private func containsText(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var (low, high) = (0, texts.count)
        while low < high {
            let middle = low + (high - low) / 2
            let order = texts[middle].withUnsafeBufferPointer { ByteText.order($0, bytes) }
            if order == 0 { return true }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return false
    }
}
