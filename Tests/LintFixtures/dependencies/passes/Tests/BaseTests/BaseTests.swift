@testable import Base
import Testing
