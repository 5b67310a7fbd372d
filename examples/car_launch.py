import numpy as np

import stribeck as sb
for n in (2,3,4):
    m = sb.load_model(f"powertrain-{n}")
    r = sb.simulate(m)
    print(r.names, r.time[-1]); print(m.elements)
