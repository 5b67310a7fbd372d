"""Items of Sections 1 to 3 and 6, in the order of the paper."""

# isort: off
from . import _property_items as _property_items
from . import _rule_items as _rule_items
from . import _cycle_items as _cycle_items
from . import _presliding_items as _presliding_items
from . import _drift_items as _drift_items
