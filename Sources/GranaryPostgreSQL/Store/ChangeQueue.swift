#if PostgreSQL
    import GranaryCoordination
    import GranaryModel

    /// Changes of references, lists and versions, one object each, that are sent together before the next other statement.
    /// A round trip for each would take most of the time of an import that changes many objects.
    final class ChangeQueue: DeferredWork {
        private unowned let writer: PostgreSQLWriter
        private var references = References()
        private var lists = Lists()
        /// The objects whose version is raised by one, by their root entities.
        private var raised: [Int: Set<Int64>] = [:]
        private var raisedCount = 0

        /// References of one to-one relationship, at most one for each owner.
        struct References {
            var relationship: Schema.Relationship?
            var owners: [Int64] = []
            var destinations: [Int64?] = []
            fileprivate var seen: Set<Int64> = []
        }

        /// Lists of one to-many relationship, at most one for each owner.
        struct Lists {
            var relationship: Schema.Relationship?
            var owners: [Int64] = []
            /// The members of all lists.
            var members: [Member] = []
            fileprivate var seen: Set<Int64> = []
        }

        struct Member {
            let owner: Int64
            let member: Int64
            let place: Int64
        }

        /// The numbers of objects and of members at which the changes are sent.
        private static let objectLimit = 500
        private static let memberLimit = 10_000

        init(_ writer: PostgreSQLWriter) { self.writer = writer }

        func set(_ relationship: Schema.Relationship, owner: Int64, destination: Int64?) throws {
            let isOther = references.relationship.map { LinkLayout.ID($0) != LinkLayout.ID(relationship) } ?? false
            if !lists.owners.isEmpty || isOther || references.seen.contains(owner) { try send() }
            try register()
            references.relationship = relationship
            references.seen.insert(owner)
            references.owners.append(owner)
            references.destinations.append(destination)
            if references.owners.count >= Self.objectLimit { try send() }
        }

        /// - Parameter members: in their order, each once.
        func set(_ relationship: Schema.Relationship, owner: Int64, members: [Int64]) throws {
            let isOther = lists.relationship.map { LinkLayout.ID($0) != LinkLayout.ID(relationship) } ?? false
            if !references.owners.isEmpty || isOther || lists.seen.contains(owner) { try send() }
            try register()
            lists.relationship = relationship
            lists.seen.insert(owner)
            lists.owners.append(owner)
            for (place, member) in members.enumerated() {
                lists.members.append(Member(owner: owner, member: member, place: Int64(place + 1)))
            }
            if lists.owners.count >= Self.objectLimit || lists.members.count >= Self.memberLimit { try send() }
        }

        func raise(root: Int, keys: [Int64]) throws {
            let keys = Set(keys)
            if raised[root].map({ !$0.isDisjoint(with: keys) }) ?? false { try send() }
            try register()
            raised[root, default: []].formUnion(keys)
            raisedCount += keys.count
            if raisedCount >= Self.objectLimit { try send() }
        }

        private func register() throws {
            guard references.owners.isEmpty, lists.owners.isEmpty, raised.isEmpty else { return }
            try writer.connection.completeDeferredWork()
            writer.connection.deferWork(self)
        }

        /// Sends all changes.
        private func send() throws { try writer.connection.completeDeferredWork() }

        func complete() throws {
            let (references, lists, raised) = (references, lists, raised)
            abandon()
            if let relationship = references.relationship { try writer.write(references, of: relationship) }
            if let relationship = lists.relationship { try writer.write(lists, of: relationship) }
            for (root, keys) in raised.sorted(by: { $0.key < $1.key }) { try writer.raise(root: root, keys: keys) }
        }

        func abandon() {
            references = References()
            lists = Lists()
            raised = [:]
            raisedCount = 0
        }
    }
#endif
