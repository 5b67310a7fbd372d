"""Items of Sections 1 to 3 and 6, in the order of the paper."""

# isort: off
from . import _property_items as _property_items
from . import _rule_items as _rule_items
from . import _table_1_items as _table_1_items
from . import _slip_items as _slip_items
from . import _hunting_items as _hunting_items
from . import _presliding_items as _presliding_items
from . import _drift_items as _drift_items
from . import _extension_items as _extension_items
from . import _measurement_items as _measurement_items
from . import _method_items as _method_items
from . import _ramp_items as _ramp_items
from . import _sinusoidal_items as _sinusoidal_items
