import GranaryBase
import Testing

@testable import GranaryPostgreSQL

/// Which texts are connection strings, and what messages show of them.
@Suite struct ConnectionTextTests {
    @Test(arguments: [
        "postgresql://", "postgres://localhost/seeds", "postgresql://u@/d?host=/tmp", "service=seeds",
        "host=h dbname=d",
        "dbname = d",
    ])
    func connectionStringsAreRecognised(text: String) {
        #expect(ConnectionText.isConnection(text))
    }

    @Test(arguments: ["Seed.sqlite", "folder/service=x", "a=b", "postgresql:", "http://host", "POSTGRESQL", ""])
    func pathsAreNoConnectionStrings(text: String) {
        #expect(!ConnectionText.isConnection(text))
        #expect(ConnectionText.displayName(of: text) == text)
    }

    @Test(arguments: [
        ("postgresql://ann:s3cret@host:5433/seeds", "postgresql://ann@host:5433/seeds"),
        ("postgres://ann@host/seeds", "postgresql://ann@host/seeds"),
        ("postgresql://:s3cret@host/seeds", "postgresql://@host/seeds"),
        ("postgresql://host/seeds?password=s3cret", "postgresql://host/seeds"),
        (
            "postgresql://host/seeds?user=ann&password=s3cret&sslmode=require",
            "postgresql://host/seeds?user=ann&sslmode=require"
        ),
        ("postgresql://host/seeds?p%61ssword=s3cret", "postgresql://host/seeds"),
        ("postgresql://host/seeds?sslpassword=s3cret&schema=app", "postgresql://host/seeds?schema=app"),
        (
            "postgresql://ann:s3cret@/seeds?host=%2Ftmp&application_name=a@b",
            "postgresql://ann@/seeds?host=%2Ftmp&application_name=a@b"
        ),
        ("host=h user=ann password=s3cret dbname=d", "host=h user=ann dbname=d"),
        ("service=x password='s3 \\'cret'", "service=x"),
        ("service=x PASSWORD = s3cret", "service=x"),
    ])
    func passwordsAreNotShown(text: String, shown: String) throws {
        let connection = try ConnectionText(text)
        #expect(connection.displayName == shown)
        #expect(ConnectionText.displayName(of: text) == shown)
        // Except for its parameter, libpq gets all.
        #expect(connection.conninfo.contains("cret") == text.contains("cret"))
    }

    @Test(arguments: [
        ("postgresql://h/d?schema=app", "postgresql://h/d", "app"),
        ("postgresql://h/d?schema=a%22b&sslmode=disable", "postgresql://h/d?sslmode=disable", "a\"b"),
        ("service=x schema='my schema'", "service=x", "my schema"),
    ])
    func theSchemaIsTakenOut(text: String, conninfo: String, schema: String) throws {
        let connection = try ConnectionText(text)
        #expect(connection.conninfo == conninfo)
        #expect(connection.schema == schema)
    }

    /// In each, libpq would take a part of the password for a host, a port or a parameter and show it.
    @Test(arguments: [
        "postgresql://ann:Kw0tq@tq7@host/d", "postgresql://ann:Kw0tq/tq7@host/d", "postgresql://ann:Kw0tq?tq7@host/d",
        "postgresql://host/d?Kw0tq", "postgresql://host/d?a=%zzKw0tq", "postgresql://host/d?schema=",
        "service=x 'Kw0tq",
        "service=x password='Kw0tq", "service=x\u{0}Kw0tq",
    ])
    func malformedStringsAreNotShown(text: String) throws {
        let error = try #require(throws: GranaryError.self) { try ConnectionText(text) }
        #expect(error.code == .usage)
        #expect(!error.description.contains("Kw0tq") && !error.description.contains("tq7"))
        #expect(!ConnectionText.displayName(of: text).contains("Kw0tq"))
    }

    @Test func aBuildWithoutTheTraitSaysHowToBuild() throws {
        guard !PostgreSQLSupport.isIncluded else { return }
        let error = try #require(throws: GranaryError.self) { try PostgreSQLStores.exists("postgresql://") }
        #expect(error.message.contains("--traits PostgreSQL") && error.message.contains("libpq-dev"))
    }
}
