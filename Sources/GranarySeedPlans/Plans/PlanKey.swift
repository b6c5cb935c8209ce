/// The keys of a kind of mapping in a plan. A test compares them with docs/seed-plan.schema.json.
protocol PlanKey: RawRepresentable<String>, CaseIterable, Hashable, Sendable {}
