// `Seed` and `FixtureStorage` are part of this library's interface.

@_exported public import GranaryFixtures
