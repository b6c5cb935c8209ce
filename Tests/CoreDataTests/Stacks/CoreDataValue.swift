#if canImport(CoreData)
    import CoreData
    import Foundation
    import Granary

    /// Functions that convert between the values of plans and the values of Core Data's objects.
    ///
    /// Plans have the value of a Transformable as one text; objects have it as an array of the lines.
    enum CoreDataValue {
        /// The error for a value whose class does not match the type of its attribute.
        struct WrongClass: Error {
            let attribute: String
            let description: String
        }

        /// Returns the object for key-value coding, or nil for NULL.
        static func object(_ value: AttributeValue?, of type: AttributeType) -> NSObject? {
            switch value {
            case nil: return nil
            case .integer(let number)?: return NSNumber(value: number)
            case .boolean(let flag)?: return NSNumber(value: flag)
            case .float(let number)?: return NSNumber(value: number)
            case .double(let number)?: return NSNumber(value: number)
            case .decimal(let number)?: return NSDecimalNumber(decimal: number)
            case .string(let text)?:
                guard type == .transformable else { return text as NSString }
                return text.components(separatedBy: "\n") as NSArray
            case .date(let date)?: return date as NSDate
            case .binary(let data)?: return data as NSData
            case .uuid(let uuid)?: return uuid as NSUUID
            case .uri(let url)?: return url as NSURL
            }
        }

        /// Returns the value of an attribute, or of a leaf of a composite attribute, or nil for NULL.
        static func read(_ attribute: Schema.Attribute, of object: NSManagedObject) throws -> AttributeValue? {
            let names: [String] = attribute.name.split(separator: ".").map { String($0) }
            var value: Any? = object.value(forKey: names.first ?? "")
            for name in names.dropFirst() {
                let elements: [String: Any]? = value as? [String: Any]
                value = elements?[name]
            }
            guard let present = value, !(present is NSNull) else { return nil }
            guard let result = convert(present, to: attribute.type) else {
                throw WrongClass(attribute: attribute.name, description: "\(type(of: present)): \(present)")
            }
            return result
        }

        private static func convert(_ object: Any, to type: AttributeType) -> AttributeValue? {
            switch type {
            case .integer16, .integer32, .integer64:
                return (object as? NSNumber).map { AttributeValue.integer($0.int64Value) }
            case .boolean: return (object as? NSNumber).map { AttributeValue.boolean($0.boolValue) }
            case .float: return (object as? NSNumber).map { AttributeValue.float($0.floatValue) }
            case .double: return (object as? NSNumber).map { AttributeValue.double($0.doubleValue) }
            case .decimal: return (object as? NSDecimalNumber).map { AttributeValue.decimal($0.decimalValue) }
            case .string: return (object as? String).map { AttributeValue.string($0) }
            case .date: return (object as? Date).map { AttributeValue.date($0) }
            case .binary: return (object as? Data).map { AttributeValue.binary($0) }
            case .uuid: return (object as? UUID).map { AttributeValue.uuid($0) }
            case .uri: return (object as? URL).map { AttributeValue.uri($0) }
            case .transformable: return (object as? [String]).map { AttributeValue.string($0.joined(separator: "\n")) }
            case .undefined, .objectID, .composite: return nil
            }
        }

        /// Returns the dictionary of a composite attribute, with nested dictionaries for nested composites, or nil if
        /// all leaves are NULL.
        static func composite(
            _ name: String, of entity: Schema.Entity, _ values: [String: AttributeValue]
        ) -> NSDictionary? {
            let result = NSMutableDictionary()
            for attribute in entity.plainAttributes where attribute.name.hasPrefix(name + ".") {
                guard let leaf: NSObject = object(values[attribute.name], of: attribute.type) else { continue }
                let keys: [String] = attribute.name.split(separator: ".").dropFirst().map { String($0) }
                var inner: NSMutableDictionary = result
                for key in keys.dropLast() {
                    if let nested: NSMutableDictionary = inner.object(forKey: key as NSString) as? NSMutableDictionary {
                        inner = nested
                    } else {
                        let nested = NSMutableDictionary()
                        inner.setObject(nested, forKey: key as NSString)
                        inner = nested
                    }
                }
                inner.setObject(leaf, forKey: (keys.last ?? "") as NSString)
            }
            return result.count == 0 ? nil : result
        }
    }
#endif
