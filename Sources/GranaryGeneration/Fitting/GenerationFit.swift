package import GranaryBase
package import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Finds out what a generation needs to make objects like those of a store: numbers of objects, percentages of NULL, the
/// distributions of numbers, dates and lengths, and how many objects are linked. The result contains no text of the
/// store, and no number or date that fewer than ten objects have.
package struct GenerationFit {
    /// Whether the smallest and the largest numbers and dates of attributes are kept, which only one object can have.
    package var keepsBounds = false
    package var cancellation: Cancellation?

    private static let batchSize = 1000

    package init() {}

    /// - Parameter given: wishes that the request keeps, such as other numbers of objects.
    /// - Returns: the request, and what could not be fitted.
    package func request(
        like store: any StoreBackend, given: GenerationRequest = GenerationRequest()
    ) throws -> (request: GenerationRequest, notes: [Diagnostic]) {
        var request = given
        var links = LinkFit(store.schema, given.options)
        let exact = store.keepsExactDecimals
        try store.reading {
            for entity in store.schema.entities where !entity.isAbstract {
                let count = try fit(entity, of: store, &request, &links, exact)
                if count > 0, request.counts[entity.name] == nil { request.counts[entity.name] = count }
            }
        }
        links.finish(&request)
        return try checked(request, given.options, store.schema, keepsExactDecimals: exact)
    }

    /// - Returns: the number of objects.
    private func fit(
        _ entity: Schema.Entity, of store: any StoreBackend, _ request: inout GenerationRequest, _ links: inout LinkFit,
        _ keepsExactDecimals: Bool
    ) throws -> Int {
        let unique = Self.uniqueSlots(entity)
        // The values of unique attributes are determined by their number.
        var values = entity.attributes.filter { $0.isGenerated && !unique.contains($0.slot) }.map {
            AttributeFit($0, entity)
        }
        var count = 0
        try store.read(entities: entity.index..<entity.index + 1, batchSize: Self.batchSize) { batch in
            try cancellation?.check()
            count += batch.rows.count
            for row in batch.rows.indices {
                for index in values.indices { try values[index].add(row, batch) }
            }
            try links.add(batch, entity, store)
            return true
        }
        let settings = AttributeSettings(schema: store.schema, options: request.options)
        for fit in values {
            let key = "\(entity.name).\(fit.attribute.name)"
            if let percent = fit.nullPercent, request.options.nullPercents[key] == nil {
                request.options.nullPercents[key] = percent
            }
            // The user's own generators stay.
            guard settings.setting(fit.attribute, entity).specification == nil else { continue }
            let names = PropertyNames(attribute: fit.attribute.name, entity: entity.name)
            let rules = RuleHints(fit.attribute.description)
            guard rules.list == nil, rules.patterns.isEmpty else { continue }
            let texts = fit.generators(
                withBounds: keepsBounds, isBelievable: ![.word, .title, .sentence, .code].contains(names.textKind))
            for text in texts {
                let specification = try Self.specification(text)
                let domains = AttributeDomains(
                    fit.attribute, entity: entity.name, specification: specification, options: request.options,
                    keepsExactDecimals: keepsExactDecimals)
                guard case .domain = domains.domain(for: 0) else { continue }
                request.options.generators[key] = text
                break
            }
        }
        return count
    }

    private static func specification(_ text: String) throws(GranaryError) -> GeneratorSpecification {
        do throws(GeneratorSpecification.Problem) { return try GeneratorSpecification(text) } catch {
            throw GranaryError(.internalDefect, "a fitted generator cannot be read: \(text): \(error.message)")
        }
    }

    private static func uniqueSlots(_ entity: Schema.Entity) -> Set<Int> {
        Set(
            entity.uniquenessConstraints.flatMap(\.properties).compactMap { property in
                if case .attribute(let index) = property { entity.attributes[index].slot } else { nil }
            })
    }

    /// The number of rules that are removed at most because no objects satisfy them.
    private static let attempts = 100

    /// The request without rules that cannot be satisfied: objects of older versions can break rules of the model.
    private func checked(
        _ request: GenerationRequest, _ given: GenerationOptions, _ schema: Schema, keepsExactDecimals: Bool
    ) throws -> (request: GenerationRequest, notes: [Diagnostic]) {
        var request = request
        var notes: [Diagnostic] = []
        for _ in 0..<Self.attempts {
            do {
                _ = try GenerationPreview(request, rows: 0).run(
                    schema: schema, keepsExactDecimals: keepsExactDecimals, cancellation: cancellation)
                return (request, notes)
            } catch let error as GranaryError where error.code == .refused {
                let before = notes.count
                for problem in error.diagnostics {
                    guard let entity = problem.entity, let property = problem.property,
                        request.options.removeWishes(for: "\(entity).\(property)", except: given)
                    else { continue }
                    var note = problem
                    (note.severity, note.message) = (.warning, "not fitted: \(problem.message)")
                    notes.append(note)
                }
                guard notes.count > before else {
                    return (request, notes + error.diagnostics.map { $0.with(severity: .warning) })
                }
            }
        }
        return (request, notes)
    }
}

extension GenerationOptions {
    /// Removes the generator and the rule for links of a property, unless the user gave them.
    ///
    /// - Returns: whether there was one.
    fileprivate mutating func removeWishes(for key: String, except given: GenerationOptions) -> Bool {
        var isRemoved = false
        if given.generators[key] == nil { isRemoved = generators.removeValue(forKey: key) != nil }
        if given.linkCounts[key] == nil { isRemoved = linkCounts.removeValue(forKey: key) != nil || isRemoved }
        return isRemoved
    }
}

extension Diagnostic {
    fileprivate func with(severity: Severity) -> Diagnostic {
        var copy = self
        copy.severity = severity
        return copy
    }
}
