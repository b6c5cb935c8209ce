#if PostgreSQL
    import GranaryCoordination

    /// The table of the links of to-many relationships that are not stored in rows.
    struct JoinTable: Sendable {
        let name: String
        /// The relationship whose owners are in the column `owner`.
        let relationship: LinkLayout.ID
        /// The indices of the root entities of owners and members.
        let ownerRoot: Int
        let memberRoot: Int
        /// Whether the column `member_order` has the order of an owner's members.
        let hasMemberOrder: Bool
        /// Whether the column `owner_order` has the order of a member's owners.
        let hasOwnerOrder: Bool
        /// Whether the relationship is its own inverse: a link has a row for each direction.
        let isReflexive: Bool
        /// Whether an object can be the member of one owner only, as there is no inverse.
        let isExclusive: Bool

        static let owner = "owner"
        static let member = "member"
        static let memberOrder = "member_order"
        static let ownerOrder = "owner_order"
    }
#endif
