import GranaryBase

print(Step.self, Steps.self)
