import Foundation
import GranaryBase
package import GranaryCoordination
import GranaryFormats
package import GranaryModel

/// Collects what the values of an attribute are.
package struct AttributeTally {
    private static let textLimit = 80
    /// Of the smallest and the largest text, this many bytes are compared and kept.
    private static let comparedBytes = 256

    let attribute: Schema.Attribute
    private var nulls = 0
    private var values = 0
    private var counts: ValueCounts
    private var bins: NumberBins
    private var numbers: ClosedRange<Double>?
    /// Exact texts of the smallest and the largest number.
    private var bounds: (smallest: String, largest: String)?
    private var sum = 0.0
    private var texts: (smallest: [UInt8], largest: [UInt8])?
    private var lengths: ClosedRange<Int>?
    private var empty = 0
    private var edged = 0
    private var invalid = 0
    private var unreadable = 0

    /// - Parameter limit: the number of different values that are counted exactly.
    package init(_ attribute: Schema.Attribute, limit: Int) {
        self.attribute = attribute
        counts = ValueCounts(limit: limit)
        bins = NumberBins(isWhole: ![.double, .float, .decimal, .date].contains(attribute.type))
    }

    package mutating func add(_ row: Int, _ batch: borrowing RowBatch) {
        if let file = batch.externalFile(row: row, slot: attribute.slot) { return add(file: file) }
        do {
            try batch.withValue(row: row, of: attribute) { value in
                if !attribute.validator.violations(of: value).isEmpty { invalid += 1 }
                add(value)
            }
        } catch {
            values += 1
            unreadable += 1
        }
    }

    /// A large value in a file beside the store: its size is known without reading it.
    private mutating func add(file: String) {
        values += 1
        guard let size = (try? FileManager.default.attributesOfItem(atPath: file))?[.size] as? NSNumber else {
            unreadable += 1
            return
        }
        add(length: size.intValue)
    }

    private mutating func add(_ value: BorrowedValue) {
        if case .null = value {
            nulls += 1
            return
        }
        values += 1
        switch value {
        case .null: break
        case .boolean(let flag): count(ValueHash.of(flag ? 1 : 0), value)
        case .integer(let number):
            add(number: Double(number), value)
            count(ValueHash.of(UInt64(bitPattern: number)), value)
        case .float(let number):
            add(number: Double(number), value)
            count(ValueHash.of(UInt64((number == 0 ? 0 : number).bitPattern)), value)
        case .double(let number), .date(let number):
            add(number: number, value)
            count(ValueHash.of((number == 0 ? 0 : number).bitPattern), value)
        case .decimal(let number):
            add(number: number.nearestDouble, value)
            var text: [UInt8] = []
            DecimalText.append(number, to: &text)
            text.withUnsafeBufferPointer { count(ValueHash.of($0), value) }
        case .text(let bytes), .uri(let bytes):
            add(length: UTF8Text.utf16Count(in: bytes))
            add(text: bytes)
            count(ValueHash.of(bytes), value)
        case .uuid(let uuid):
            withUnsafeBytes(of: uuid.uuid) { bytes in
                bytes.withMemoryRebound(to: UInt8.self) { count(ValueHash.of($0), value) }
            }
        case .binary(let bytes):
            add(length: bytes.count)
            count(ValueHash.of(bytes), value)
        }
    }

    private mutating func count(_ hash: UInt64, _ value: BorrowedValue) {
        counts.add(hash) { Self.text(of: value) }
    }

    private mutating func add(number: Double, _ value: BorrowedValue) {
        sum += number
        bins.add(number)
        guard let range = numbers, let known = bounds else {
            numbers = number.isNaN ? nil : number...number
            let text = Self.text(of: value)
            bounds = (text, text)
            return
        }
        if number < range.lowerBound {
            numbers = number...range.upperBound
            bounds = (Self.text(of: value), known.largest)
        } else if number > range.upperBound {
            numbers = range.lowerBound...number
            bounds = (known.smallest, Self.text(of: value))
        }
    }

    private mutating func add(length: Int) {
        lengths = lengths.map { min($0.lowerBound, length)...max($0.upperBound, length) } ?? length...length
        bins.add(Double(length))
        if length == 0 { empty += 1 }
    }

    private mutating func add(text bytes: UnsafeBufferPointer<UInt8>) {
        if let first = bytes.first, let last = bytes.last, first <= 0x20 || last <= 0x20 { edged += 1 }
        let start = bytes.prefix(Self.comparedBytes)
        guard let known = texts else {
            texts = (Array(start), Array(start))
            return
        }
        if start.lexicographicallyPrecedes(known.smallest) { texts?.smallest = Array(start) }
        if known.largest.lexicographicallyPrecedes(start) { texts?.largest = Array(start) }
    }

    private static func text(of value: BorrowedValue) -> String {
        if case .binary(let bytes) = value { return CountText.count(bytes.count, "byte") }
        switch value {
        case .text(let bytes), .uri(let bytes): return shortened(bytes)
        default: break
        }
        var text: [UInt8] = []
        do {
            try ValueText.append(value, dates: .iso8601, binary: .hex, nonFinite: .text, to: &text)
        } catch {
            // A date beyond the years that ISO 8601 can express.
            if case .date(let seconds) = value { return "\(seconds)" }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func shortened(_ bytes: some Collection<UInt8>) -> String {
        let text = String(decoding: bytes.prefix(textLimit * 4), as: UTF8.self)
        return text.count > textLimit || bytes.count > textLimit * 4 ? text.prefix(textLimit) + "…" : text
    }

    // MARK: - Result

    /// - Parameter frequent: the number of frequent values.
    package func profile(frequent: Int) -> PropertyProfile {
        var profile = PropertyProfile(
            name: attribute.name, type: attribute.type.name, isRelationship: false,
            isOptional: attribute.description.isOptional)
        (profile.nulls, profile.values) = (nulls, values)
        (profile.distinct, profile.isExact) = (min(counts.distinct, values), counts.isExact)
        if let bounds, attribute.type != .boolean {
            (profile.minimum, profile.maximum) = (bounds.smallest, bounds.largest)
        }
        if let texts {
            (profile.minimum, profile.maximum) = (Self.shortened(texts.smallest), Self.shortened(texts.largest))
        }
        let mean = sum / Double(max(1, values))
        if numbers != nil, attribute.type != .date, mean.isFinite { profile.mean = mean }
        (profile.minimumLength, profile.maximumLength) = (lengths?.lowerBound, lengths?.upperBound)
        if profile.distinct < values {
            profile.mostFrequent = counts.mostFrequent(frequent).filter { $0.count > 1 }
                .map { .init(value: $0.text, count: $0.count) }
        }
        profile.histogram = bins.histogram
        if profile.histogram != nil {
            profile.histogramOf = lengths != nil ? "lengths" : attribute.type == .date ? "dates" : "values"
        }
        profile.notes = notes(profile)
        return profile
    }

    private func notes(_ profile: PropertyProfile) -> [String] {
        var notes: [String] = []
        if unreadable > 0 { notes.append("\(CountText.count(unreadable, "value")) cannot be read") }
        if invalid > 0 {
            notes.append(
                "\(CountText.count(invalid, "object")) \(invalid == 1 ? "breaks" : "break") a rule of the model")
        }
        return notes + RuleNotes(attribute, profile, numbers: numbers, empty: empty, edged: edged).all
    }
}
