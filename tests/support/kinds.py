"""The laws and elements that random machines consist of.

New ones come up in new machines. Tests of a particular old machine, by its seed, name the kinds that there were then,
so that the seed still gives that machine.
"""

from __future__ import annotations

Kinds = frozenset[str]

FIRST: Kinds = frozenset(
    name
    for line in """
    Coulomb CoulombViscous Dahl DampedLuGre ElastoPlastic ElastoPlasticTable FrictionTable Hybrid HybridPresliding
    ImprovedDahl Karnopp LuGre ModifiedElastoPlastic SimplifiedLuGre Stribeck StribeckThreshold Switch Tanh

    Bearing Brake CamSpring Clutch Convection Damper Differential Disc EddyCurrentBrake ElastoBacklash ElastoBacklash2
    ElastoGap Engine Fixed FixedTemperature Force FreeWheel Gear Guide HeatFlow Hydraulic Inertia LossyGear Mass
    MovingLoad NonlinearSpring OneWayClutch Planetary Position RackPinion Rod Speed SpeedTorque Spring SpringDamper Stop
    ThermalMass Torque TorqueConverter Vehicle Wheel
    """.splitlines()
    for name in line.split()
)
"""Those before the laws that remember and the joints whose friction grows with their torque."""
