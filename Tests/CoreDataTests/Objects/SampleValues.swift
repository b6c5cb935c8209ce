#if canImport(CoreData)
    import Foundation
    import Granary
    import GranaryModel

    /// The values that the tests store in one attribute.
    ///
    /// They are the values of ``ExtremeValues`` that satisfy the model's rules, the default value, and NULL if the
    /// attribute is optional. All values of a unique attribute differ.
    struct SampleValues {
        private let attribute: Schema.Attribute
        private let isUnique: Bool
        private let choices: [AttributeValue?]

        init(_ attribute: Schema.Attribute, of entity: Schema.Entity) {
            self.attribute = attribute
            isUnique = entity.uniquenessConstraints.contains { $0.names.contains(attribute.name) }
            var choices: [AttributeValue?] = []
            for value in ExtremeValues.values(of: attribute.type) where Self.keepsRules(value, attribute) {
                choices.append(value)
            }
            if attribute.description.isOptional { choices.append(nil) }
            if let value = attribute.description.defaultValue { choices.append(value) }
            self.choices = choices
        }

        /// Returns the value for a number, or nil for NULL. Consecutive numbers give different values.
        func value(at number: Int) -> AttributeValue? {
            if isUnique { return uniqueValues(number).first { Self.keepsRules($0, attribute) } }
            return choices.isEmpty ? nil : choices[number % choices.count]
        }

        private static func keepsRules(_ value: AttributeValue, _ attribute: Schema.Attribute) -> Bool {
            // The rules of a Transformable apply to its bytes, which the transformer makes later.
            if attribute.type == .transformable { return true }
            return value.withBorrowed { attribute.validator.violations(of: $0).isEmpty }
        }

        /// Returns candidates that no other number has. The caller uses the first one that satisfies the rules.
        private func uniqueValues(_ number: Int) -> [AttributeValue] {
            switch attribute.type {
            case .integer16, .integer32, .integer64: [.integer(Int64(number) + 1)]
            case .decimal: [.decimal(Decimal(number))]
            case .double: [.double(Double(number) + 0.5)]
            case .float: [.float(Float(number) + 0.5)]
            case .string: uniqueTexts(number).map { AttributeValue.string($0) }
            case .date: [.date(Date(timeIntervalSinceReferenceDate: Double(number) + 0.25))]
            case .uuid: uniqueUUID(number)
            case .uri: [URL(string: "https://example.com/\(number)")].compactMap { $0 }.map { AttributeValue.uri($0) }
            case .binary: [.binary(Data("\(number)".utf8))]
            case .boolean, .transformable, .undefined, .objectID, .composite: []
            }
        }

        /// Returns a short non-ASCII text, an e-mail address and ten digits. The rules of each sample model allow one
        /// of them.
        private func uniqueTexts(_ number: Int) -> [String] {
            let text = "\(number)"
            let digits = String(repeating: "0", count: max(0, 10 - text.count)) + text
            return ["\u{E9}\(text)", "user\(text)@example.com", digits]
        }

        private func uniqueUUID(_ number: Int) -> [AttributeValue] {
            let digits = String(number, radix: 16)
            let tail = String(repeating: "0", count: max(0, 12 - digits.count)) + digits
            return [UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-\(tail)")].compactMap { $0 }.map {
                AttributeValue.uuid($0)
            }
        }
    }
#endif
