import Base
