import Granary

/// A note, for docs/models-in-code.md.
final class DocumentNote: ManagedObject {
    var text: String? {
        get { try? string(forKey: "text") }
        set { try? setValue(newValue.map { .string($0) }, forKey: "text") }
    }
}
