/// Tables (docs/core-data/sqlite-layout.md#tables).
/// Files (docs/core-data/files.md).
/// Rows (sqlite-layout §4.1).
/// Objects (behaviours.md, SEEN-1).
let rows = 1  // Scenarios of coredata/sqlite-layout.md.
// Hooks (behaviours LIF-01), kept apart from the behaviours of stores.
// Old rules (fetch-indexes §5).
