import GranaryBase
import GranaryCoordination

/// What a context is doing while it calls the app's methods and closures, so that calls which would disturb it
/// throw an error.
struct ContextActivity {
    enum Call: String {
        case save = "save()"
        case willSave = "willSave()"
        case didSave = "didSave()"
        case prepareForDeletion = "prepareForDeletion()"
        case validateForInsert = "validateForInsert()"
        case validateForUpdate = "validateForUpdate()"
        case validateForDelete = "validateForDelete()"
        case observer = "an observer"
        case mergePolicy = "the merge policy"
        case importing = "an import"
        case childSave = "the save of a child context"

        var isValidation: Bool {
            switch self {
            case .validateForInsert, .validateForUpdate, .validateForDelete: true
            default: false
            }
        }

        /// Whether a child context may save into the context, so that its changes are still validated and written, or
        /// belong to the next save.
        var allowsChildSaves: Bool {
            switch self {
            case .willSave, .didSave, .observer: true
            default: false
            }
        }
    }

    let call: Call
    let object: ManagedObject?
}

extension ManagedObjectContext {
    /// Runs `body`, which calls the app's code, as an activity.
    func during<Result>(
        _ call: ContextActivity.Call, of object: ManagedObject? = nil, _ body: () throws -> Result
    ) rethrows -> Result {
        activities.append(ContextActivity(call: call, object: object))
        defer { activities.removeLast() }
        return try body()
    }

    /// - Throws: ``GranaryError`` with code `usage` if the context calls the app's code at present.
    func refuseReentry(_ call: String) throws(GranaryError) {
        if let activity = activities.last { throw reentry(call, activity) }
    }

    /// - Throws: ``GranaryError`` with code `usage` if a validation is running, which would run again without end.
    func refuseDuringValidation(_ call: String) throws(GranaryError) {
        if let activity = activities.last(where: { $0.call.isValidation }) { throw reentry(call, activity) }
    }

    /// - Throws: ``GranaryError`` with code `usage` if changes of a child would not be validated, or only some of them
    ///   would be written.
    func refuseChildSave() throws(GranaryError) {
        guard let activity = activities.last, !activity.call.allowsChildSaves else { return }
        throw reentry("save() of a child context", activity)
    }

    /// Whether changes cannot be discarded now. The error is remembered, because the caller cannot throw.
    func refusesDiscarding(_ call: String) -> Bool {
        guard let activity = activities.last, activity.call != .didSave else { return false }
        remember(reentry(call, activity))
        return true
    }

    private func reentry(_ call: String, _ activity: ContextActivity) -> GranaryError {
        let place = activity.object.map { "\(activity.call.rawValue) of \($0)" } ?? activity.call.rawValue
        return GranaryError(
            .usage,
            "\(call) was called inside \(place), which the same context called; nothing was done; call it later")
    }
}
