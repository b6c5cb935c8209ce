@testable import model_tool
