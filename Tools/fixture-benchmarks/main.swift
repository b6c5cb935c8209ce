// Clones of a seeded store a second, in memory and in temporary files: what a test with a fixture costs.
// `fixture-benchmarks [ROWS]`; without an argument 10,000 rows. BENCH_RUNS: how often each is measured (3).

try await FixtureBenchmark.run()
