import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Collects diagnostics and other errors that subclasses throw.
struct ValidationFailures {
    private(set) var collector = DiagnosticCollector()
    /// The thrown errors, up to the collector's limit.
    private var errors: [any Error] = []
    /// The first error that a subclass threw.
    private var custom: (any Error)?

    var isEmpty: Bool { collector.count == 0 }

    mutating func add(_ diagnostic: Diagnostic) { add(diagnostic, as: diagnostic) }

    private mutating func add(_ diagnostic: Diagnostic, as error: any Error) {
        collector.add(diagnostic)
        if errors.count < collector.limit { errors.append(error) }
    }

    /// Runs a check and collects its errors.
    mutating func collect(_ object: ManagedObject, _ check: () throws -> Void) {
        do { try check() } catch let error as GranaryError where error.code == .refused && !error.diagnostics.isEmpty {
            let details = error.detailedErrors ?? []
            for (index, diagnostic) in error.diagnostics.enumerated() {
                add(diagnostic, as: details.indices.contains(index) ? details[index] : diagnostic)
            }
            custom = custom ?? error.underlying
        } catch {
            add(
                Diagnostic(
                    .valuePredicate, "\(error) (\(object.objectID))", entity: object.entity.name,
                    object: "\(object.objectID.uriRepresentation)"), as: error)
            custom = custom ?? error
        }
    }

    /// Throws the collected errors: a single error of a subclass unchanged, otherwise one ``GranaryError``.
    func throwIfAny(_ message: @autoclosure () -> String) throws {
        guard !isEmpty else { return }
        if collector.count == 1, let custom { throw custom }
        var error = GranaryError(.refused, message(), diagnostics: collector.diagnostics, underlying: custom)
        if custom != nil { error.detailedErrors = errors }
        // NSValidationMultipleErrorsError, even if a rule has no number.
        if collector.count > 1 { error.specificCode = 1560 }
        throw error
    }
}
