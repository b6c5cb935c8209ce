#if PostgreSQL
    import GranaryBase
    import GranaryCoordination
    import GranaryModel

    extension PostgreSQLWriter {
        /// Converts an error of writing a row: the message names the entity and the property.
        func refusal(_ error: any Error, _ row: RowBatch.Header) -> any Error {
            let entity = schema.entities[Int(row.entity)]
            switch error {
            case let error as RefusedValue:
                return GranaryError(diagnostic(error.reason, entity, error.property, row.key))
            case is MissingRow:
                return GranaryError(.refused, "\(entity.name): there is no object with the key \(row.key) to update")
            case let error as PostgreSQLError where error.isUniqueViolation:
                return uniqueRefusal(error, row, entity)
            case let error as PostgreSQLError where error.isRefusal:
                let diagnostic = Diagnostic(
                    .storeRefused, "the store refuses the row: \(error.message)", entity: entity.name,
                    property: error.column.flatMap { property(of: $0, in: entity) })
                return GranaryError(.refused, diagnostic.message, diagnostics: [diagnostic], underlying: error)
            default: return error
            }
        }

        private func diagnostic(
            _ reason: CellRefusal, _ entity: Schema.Entity, _ property: String, _ key: Int64
        ) -> Diagnostic {
            let (code, message): (Diagnostic.Code, String) =
                switch reason {
                case .notFinite(let value): (.valueRange, "a store cannot contain the number \(value)")
                case .rounded(let text): (.valuePrecision, "\(text) would be rounded in the store's column")
                case .outOfRange(let text, let type):
                    (.valueRange, "\(text) is not in the range of the store's column (\(type.name))")
                case .nullCharacter:
                    (.valueRange, "the text contains the character U+0000, which PostgreSQL cannot store")
                case .invalidText: (.encodingInvalid, "the text is not valid UTF-8")
                case .tooLarge: (.limitExceeded, "the value has more than \(RowBatch.fileLimit) bytes")
                case .wrongType: (.storeRefused, "the value has another type than the store's column")
                }
            return Diagnostic(code, message, entity: entity.name, property: property)
        }

        private func uniqueRefusal(
            _ error: PostgreSQLError, _ row: RowBatch.Header, _ entity: Schema.Entity
        ) -> GranaryError {
            // The detail is `Key ("$id")=(5) already exists.` or `Key (email, "lastName")=(…) …`.
            let columns = error.detail.map(Self.columns) ?? []
            if columns == [EntityTable.key] {
                return GranaryError(.internalDefect, "\(entity.name): the key \(row.key) is in use", underlying: error)
            }
            let constraint = entity.uniquenessConstraints.first { constraint in
                constraint.properties.map { layout.column(of: $0, in: entity)?.name } == columns
            }
            let names = constraint?.names.joined(separator: ", ") ?? columns.joined(separator: ", ")
            let diagnostic = Diagnostic(
                .uniqueExists, "\(names) must be unique, and another object has the same value", entity: entity.name,
                property: names, coreDataCode: Diagnostic.Code.uniqueExists.coreDataCode)
            return GranaryError(.refused, diagnostic.message, diagnostics: [diagnostic], underlying: error)
        }

        /// The names of the columns in the detail of a unique violation.
        static func columns(in detail: String) -> [String] {
            guard let start = detail.firstIndex(of: "("), let end = detail.firstRange(of: ")=(")?.lowerBound,
                start < end
            else {
                return []
            }
            var names: [String] = []
            var rest = detail[detail.index(after: start)..<end]
            while !rest.isEmpty {
                var name = ""
                if rest.first == "\"" {
                    rest.removeFirst()
                    while let character = rest.popFirst() {
                        if character == "\"" {
                            guard rest.first == "\"" else { break }
                            rest.removeFirst()
                        }
                        name.append(character)
                    }
                } else {
                    name = String(rest.prefix { $0 != "," && $0 != " " })
                    rest = rest.dropFirst(name.count)
                }
                names.append(name)
                // What follows is ` COLLATE "C"` or `, `.
                rest = rest.firstIndex(of: ",").map { rest[rest.index(after: $0)...].drop { $0 == " " } } ?? ""
            }
            return names
        }

        private func property(of column: String, in entity: Schema.Entity) -> String? {
            layout.table(of: entity.index).columns.first { $0.name == column }?.property
        }

        /// Checks the deferred foreign keys before the commit, so that the error can name the relationship.
        func checkConstraints() throws {
            do { try connection.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED") } catch let error
                as PostgreSQLError where error.state == "23503"
            {
                throw store.keyRefusal(error) ?? error
            }
        }
    }
#endif
