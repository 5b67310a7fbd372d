# A robot joint swings an arm slowly. With friction that grows with the transmitted torque the motor needs much more
# torque to lift than to lower, most where the arm is horizontal; constant friction has the same gap everywhere.
import numpy as np

import stribeck as sb

WEIGHT = 20.0  # N.m at the horizontal arm


def robot(joint: dict) -> sb.Model:
    """A motor, a gear 100 : 1, a joint and an arm that a position loop swings by +-85 deg within 16 s."""
    m = sb.Model("robot joint", t_end="24 s", intervals=4000)
    motor, arm = m.add("motor", sb.Inertia(J="1e-4 kg.m2")), m.add("arm", sb.Inertia(J="0.8 kg.m2"))
    joint = m.add("joint", sb.LossyJoint(b=arm, law=sb.Switch(mu_c=1, mu_s=1.2), c=8e3, d=20, **joint))
    m.add("gear", sb.Gear(motor, joint.a, ratio=100))
    m.add("weight", sb.Torque(arm, tau=-WEIGHT * sb.Function("sin", "arm.phi")))
    wanted = sb.Sine(amplitude=np.radians(85), f=1 / 16)
    m.add("drive", sb.Torque(motor, tau=sb.PID(100 * wanted, "motor.phi", Kp=0.03, Ki=0.06, Kd=1.5e-3, T_f=0.01)))
    return m


loaded = sb.simulate(robot({"tau_0": 0.5, "eta_forward": 0.8, "eta_backward": 0.7}))
constant = sb.simulate(robot({"tau_0": 3.0}))

title = "an arm that swings slowly: friction that grows with the torque, and constant friction"
with sb.picture(title, "robot-joint.png", width=10, height=4.2) as figure:
    left, right = figure.subplots(1, 2)
    for result, label in ((loaded, "grows with the torque"), (constant, "constant")):
        late = result.time > 8.0  # one whole swing
        angle = np.degrees(np.asarray(result["arm.phi"])[late])
        left.plot(angle, 100 * np.asarray(result["drive.tau"])[late], label=f"friction {label}")
        right.plot(angle, np.asarray(result["joint.tau"])[late], label=f"friction {label}")
    angles = np.linspace(-85, 85, 200)
    left.plot(angles, WEIGHT * np.sin(np.radians(angles)), "k:", label="weight of the arm")
    left.set(xlabel="angle of the arm / deg", ylabel="torque of the motor at the joint / (N.m)")
    right.set(xlabel="angle of the arm / deg", ylabel="friction / (N.m)")
    left.legend()

for name, result in (("loaded", loaded), ("constant", constant)):
    heat, stuck = result.energy.dissipated["joint"], float(np.mean(np.asarray(result["joint.mode"]) == 0))
    print(f"{name}: {heat:.1f} J lost in the joint, stuck for {100 * stuck:.0f} % of the time")
