import GranaryCoordination
package import GranarySQLite

extension PresentTables {
    /// The ordinary tables of a file. Views and virtual tables, behind which anything may lie, are left out.
    package init(_ connection: Connection, _ objects: [SchemaObject]) throws {
        self.init()
        try connection.withStatement("SELECT name, type FROM pragma_table_info(?)") { statement in
            for object in objects where object.type == "table" && !object.isVirtual {
                statement.reset()
                try statement.bind(object.name, at: 1)
                var names: [String] = []
                while try statement.step() {
                    guard let name = try statement.string(at: 0) else { continue }
                    names.append(name)
                    setType(try statement.string(at: 1) ?? "", of: name, in: object.name)
                }
                self[object.name] = names
            }
        }
    }
}

extension SchemaObject {
    fileprivate var isVirtual: Bool {
        sql?.prefix(14).uppercased() == "CREATE VIRTUAL"
    }
}
