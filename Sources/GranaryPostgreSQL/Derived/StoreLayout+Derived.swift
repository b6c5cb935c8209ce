#if PostgreSQL
    import GranaryCoordination
    import GranaryModel

    extension StoreLayout: DerivedLayout {
        func hasColumn(of attribute: Schema.Attribute) -> Bool {
            table(of: attribute.owner).column(of: attribute.owner, slot: attribute.slot) != nil
        }

        func hasColumn(of relationship: Schema.Relationship) -> Bool {
            table(of: relationship.owner).column(of: relationship.owner, slot: relationship.slot) != nil
        }

        func hasLinks(of relationship: Schema.Relationship) -> Bool { place(of: relationship) != nil }

        /// The statements that create all triggers and their functions.
        func triggerSQL(_ schema: Schema) -> [String] {
            DerivedTriggers(self, schema).creationSQL()
                + (hasHistory ? HistoryTriggers(self, schema).creationSQL() : [])
        }
    }
#endif
