@_exported public import Base
@_exported public import Model
