#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryCoordination
    import GranaryModel
    import GranaryPredicates
    import StoreTestSupport
    import TestSupport
    import Testing

    @testable import GranaryPostgreSQL

    extension ServerTests {
        /// Searches in SQL find what the evaluation in memory finds, in the same order.
        @Suite struct SearchTwinTests {
            private let schema: Schema
            private let memory: any StoreBackend
            private let database: any StoreBackend
            private let entity: Schema.Entity

            /// All tests read one store, because creating it takes longer than most of them.
            private static let url = Result {
                let schema = try ThingModel.model.resolved()
                let url = try PostgreSQLServer.required().url()
                let store = try PostgreSQLStores.create(url, schema: schema)
                try store.transaction { try $0.insert(try rows(schema)) }
                try store.publish()
                return url
            }

            init() throws {
                schema = try ThingModel.model.resolved()
                memory = InMemoryStore(schema: schema)
                let rows = try Self.rows(schema)
                try memory.transaction { try $0.insert(rows) }
                database = try PostgreSQLStores.openForReading(try Self.url.get(), model: nil)
                entity = try #require(schema.entity(named: "Thing"))
            }

            private static func rows(_ schema: Schema) throws -> RowBatch {
                let entity = try #require(schema.entity(named: "Thing"))
                var random = SeededGenerator(seed: 11)
                var batch = RowBatch()
                for key in 1...80 {
                    let concrete = key % 4 == 0 ? try #require(schema.entity(named: "Part")) : entity
                    let row = batch.appendRow(
                        entity: concrete.index, key: Int64(key), version: 1, slotCount: concrete.slotCount)
                    for attribute in concrete.attributes where attribute.isPersistent {
                        guard let value = values(of: attribute.type).randomElement(using: &random) else {
                            continue
                        }
                        value.withBorrowed { batch.set($0, row: row, slot: attribute.slot) }
                    }
                    if key % 3 == 0 {
                        let slot = try #require(concrete.relationship(named: "next")).slot
                        batch[row, slot] = .reference(key: Int64(81 - key), entity: Int32(entity.index))
                    }
                }
                return batch
            }

            /// A few values, so that most comparisons come out both ways.
            private static func values(of type: AttributeType) -> [AttributeValue] {
                switch type {
                case .integer16: [.integer(-1), 0, .integer(1), .integer(.init(Int16.max))]
                case .integer32: [.integer(-1), 0, .integer(.init(Int32.max))]
                case .integer64: [0, .integer(.min), .integer(.max), .integer(9_007_199_254_740_993), .integer(2)]
                case .decimal:
                    [
                        .decimal(0), .decimal(Decimal(string: "0.1") ?? 0), .decimal(-2),
                        .decimal(Decimal(string: "12345678901234567890.123456789") ?? 0),
                    ]
                case .double: [.double(0.1), .double(-0.5), .double(1), .double(9_007_199_254_740_992), .double(1e300)]
                case .float: [.float(0.1), .float(0.5), .float(1), .float(-3)]
                case .uri: ["http://a", "http://b/?q=%20", "file:///Z"].compactMap(URL.init(string:)).map { .uri($0) }
                case .string: ["", "a", "A", "ab", "b", "\u{e9}", "e\u{301}", "%", "z", "Z", "\u{1F600}"]
                case .boolean: [true, false]
                case .date:
                    [.date(Date(timeIntervalSinceReferenceDate: 0)), .date(Date(timeIntervalSinceReferenceDate: 0.1))]
                case .uuid: [.uuid(UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)))]
                case .binary: [.binary(Data([1])), .binary(Data([2]))]
                default: []
                }
            }

            private struct Generator {
                var random: SeededGenerator
                let entity: Schema.Entity

                mutating func comparison() -> ObjectPredicate {
                    let attributes = entity.attributes.filter { $0.isPersistent && $0.type != .binary }
                    guard let attribute = attributes.randomElement(using: &random) else { return .constant(true) }
                    let prefix = Int.random(in: 0..<5, using: &random) == 0 ? "next." : ""
                    let left = ObjectExpression.keyPath(prefix + attribute.name)
                    let types: [AttributeType] =
                        attribute.type.isNumeric
                        ? [.integer16, .integer64, .decimal, .double, .float, .boolean] : [attribute.type]
                    func constant(_ generator: inout Generator) -> ObjectExpression {
                        let type = types.randomElement(using: &generator.random) ?? attribute.type
                        guard Int.random(in: 0..<6, using: &generator.random) > 0,
                            let value = SearchTwinTests.values(of: type).randomElement(using: &generator.random)
                        else { return .null }
                        return .constant(value)
                    }
                    switch Int.random(in: 0..<10, using: &random) {
                    case 0:
                        let list = (0..<Int.random(in: 0...4, using: &random)).map { _ in constant(&self) }
                        return .compare(left, .isIn, .list(list.filter { $0 != .null }))
                    case 1: return .compare(left, .between, .list([constant(&self), constant(&self)]))
                    case 2 where attribute.type == .string: return .compare(left, .beginsWith, constant(&self))
                    case 3 where attribute.type == .string: return .compare(left, .contains, constant(&self))
                    case 4:
                        let same = attributes.filter { $0.type == attribute.type }.randomElement(using: &random)
                        return .compare(left, .equal, .keyPath(same?.name ?? attribute.name))
                    default:
                        let operation: ObjectPredicate.Operator =
                            [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
                            .randomElement(using: &random) ?? .equal
                        return .compare(left, operation, constant(&self))
                    }
                }

                mutating func predicate(_ depth: Int) -> ObjectPredicate {
                    switch Int.random(in: 0..<(depth > 0 ? 6 : 3), using: &random) {
                    case 0...2: return comparison()
                    case 3: return .not(predicate(depth - 1))
                    case 4: return .and((0..<Int.random(in: 1...3, using: &random)).map { _ in predicate(depth - 1) })
                    default: return .or((0..<Int.random(in: 1...3, using: &random)).map { _ in predicate(depth - 1) })
                    }
                }
            }

            private func keys(_ store: any StoreBackend, _ search: StoreSearch) throws -> [Int64] {
                try store.keys(search).map(\.key)
            }

            /// Compares all ways to run a search. Returns whether SQL answers all of it.
            private func compare(_ search: StoreSearch) throws -> Bool {
                let expected = try keys(memory, search)
                #expect(try keys(database, search) == expected, "\(search.predicate.map { "\($0)" } ?? "")")
                #expect(try database.count(search) == expected.count)
                var read: [Int64] = []
                try database.search(search, batchSize: 7) {
                    read += $0.rows.map(\.key)
                    return true
                }
                #expect(read == expected)
                let prepared = try database.prepare(search)
                return prepared.map { $0.rest == nil && $0.isOrdered } ?? false
            }

            @Test func randomPredicatesFindTheSameObjects() throws { try compareRandomPredicates(count: 120, seed: 3) }

            /// Compares searches with random predicates. SQL answers most of them.
            func compareRandomPredicates(count: Int, seed: UInt64) throws {
                var generator = Generator(random: SeededGenerator(seed: seed), entity: entity)
                let resolver = PredicateResolver(schema: schema, entity: entity)
                var (tried, translated) = (0, 0)
                while tried < count {
                    let predicate = generator.predicate(3)
                    // Values that cannot be compared are refused.
                    guard let resolved = try? resolver.resolve(predicate) else { continue }
                    tried += 1
                    var search = StoreSearch(entities: entity.family, predicate: resolved)
                    if tried % 5 == 0 { (search.limit, search.offset) = (7, 3) }
                    if tried % 3 == 0 { search.afterKey = Int64(tried % 90) }
                    if try compare(search) { translated += 1 }
                }
                #expect(translated > count / 2)
            }

            @Test func ordersAreTheSame() throws {
                for attribute in entity.attributes where attribute.isPersistent && attribute.type != .binary {
                    for ascending in [true, false] {
                        let order = [
                            ObjectSortDescriptor(attribute.name, ascending: ascending),
                            ObjectSortDescriptor("next.string"),
                        ]
                        #expect(try compare(StoreSearch(entities: entity.family, order: order)), "\(attribute.name)")
                        _ = try compare(StoreSearch(entities: entity.family, order: order, limit: 10, offset: 5))
                    }
                }
                let localized = ObjectSortDescriptor("string", comparison: .localizedStandard)
                #expect(try !compare(StoreSearch(entities: entity.family, order: [localized])))
            }

            @Test(arguments: [
                "string CONTAINS[c] 'a'", "string LIKE '*b'", "SUBQUERY(previous, $p, $p.i16 == 1).@count > 0",
                "ANY previous.i16 == 1", "string MATCHES '[ab]+'", "i16 + 1 == 2 AND boolean == TRUE",
                "SELF.previous.@count == 0", "string == i16.description OR i16 == 0",
            ])
            func theRestIsTestedInMemory(text: String) throws {
                guard let predicate = try? ObjectPredicate(format: text),
                    let resolved = try? PredicateResolver(schema: schema, entity: entity).resolve(predicate)
                else { return }
                #expect(try !compare(StoreSearch(entities: entity.family, predicate: resolved)))
            }

            @Test func aTextWithNullCharacterFindsNothing() throws {
                for operation in [ObjectPredicate.Operator.equal, .notEqual, .beginsWith, .contains, .less] {
                    let predicate = ObjectPredicate.compare(.keyPath("string"), operation, .constant("a\u{0}"))
                    _ = try compare(StoreSearch(entities: entity.family, predicate: predicate))
                }
            }
        }

        /// More random predicates than ``SearchTwinTests`` has.
        @Suite struct SearchTwinLongTests {
            @Test func randomPredicatesFindTheSameObjects() throws {
                try SearchTwinTests().compareRandomPredicates(count: 1_500, seed: 4)
            }
        }
    }
#endif
