"""The gear again, and its reactions."""

from support.examples.compile.couplings import model as gear

import stribeck as sb
from stribeck.compile.couplings import Reduction
from stribeck.compile.network import PrimitiveNetwork
from stribeck.compile.reactions import Reactions, find_reactions


def model() -> sb.Model:
    return gear()


def reactions(network: PrimitiveNetwork, reduction: Reduction) -> Reactions:
    return find_reactions(network, reduction)
