"""Items of Sections 4, 5 and 7, in the order of the paper."""

# isort: off
from . import _mechanism_items as _mechanism_items
from . import _stability_items as _stability_items
from . import _torque_items as _torque_items
from . import _actuator_items as _actuator_items
from . import _bench_items as _bench_items
from . import _viscous_items as _viscous_items
from . import _position_items as _position_items
from . import _comparison_items as _comparison_items
from . import _lpv_items as _lpv_items
