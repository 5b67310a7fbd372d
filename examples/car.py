import numpy as np

import stribeck as sb

# 200 s with an automatic gearbox: rigid friction, bristles as in Aberger and Otter 2002, and bristles at steps of 1 ms
car = sb.load_model("car")
rigid = sb.simulate(car)

bristles = sb.LuGre(sigma0=1e5, sigma1=0.03, mu_c=0.12, mu_s=0.144, w_s=0.5)
soft = car.varied({"*.law": bristles})
adaptive = sb.simulate(soft)
stepper = soft.realtime(h="1 ms")
fixed = stepper.run(t_end=200, every=100)

for name, result in (("rigid", rigid), ("bristles", adaptive), ("bristles at 1 ms", fixed)):
    heat = sum(result.energy.dissipated.get(element, 0.0) for element in "ABCDEF")
    steps = result.statistics.steps
    print(f"{name:17} {steps:6} steps, clutch heat {heat:6.0f} J, last speed {result['car.v'][-1]:.5f} m/s")
print(f"largest speed difference {np.abs(fixed['car.v'] - adaptive['car.v']).max():.1e} m/s")
rigid.plot("car.v", "crank.w", "turbine.w", "A.tau", "C.tau", "E.tau", "F.tau", path="car.png")
