import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// A batch of generated objects: the values and references that the numbers of the objects determine. Unique values are
/// set later, in the order of the objects.
///
/// `@unchecked Sendable` is safe: one thread uses it at a time; ``OrderedWorkers`` passes it on while its condition is
/// locked.
final class GenerationWork: OrderedWork, @unchecked Sendable {
    private let kind: GeneratedObjects.Kind
    private let columns: [GenerationPlan.Column]
    private let followers: [Follower]
    /// None if values that they need are set later.
    private let computed: [ComputedColumn]
    private let references: [GenerationPlan.Reference]
    private let encoder: (any RowEncoder)?
    private var offsets: Range<UInt64> = 0..<0
    var batch = RowBatch()
    /// The stored objects that get new links.
    private(set) var touched: [ObjectSpan.Object] = []
    private(set) var failure: GranaryError?
    var isDone = false

    /// - Parameter encoder: encodes the rows; nil if they are changed later.
    init(_ kind: GenerationPlan.Kind, encoder: (any RowEncoder)?) {
        self.kind = kind.kind
        columns = kind.columns
        followers = kind.followers
        references = kind.references
        computed = kind.hasLateValues ? [] : kind.computed
        self.encoder = encoder
    }

    /// Prepares the objects with these numbers among the generated ones of the entity.
    func begin(_ offsets: Range<UInt64>) {
        self.offsets = offsets
        batch.removeAll()
        touched.removeAll(keepingCapacity: true)
        failure = nil
        isDone = false
    }

    /// The number of the first object among the generated ones of the entity.
    var first: UInt64 { offsets.lowerBound }

    func run() {
        let entity = kind.entity
        do throws(GranaryError) {
            for offset in offsets {
                let row = batch.appendRow(
                    entity: entity.index, key: kind.firstKey + Int64(offset), version: 1, slotCount: entity.slotCount)
                let number = kind.stored + offset
                for column in columns { try column.fill(number, row, of: &batch, entity) }
                for follower in followers { try follower.fill(number, row, of: &batch, entity) }
                for value in computed { try value.fill(number, row, of: &batch, entity) }
                for reference in references { refer(reference, offset, number, row) }
            }
            encoder?.encode(&batch)
        } catch {
            failure = error
        }
    }

    private func refer(_ reference: GenerationPlan.Reference, _ offset: UInt64, _ number: UInt64, _ row: Int) {
        let plan = reference.plan
        let destination =
            reference.isFirst
            ? plan.destination(of: kind, offset, number: number, reference.stream) : plan.origin(of: kind, offset)
        guard let object = destination else { return }
        batch[row, reference.slot] = .reference(key: object.key, entity: object.entity)
        // The table notes its own stored objects.
        if case .random = plan.mode, plan.second.isStored, plan.inverse != nil { touched.append(object) }
    }
}

extension GenerationPlan.Column {
    /// The number of times that a value is drawn again if it breaks a rule.
    private static let attempts: UInt64 = 16

    /// Sets the value of an object.
    ///
    /// - Throws: ``GranaryError`` with code `internalDefect` if no value that is drawn satisfies the rules.
    func fill(
        _ number: UInt64, _ row: Int, of batch: inout RowBatch, _ entity: Schema.Entity
    ) throws(GranaryError) {
        var problem: Violation?
        for attempt in 0..<Self.attempts {
            guard let value = value(number, attempt: attempt) else {
                problem = attribute.validator.violations(of: .null).first
                guard problem == nil else { break }
                return
            }
            problem = value.withBorrowed { borrowed in
                let found = attribute.validator.violations(of: borrowed).first
                if found == nil { batch.set(borrowed, row: row, slot: attribute.slot) }
                return found
            }
            if problem == nil { return }
        }
        throw GranaryError(
            .internalDefect,
            "\(entity.name).\(attribute.name): a generated value breaks a rule: \(problem?.message ?? "")")
    }
}
