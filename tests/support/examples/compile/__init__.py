"""Names for examples of the compiler: the stick-slip rig, stage by stage."""

import stribeck as sb
from stribeck.compile.coordinates import Coordinates, choose
from stribeck.compile.couplings import Reduction, reduce_couplings
from stribeck.compile.layout import Layout
from stribeck.compile.network import PrimitiveNetwork
from stribeck.compile.topology import Nodes, resolve_nodes


def nodes(model: sb.Model) -> Nodes:
    return resolve_nodes(model)


def network(nodes: Nodes) -> PrimitiveNetwork:
    return PrimitiveNetwork.of(nodes)


def reduction(network: PrimitiveNetwork) -> Reduction:
    return reduce_couplings(network)


def coordinates(network: PrimitiveNetwork) -> Coordinates:
    return choose(network)


def layout(network: PrimitiveNetwork, coordinates: Coordinates) -> Layout:
    return Layout(network, coordinates)
