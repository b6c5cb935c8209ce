/// Tables (docs/core-data/sqlite-layout.md#join-tables), also docs/stores.md, README.md. RFC 9562 §5.5.
let vectors = "sqlite-layout.md"  // The data of sqlite-layout-vectors.json, https://example.com/docs/none.md
