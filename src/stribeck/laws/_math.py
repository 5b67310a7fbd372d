"""Another name of `functions`."""

from .functions import *  # noqa: F403
from .functions import Expr  # noqa: F401
