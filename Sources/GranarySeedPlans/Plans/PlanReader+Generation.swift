import GranaryBase
import GranaryGeneration
import GranaryYAML

extension PlanReader {
    /// Reads the objects to generate. The counts include the stored objects, so that a plan that runs again generates
    /// nothing.
    func readGeneration(_ node: Int) -> GenerationRequest {
        let keys = mapping(node, "generate", PlanGenerateKey.self)
        var request = GenerationRequest()
        request.options.fillsUp = true
        if let counts = keys[.counts] {
            for (name, value) in pairs(counts, "entities and the numbers of their objects") {
                guard let count = integer(value, 0...Int64(Generator.maximumCount)) else { continue }
                request.counts[name] = Int(count)
            }
        } else {
            report("counts is missing: the entities and the numbers of their objects", at: node)
        }
        if let seed = keys[.randomSeed], let number = integer(seed, 0...Int64.max) {
            request.options.randomSeed = UInt64(number)
        }
        read(&request.options.locale, keys[.locale], choice)
        if let percent = keys[.nullPercent], let number = integer(percent, 0...100) {
            request.options.nullPercent = Int(number)
        }
        read(&request.options.edgeCases, keys[.edgeCases], flag)
        texts(&request.options.generators, keys[.generators], "attributes and their generators")
        texts(&request.options.distributions, keys[.distributions], "attributes and the distributions of their values")
        texts(&request.options.linkCounts, keys[.links], "to-many relationships and the numbers of their objects")
        if let nulls = keys[.nulls] {
            for (name, value) in pairs(nulls, "properties and their percentages of NULL") {
                guard let percent = integer(value, 0...100) else { continue }
                request.options.nullPercents[name] = Int(percent)
            }
        }
        return request
    }

    private func texts(_ result: inout [String: String], _ node: Int?, _ what: String) {
        guard let node else { return }
        for (name, value) in pairs(node, what) {
            if let text = text(value) { result[name] = text }
        }
    }
}
