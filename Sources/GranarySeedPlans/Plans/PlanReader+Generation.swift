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
        if let generators = keys[.generators] {
            for (name, value) in pairs(generators, "attributes and their generators") {
                if let text = text(value) { request.options.generators[name] = text }
            }
        }
        return request
    }
}
