"""From network and coordinates to the arrays of the kernel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from math import inf, nextafter
from typing import Any, NamedTuple

import numpy as np

from ..declare import Param
from ..elements import ENGAGE
from ..errors import SpecError
from ..kernel import SOURCE_DRIVES, SOURCE_STORES_NOTHING
from ..laws import AtMost, Law
from ..traced import Number
from .coordinates import Coordinates
from .graph import OperationGraph
from .heat import Heat, HeatPort
from .law_tape import law_record
from .losses import Losses
from .matrix import Pattern, analyse
from .network import FrictionBranch, PrimitiveNetwork, SourceBranch
from .outputs import MODE_STATE, element_outputs
from .own_law import check_own_law
from .reactions import find_reactions
from .rows import Arrays, Row, compress, entries, indices, transpose
from .sensors import Sensors

Entry = tuple[int, int, int, float]
"""Row, column, what it belongs to, coefficient."""
SMALL = 1e-3
"""Share to which a size that is a guess may shrink."""


class MassEntry(NamedTuple):
    """An entry of Mass: always there, or only while a lock is locked, or only while it is open."""

    row: int
    column: int
    value: float
    lock: int | None = None
    while_open: bool = False


BLOCKS = {None: 0, "forward": 1, "backward": -1}
"""Directions of slip that a contact blocks, as the kernel counts them."""


class Layout:
    """Places of the unknowns x = [v | q | z | Lambda], of signals and of local derivatives, and the arrays on them.

    >>> Layout(network, coordinates).arrays()["spring_c"]
    [2.0]
    """

    def __init__(self, network: PrimitiveNetwork, coordinates: Coordinates) -> None:
        self.network = network
        self.coordinates = coordinates
        self.slips = [coordinates.slip(branch) for branch in network.branches]
        self.displacements = [coordinates.displacement(spring) for spring in network.springs]
        self.bodies = [coordinates.speed[body.node] for body in network.bodies]
        self.reactions = find_reactions(network, coordinates.reduction)
        counts = [len(friction.law.states) for friction in network.frictions]
        self.n_v, self.n_q = len(coordinates.free), len(coordinates.states)
        self.state_of = _starts(self.n_v + self.n_q, counts)
        self.locks = [k for k, friction in enumerate(network.frictions) if friction.law.family == "locking"]
        self.lock_of = {friction: lock for lock, friction in enumerate(self.locks)}
        self.shown = [k for k, friction in enumerate(network.frictions) if MODE_STATE in friction.law.states]
        self.counts = [friction.law.count for friction in network.frictions]
        self.guards = [law_record(friction.law).n_guard for friction in network.frictions]
        for friction in network.frictions:
            check_own_law(friction.law, friction.element.label)
        self.graph = self._lower()
        self.sided = [k for k, (load, back) in enumerate(self.load_nodes) if load != back and k not in self.lock_of]
        self.opening = [k for k, friction in enumerate(network.frictions) if friction.opens]
        self.n_y = self.state_of[-1] + len(self.graph.states)
        self.local_of = _starts(1 + 2 * len(network.springs), self._friction_locals())
        self.decaying = [lock for lock, k in enumerate(self.locks) if self.manner(k) == "hybrid"]
        self.heat_local_of = _starts(self.local_of[-1] + len(self.decaying), self._heat_locals())
        self.warm = [lock for lock, k in enumerate(self.locks) if self._slips_held(k) and self.heat_port[k] is not None]
        self.losses = Losses(self)
        self.loss_local = self.heat_local_of[-1] + len(self.warm)
        self.signal_local = self.loss_local + len(self.losses.frictions)

    def _lower(self) -> OperationGraph:
        """All signals as operations, those with names too."""
        net = self.network
        self.sensors = Sensors(self, {output.name: output for output in element_outputs(self)})
        self.graph = graph = OperationGraph(self.sensors, self.state_of[-1], net.nodes.signals)
        self.heat = Heat(self, graph)
        self.motion_nodes: list[int] = []
        for motion in net.motions:
            graph.owner = motion.element.name
            self.motion_nodes.append(graph.lower(motion.signal))
            if motion.order == 0:
                graph.as_course(self.motion_nodes[-1])
            if not graph.nodes[self.motion_nodes[-1]].smooth:
                raise SpecError(
                    f"{motion.element.label}: {motion.signal!r} is not a function of time that can be differentiated; "
                    "drive the flange by a Torque or a Force with a controller instead"
                )
        self.source_nodes, self.energy_nodes, self.load_nodes, self.gap_nodes = [], [], [], []
        self.vary_nodes: list[dict[str, int]] = []
        for source in net.sources:
            graph.owner = source.element.name
            self.source_nodes.append(graph.lower(source.signal))
            self.energy_nodes.append(_energy_node(graph, source))
        for friction in net.frictions:
            graph.owner = friction.element.name
            load = graph.lower(friction.load)
            back = load if friction.load_backward is None else graph.lower(friction.load_backward)
            self.load_nodes.append((load, back))
            self.vary_nodes.append({name: graph.lower(signal) for name, signal in friction.law.varying.items()})
            self.gap_nodes.append(None if friction.gap is None else graph.lower(friction.gap))
            if friction.gap is not None:
                self._check_gap(friction)
        self.quantity_nodes = []
        for quantity in net.quantities:
            graph.owner = quantity.element.name
            self.quantity_nodes.append(graph.lower(quantity.signal))
        self.heat.lower()
        self.heat_port = [self.heat.port_of(k) for k in range(len(net.frictions))]
        self.named = {name: graph.named(name) for name in net.nodes.signals}
        graph.finish()
        return graph

    def _check_gap(self, friction: FrictionBranch) -> None:
        """A stop must be open, or just closed, at the start."""
        net, position = self.network, 0.0
        for column, value in self.coordinates.displacement(friction).items():
            k = column - self.n_q
            start = self.coordinates.states[column].start if k < 0 else net.motions[k].signal.at(0.0)
            position += value * start
        element: Any = friction.element
        element.check_gap(position, net.nodes.domains[element.name])

    def motion_node(self, motion: int, order: int) -> int:
        """The position (order 0) or speed (1) of a prescribed motion as a node."""
        node = self.motion_nodes[motion]
        return node if self.network.motions[motion].order == order else self.graph.node("RATE", [node])

    def _load_columns(self, k: int) -> list[int]:
        """Unknowns behind the load of friction element k, and behind the other load of a pair."""
        load, back = self.load_nodes[k]
        return [c for node in dict.fromkeys((load, back)) for c in self.graph.nodes[node].columns]

    def _vary_columns(self, k: int) -> list[list[int]]:
        """Unknowns behind each parameter of friction element k that follows a signal."""
        return [list(self.graph.nodes[node].columns) for node in self.vary_nodes[k].values()]

    def _friction_locals(self) -> list[int]:
        """Local derivatives of each friction element: torque and rates by slip and states, torque by what is behind the
        load, torque and rates by what is behind parameters."""
        return [
            self._law_locals(k) + len(self._load_columns(k)) + (1 + self._moving(k)) * sum(map(len, columns))
            for k, columns in enumerate(map(self._vary_columns, range(len(self.network.frictions))))
        ]

    def _law_locals(self, k: int) -> int:
        """Local derivatives of a law: friction and rates by slip and states; each force of a separate law has a rate by
        slip and one by itself."""
        return 1 + 3 * self._moving(k) if self._separate(k) else (1 + self._moving(k)) ** 2

    def _separate(self, k: int) -> bool:
        """Whether each rate of a law depends on slip and its own state alone."""
        return bool(self.network.frictions[k].law.separate)

    def _moving(self, k: int) -> int:
        """States of a law that its friction is differentiated by."""
        return int(self.network.frictions[k].law.moving)

    def _heat_locals(self) -> list[int]:
        """Local derivatives of the heat of each friction element: by slip, states and what is behind load and
        parameters."""
        return [
            1 + self._moving(k) + len(self._behind_columns(k)) if self.heat_port[k] is not None else 0
            for k in range(len(self.network.frictions))
        ]

    def _behind_columns(self, k: int) -> list[int]:
        """Unknowns behind load and parameters of friction element k, one signal after the other."""
        return [*self._load_columns(k), *(c for columns in self._vary_columns(k) for c in columns)]

    def _slips_held(self, k: int) -> bool:
        """Whether a friction element may have slip while its torque is an unknown."""
        return self.manner(k) != "switch" or self.network.frictions[k].loss is not None

    def manner(self, k: int) -> str:
        """How friction element k sticks: "switch", "karnopp" or "hybrid"; "switch" too if it does not lock."""
        return str(getattr(self.network.frictions[k].law, "lock", "switch"))

    def friction_slip(self, k: int) -> Row:
        """Slip row of friction element k."""
        return self.slips[len(self.network.springs) + len(self.network.sources) + k]

    def reaction_row(self, motion: int) -> dict[int, float]:
        """The torque of a prescribed motion over branches and, behind them, what accelerates bodies."""
        column = self.n_v + motion
        return {i: row[column] for i, row in enumerate([*self.slips, *self.bodies]) if column in row}

    def nominal(self) -> list[Number]:
        """Nominal values of the unknowns: speeds at the resolution of the friction laws, states as declared."""
        speed: list[Number] = [1.0] * self.n_v
        for k, friction in enumerate(self.network.frictions):
            for column, value in self.free(self.friction_slip(k)):
                speed[column] = min(speed[column], friction.law.nominal_speed(friction.law.p) / abs(value))
        position = [min((speed[c] for c, _ in self.free(s.rate)), default=1.0) for s in self.coordinates.states]
        bristles = [s.nominal(f.law.p) for f in self.network.frictions for s in f.law.states.values()]
        signals = [state.nominal for state in self.graph.states]
        return [*speed, *position, *bristles, *signals, *(1.0 for _ in self.locks)]

    def least(self, nominal: list[Number]) -> list[Number]:
        """Sizes to which the nominal ones may shrink while a state stays small: those that no law has stated are only a
        guess, speeds of 1 and positions that follow them."""
        moving = self.n_v + self.n_q
        return [SMALL * size if i < moving and size == 1.0 else size for i, size in enumerate(nominal)]

    def bounds(self) -> list[Number]:
        """Sizes that the states of the laws cannot exceed; those of signals have none, nor those of laws with
        parameters that vary, which would move with them."""
        laws = [
            inf if f.law.varying else s.bound(f.law.p) for f in self.network.frictions for s in f.law.states.values()
        ]
        return [*laws, *(inf for _ in self.graph.states)]

    def start(self) -> list[Number]:
        """States at the start; bristles are straight."""
        positions = [state.start for state in self.coordinates.states]
        bristles = [0.0] * (self.state_of[-1] - self.n_v - self.n_q)
        signals = [state.start for state in self.graph.states]
        return [*self.coordinates.start, *positions, *bristles, *signals]

    def arrays(self) -> Arrays:
        """All arrays of the model but the outputs."""
        arrays = self._elements() | self._rows() | self._matrix()
        nominal = self.nominal()
        sizes = {"x_nominal": nominal, "x_least": self.least(nominal), "z_bound": self.bounds()}
        return arrays | self.graph.arrays(nominal) | sizes

    def sizes(self, arrays: Arrays) -> dict[str, int]:
        """The sizes that the kernel asks for; the outputs come later."""
        net = self.network
        sizes = {
            "n_v": self.n_v,
            "n_q": self.n_q,
            "n_z": self.n_y - self.n_v - self.n_q,
            "n_lock": len(self.locks),
            "n_motion": len(net.motions),
            "n_spring": len(net.springs),
            "n_source": len(net.sources),
            "n_friction": len(net.frictions),
            "n_body": len(net.bodies),
            "n_coupling": len(net.couplings),
            "n_heat": len(self.heat.ports),
            "n_warm": len(self.warm),
            "n_pool": len(self.heat.pools),
            "n_pooled": len(self.heat.pooled),
            "n_c": len(arrays["c_val"]),
            "n_mp": len(arrays["mp_val"]),
            "n_local": self.signal_local + len(arrays["grad_col"]),
            "signal_local": self.signal_local,
            "n_law_guard": sum(self.guards),
            "n_side": len(self.sided),
            "n_open": len(self.opening),
            "n_shown": len(self.shown),
            "n_watch": len(arrays["watch"]),
            "n_unlimited": int(np.count_nonzero(arrays["lock_unlimited"])),
            "n_fr_param": len(arrays["fr_param"]),
            "n_vary": len(arrays["vary_param"]),
            "n_order": len(arrays["order_low"]),
            "n_loss": len(self.losses.frictions),
            "n_loss_row": len(arrays["loss_table"]) // 5,
            **{f"n_{name}": len(arrays[f"{name}_val"]) for name in ("lb", "lv", "lp", "lm", "lj")},
            "n_jac": len(arrays["jac_slot"]),
            "n_mass": len(arrays["mass_slot"]),
            "n_lu": len(arrays["lu_col"]),
            "n_elim": len(arrays["elim_dst"]),
        }
        return sizes | self.graph.sizes(arrays) | row_sizes(arrays, "wegb")

    def free(self, row: Row) -> list[tuple[int, float]]:
        """The part of a row over vx that is not prescribed."""
        return [(column, value) for column, value in row.items() if column < self.n_v]

    def _rows(self) -> Arrays:
        """Slips, displacements, position rates and body speeds over the unknowns, and what motions add to them."""
        rates = [state.rate for state in self.coordinates.states]
        free = [dict(self.free(row)) for row in self.slips]
        arrays = self.split(self.slips, "w", self.n_v) | compress(transpose(free, self.n_v), "wt", "row")
        arrays |= self.split(self.displacements, "e", self.n_q, shift=self.n_v)
        arrays |= self.split(rates, "g", self.n_v) | self.split(self.bodies, "b", self.n_v)
        return arrays | compress(self.reactions.numbers(), "c") | entries(self._prescribed_mass(), "mp", "motion")

    def _prescribed_mass(self) -> list[dict[int, float]]:
        """For every generalised speed the inertia that prescribed accelerations act on."""
        rows: list[dict[int, float]] = [{} for _ in range(self.n_v)]
        for body, row in zip(self.network.bodies, self.bodies, strict=True):
            for motion, y in ((c - self.n_v, y) for c, y in row.items() if c >= self.n_v):
                for i, x in self.free(row):
                    rows[i][motion] = rows[i].get(motion, 0.0) + body.inertia * x * y
        return rows

    @staticmethod
    def split(rows: Sequence[Row], name: str, n: int, shift: int = 0) -> Arrays:
        """The part of rows over the first n columns, shifted to their unknowns, and the prescribed part behind it."""
        own = [{column + shift: value for column, value in row.items() if column < n} for row in rows]
        given = [{column - n: value for column, value in row.items() if column >= n} for row in rows]
        return compress(own, name) | entries(given, f"{name}p", "motion")

    def _elements(self) -> Arrays:
        """Parameters and signals of bodies, motions and branches."""
        net = self.network
        params = [f.law.numbers(f.law.p) for f in net.frictions]
        shown = set(self.shown)
        slides = [k in self.lock_of or k in shown or self.counts[k] for k in range(len(net.frictions))]  # along a curve
        peaks = [f.law.peak_speed(f.law.p) if on else inf for f, on in zip(net.frictions, slides, strict=True)]
        decay_of = {lock: self.local_of[-1] + i for i, lock in enumerate(self.decaying)}
        return {
            "body_inertia": [body.inertia for body in net.bodies],
            "heat_signal": indices(port.signal for port in self.heat.ports),
            "heat_state": indices(self.heat.state.get(port.node) for port in self.heat.ports),
            "heat_gain": [self.heat.gain(port) for port in self.heat.ports],
            "heat_pool": indices(self.heat.pools.get(port.node) for port in self.heat.ports),
            "pooled_pool": _ints(quantity.pool for quantity in self.heat.pooled),
            "pooled_base": _ints(quantity.base for quantity in self.heat.pooled),
            "pooled_ratio": _ints(quantity.ratio for quantity in self.heat.pooled),
            "fr_heat": indices(self.heat_port),
            "fr_heat_local": _ints(self.heat_local_of[:-1]),
            "warm_lock": _ints(self.warm),
            "warm_local": _ints(self.heat_local_of[-1] + i for i in range(len(self.warm))),
            "motion_signal": _ints(self.motion_nodes),
            "motion_order": _ints(motion.order for motion in net.motions),
            "spring_c": [spring.c for spring in net.springs],
            "spring_d": [spring.d for spring in net.springs],
            "spring_rel0": [spring.rel0 for spring in net.springs],
            "source_signal": _ints(self.source_nodes),
            "source_energy": _ints(self.energy_nodes),
            "fr_param_ptr": _ints(_starts(0, [len(p) for p in params])),
            "fr_param": [x for p in params for x in p],
            "fr_count": _ints(self.counts),
            "fr_vary_ptr": _ints(_starts(0, map(len, self.vary_nodes))),
            "vary_param": _ints(
                self._param_place(k, name) for k, f in enumerate(net.frictions) for name in f.law.varying
            ),
            "vary_signal": _ints(node for nodes in self.vary_nodes for node in nodes.values()),
            "vary_low": [least(param) for param in self.varying],
            "vary_high": [inf if param.max is None else param.max for param in self.varying],
            "order_low": _ints(self._param_place(k, order.lower) for k, order in self.orders),
            "order_high": _ints(self._param_place(k, order.upper) for k, order in self.orders),
            "fr_load": _ints(load for load, _ in self.load_nodes),
            "fr_back": _ints(back for _, back in self.load_nodes),
            "fr_guard": _ints(_starts(0, self.guards)[:-1]),
            "fr_side": _places(self.sided, len(net.frictions)),
            "fr_open": _places(self.opening, len(net.frictions)),
            "fr_engage": _ints(ENGAGE.index(f.engage or ENGAGE[0]) for f in net.frictions),
            "fr_peak": peaks,
            "shown_state": _ints(
                self.state_of[k] + list(net.frictions[k].law.states).index(MODE_STATE) for k in self.shown
            ),
            "watch": _ints(
                k for k in range(len(net.frictions)) if self.guards[k] or self.manner(k) != "switch" or peaks[k] < inf
            ),
            "fr_state": _ints(place - self.n_v - self.n_q for place in self.state_of[:-1]),
            "fr_lock": indices(self.lock_of.get(k) for k in range(len(net.frictions))),
            "fr_local": _ints(self.local_of[:-1]),
            "lock_friction": _ints(self.locks),
            "lock_local": _ints(decay_of.get(lock, 0) for lock in range(len(self.locks))),
            "lock_unlimited": _ints(BLOCKS[net.frictions[k].unlimited] for k in self.locks),
            "lock_gap": indices(self.gap_nodes[k] for k in self.locks),
            "lock_bounce": [net.frictions[k].restitution for k in self.locks],
            "lock_bounce_min": [net.frictions[k].v_small for k in self.locks],
            "lock_free": _ints(bool(self.free(self.friction_slip(k))) for k in self.locks),
        }

    def _param_place(self, k: int, name: str) -> int:
        """The place of a parameter of friction element k among all."""
        laws: list[Law] = [friction.law for friction in self.network.frictions]
        return sum(len(law.numbers(law.p)) for law in laws[:k]) + laws[k].scalars.index(name)

    @property
    def varying(self) -> list[Param]:
        """The parameters of laws that follow signals."""
        laws = [friction.law for friction in self.network.frictions]
        return [law.params[name] for law in laws for name in law.varying]

    @property
    def orders(self) -> list[tuple[int, AtMost]]:
        """Inequalities between two parameters of a law of which one varies."""
        return [
            (k, order)
            for k, friction in enumerate(self.network.frictions)
            for order in friction.law.orders
            if {order.lower, order.upper} & friction.law.varying.keys()
        ]

    def _matrix(self) -> Arrays:
        """Mass, Jacobian and the pattern that both live in."""
        mass, jacobian = list(self._mass()), list(self._jacobian())
        acts_on = {self.n_y + lock: dict(self.free(self.friction_slip(k))) for lock, k in enumerate(self.locks)}
        n = self.n_y + len(self.locks)
        places = [(entry.row, entry.column) for entry in mass] + [(row, column) for row, column, _, _ in jacobian]
        places += [(row, column) for row, column, *_ in [*self.losses.mass(), *self.losses.jacobian()]]
        pattern = analyse(n, places, acts_on)
        return (
            pattern.arrays()
            | self.losses.arrays(pattern)
            | {
                "warm_slot": indices(self._warm_slot(lock, pattern) for lock in self.warm),
                "mass_slot": _ints(pattern.slots[entry.row, entry.column] for entry in mass),
                "mass_lock": indices(entry.lock for entry in mass),
                "mass_open": _ints(entry.while_open for entry in mass),
                "mass_val": [entry.value for entry in mass],
                "jac_slot": _ints(pattern.slots[row, column] for row, column, _, _ in jacobian),
                "jac_local": _ints(local for _, _, local, _ in jacobian),
                "jac_coef": [value for _, _, _, value in jacobian],
            }
        )

    def _mass(self) -> Iterator[MassEntry]:
        """The entries of Mass."""
        inertia: dict[tuple[int, int], float] = {}
        for body, row in zip(self.network.bodies, self.bodies, strict=True):
            for i, x in self.free(row):
                for j, y in self.free(row):
                    inertia[i, j] = inertia.get((i, j), 0.0) + body.inertia * x * y
        yield from (MassEntry(i, j, value) for (i, j), value in inertia.items())
        yield from (MassEntry(i, i, 1.0) for i in range(self.n_v, self.n_y))
        for lock, k in enumerate(self.locks):
            multiplier = self.n_y + lock
            yield MassEntry(multiplier, multiplier, 1.0, lock, while_open=True)
            for column, value in self.free(self.friction_slip(k)):
                yield MassEntry(multiplier, column, value, lock)
                yield MassEntry(column, multiplier, value, lock)
        for lock in self.warm:  # the kernel puts the slip there
            if (warmed := self._warmed(lock)) is not None:
                yield MassEntry(warmed, self.n_y + lock, 0.0, lock)

    def _warm_port(self, lock: int) -> HeatPort:
        """The heat port of a lock that has one."""
        port = self.heat_port[self.locks[lock]]
        assert port is not None
        return self.heat.ports[port]

    def _warmed(self, lock: int) -> int | None:
        """The temperature that a lock warms, among the unknowns, unless it is a given one."""
        return self.heat.state.get(self._warm_port(lock).node)

    def _warm_slot(self, lock: int, pattern: Pattern) -> int | None:
        warmed = self._warmed(lock)
        return None if warmed is None else pattern.slots[warmed, self.n_y + lock]

    def multiplier(self, k: int) -> int:
        """The unknown that holds friction element k, which can lock."""
        return self.n_y + self.lock_of[k]

    def _jacobian(self) -> Iterator[Entry]:
        """Contributions to dF/dx: (row, column, local derivative, coefficient); local derivative 0 is always 1."""
        for i, state in enumerate(self.coordinates.states):
            yield from ((self.n_v + i, column, 0, value) for column, value in self.free(state.rate))
        for branch, row in enumerate(self.slips):
            slip = self.free(row)
            for column, local, value in self.torque_partials(branch):
                yield from ((i, column, local, -x * value) for i, x in slip)
        for k in range(len(self.network.frictions)):
            yield from self._rates_jacobian(k)
        yield from self._heat_jacobian()
        yield from self._signal_jacobian()
        for i, lock in enumerate(self.decaying):
            slip = self.free(self.friction_slip(self.locks[lock]))
            yield from ((self.n_y + lock, column, self.local_of[-1] + i, value) for column, value in slip)
        for i, k in enumerate(self.losses.frictions):
            slip = self.free(self.friction_slip(k))
            yield from ((self.multiplier(k), column, self.loss_local + i, value) for column, value in slip)

    def _signal_jacobian(self) -> Iterator[Entry]:
        """Rates of signal states by what they depend on."""
        for i, state in enumerate(self.graph.states):
            rate = state.rate or 0
            for n, column in enumerate(self.graph.nodes[rate].columns):
                yield self.state_of[-1] + i, column, self._signal_locals[rate] + n, 1.0

    def _heat_jacobian(self) -> Iterator[Entry]:
        """Rates of temperatures by what the heat of their ports depends on."""
        nodes, starts = self.graph.nodes, self._signal_locals
        for port in self.heat.ports:
            row, gain = self.heat.state.get(port.node), self.heat.gain(port)
            if row is None:
                continue
            for n, column in enumerate(nodes[port.signal].columns if port.signal is not None else ()):
                yield row, column, starts[port.signal or 0] + n, gain
            for k in port.frictions:
                local, slip = self.heat_local_of[k], self.free(self.friction_slip(k))
                yield from ((row, column, local, gain * value) for column, value in slip)
                states = range(self.state_of[k], self.state_of[k] + self._moving(k))
                for n, column in enumerate([*states, *self._behind_columns(k)], start=1):
                    yield row, column, local + n, gain
        for i, lock in enumerate(self.warm):
            warmed = self._warmed(lock)
            if warmed is None:
                continue
            gain, slip = self.heat.gain(self._warm_port(lock)), self.free(self.friction_slip(self.locks[lock]))
            yield from ((warmed, column, self.heat_local_of[-1] + i, gain * value) for column, value in slip)

    def torque_partials(self, branch: int) -> Iterator[tuple[int, int, float]]:
        """How the torque of a branch follows the unknowns: (column, local derivative, coefficient)."""
        n_spring, n_source = len(self.network.springs), len(self.network.sources)
        slip = self.free(self.slips[branch])
        if branch < n_spring:
            local = 1 + 2 * branch
            yield from ((self.n_v + c, local, y) for c, y in self.displacements[branch].items() if c < self.n_q)
            yield from ((column, local + 1, y) for column, y in slip)
        elif branch < n_spring + n_source:
            node = self.source_nodes[branch - n_spring]
            for n, column in enumerate(self.graph.nodes[node].columns):
                yield column, self._signal_locals[node] + n, -1.0
        else:
            k = branch - n_spring - n_source
            for c, given in enumerate(self._friction_inputs(k)):
                yield from ((column, self.local_of[k] + c, y) for column, y in given)
            behind_load = self.local_of[k] + self._law_locals(k)
            yield from ((column, behind_load + n, 1.0) for n, column in enumerate(self._load_columns(k)))
            yield from ((column, local, 1.0) for row, column, local in self._vary_partials(k) if row == 0)

    def _vary_partials(self, k: int) -> Iterator[tuple[int, int, int]]:
        """Torque (row 0) and rates by what is behind the parameters that vary: (row, column, local derivative)."""
        local = self.local_of[k] + self._law_locals(k) + len(self._load_columns(k))
        for columns in self._vary_columns(k):
            for row in range(1 + self._moving(k)):
                yield from ((row, column, local + n) for n, column in enumerate(columns))
                local += len(columns)

    def _friction_inputs(self, k: int) -> list[list[tuple[int, float]]]:
        """What a law looks at, over the unknowns: its slip and its states."""
        return [self.free(self.friction_slip(k)), *([(self.state_of[k] + i, 1.0)] for i in range(self._moving(k)))]

    def _rates_jacobian(self, k: int) -> Iterator[Entry]:
        """Rates of the states of a law (rows of the local derivatives behind its torque) by slip and states; those of a
        separate law by slip, then each by itself."""
        states, (slip, *others) = self._moving(k), self._friction_inputs(k)
        behind = self.local_of[k] + 1 + states
        for r in range(states):
            given = [slip, others[r]] if self._separate(k) else [slip, *others]
            first, step = (r, states) if self._separate(k) else (r * (1 + states), 1)
            for c, columns in enumerate(given):
                yield from ((self.state_of[k] + r, j, behind + first + c * step, y) for j, y in columns)
        for row, column, local in self._vary_partials(k):
            if row > 0:
                yield self.state_of[k] + row - 1, column, local, 1.0

    @cached_property
    def _signal_locals(self) -> list[int]:
        """Where the gradient of each signal begins among the local derivatives."""
        return _starts(self.signal_local, [len(node.columns) for node in self.graph.nodes])


def _energy_node(graph: OperationGraph, source: SourceBranch) -> int:
    """The node of the stored energy of a source, or the mark of one that stores none or is a drive."""
    if source.energy is None:
        return SOURCE_STORES_NOTHING if source.passive else SOURCE_DRIVES
    return graph.lower(source.energy)


def row_sizes(arrays: Arrays, names: Iterable[str]) -> dict[str, int]:
    """Numbers of entries of the rows of these names, and of their prescribed parts."""
    return {f"n_{name}": len(arrays[f"{name}_val"]) for key in names for name in (key, f"{key}p")}


def least(param: Param) -> float:
    """The smallest value that a parameter may have.

    >>> least(Param(1, "1", "share", min=0)), least(Param(1, "1", "length"))
    (0, -inf)
    """
    lowest = -inf if param.min is None else param.min
    return lowest if param.above is None else max(lowest, nextafter(param.above, inf))


def _starts(first: int, lengths: Iterable[int]) -> list[int]:
    """Where blocks of these lengths begin, and where the last one ends."""
    return list(accumulate(lengths, initial=first))


def _places(chosen: Sequence[int], n: int) -> np.ndarray:
    """The places of 0 to n - 1 among the chosen ones, of those that are."""
    place = {k: i for i, k in enumerate(chosen)}
    return indices(place.get(k) for k in range(n))


def _ints(values: Iterable[Any]) -> np.ndarray:
    return np.array(list(values), np.int32)
