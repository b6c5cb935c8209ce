import GranaryPropertyLists

/// Adding Foundation's containers as `NSKeyedArchiver` writes them.
extension KeyedArchiveBuilder {
    /// - Parameter members: references.
    mutating func addArray(_ members: [PropertyListValue], isMutable: Bool = false) -> PropertyListValue {
        add(
            classNames: isMutable ? ["NSMutableArray", "NSArray", "NSObject"] : ["NSArray", "NSObject"],
            fields: [PropertyListEntry("NS.objects", .array(members))])
    }

    mutating func addSet(_ members: [PropertyListValue]) -> PropertyListValue {
        add(classNames: ["NSSet", "NSObject"], fields: [PropertyListEntry("NS.objects", .array(members))])
    }

    mutating func addDictionary(
        _ entries: [(key: String, value: PropertyListValue)], isMutable: Bool = false
    ) -> PropertyListValue {
        var keys: [PropertyListValue] = []
        for entry in entries { keys.append(addText(entry.key)) }
        return add(
            classNames: isMutable
                ? ["NSMutableDictionary", "NSDictionary", "NSObject"] : ["NSDictionary", "NSObject"],
            fields: [
                PropertyListEntry("NS.keys", .array(keys)),
                PropertyListEntry("NS.objects", .array(entries.map(\.value))),
            ])
    }

    /// Adds text; equal texts are one object. The archive writer knows the special form of the text `$null`.
    mutating func addText(_ text: String) -> PropertyListValue { KeyedArchiveWriter.add(.string(text), &self) }

    /// Adds text, or a reference to the archive's nil.
    mutating func addText(_ text: String?) -> PropertyListValue {
        guard let text else { return Self.null }
        return addText(text)
    }

    /// Adds a list of lists of names, all mutable: uniqueness constraints and compound indexes.
    mutating func addNameLists(_ lists: [[String]]) -> PropertyListValue {
        var members: [PropertyListValue] = []
        for names in lists {
            var texts: [PropertyListValue] = []
            for name in names { texts.append(addText(name)) }
            members.append(addArray(texts, isMutable: true))
        }
        return addArray(members, isMutable: true)
    }
}
