import GranaryBase

extension ModelCheck {
    mutating func checkComposites() {
        var seen: Set<String> = []
        for composite in model.composites {
            if !seen.insert(composite.name).inserted {
                report(.modelDuplicate, "the composite name \(quoted(composite.name)) occurs twice", composite.name)
            }
            checkSize(of: composite)
            var names: Set<String> = []
            for element in composite.elements {
                checkIdentifier(element.name, what: "an element's name", entity: composite.name, property: element.name)
                if !names.insert(element.name).inserted {
                    report(
                        .modelDuplicate, "the element \(quoted(element.name)) occurs twice", composite.name,
                        element.name)
                }
                check(element, of: composite.name)
            }
        }
    }

    private mutating func checkSize(of composite: CompositeDescription) {
        guard let size = compositeSizes[composite.name] else {
            report(
                .modelInheritance,
                "the composite contains itself, or nests deeper than \(CompositeFlattener.depthLimit)", composite.name)
            return
        }
        if size > CompositeFlattener.elementLimit {
            report(
                .limitExceeded,
                "the composite has more than \(CompositeFlattener.elementLimit) elements, nested ones "
                    + "included", composite.name)
        }
    }
}
