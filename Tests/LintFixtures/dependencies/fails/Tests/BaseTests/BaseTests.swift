@testable import Base
import Model
