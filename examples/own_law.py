import numpy as np

import stribeck as sb

# your own friction law, as text: a seal whose static friction grows with the logarithm of the time at rest; the
# slower it is pulled, the longer it sticks and the harder it breaks away
TEXT = """
laws:
  Seal:
    family: locking
    parameters:
      dry: {default: 6, unit: "{load}", min: 0, text: friction of slow sliding}
      drop: {default: 3, unit: "{load}", min: 0, text: static friction beyond it}
      v_s: {default: 5e-3, unit: "{vel}", above: 0, text: speed at which a film forms}
      film: {default: 2, unit: "{load}", min: 0, text: friction of the film}
      ageing: {default: 0.8, unit: "{load}", min: 0, text: growth at rest}
      t_0: {default: 0.05, unit: s, above: 0, text: rest before it grows}
    states: {rest: {unit: s, nominal: t_0, directed: false}}
    rates: {rest: 0 if v > 0 else 1}
    steady: {rest: 0}
    sliding: dry + drop*stribeck(v, v_s, 1) + film*log(1 + v/v_s)
    breakaway: dry + drop + ageing*log(1 + abs(rest)/t_0)
"""
Seal = sb.load_laws(TEXT)["Seal"]
print(sb.laws.check(Seal))


def pulled(law: sb.Law, speed: float) -> sb.Result:
    """A slider that a spring pulls by 8 mm."""
    model = sb.Model("slider")
    hand = model.add("hand", sb.Speed(v=speed))
    slider = model.add("slider", sb.Mass(m=0.5))
    model.add("spring", sb.Spring(hand, slider, c=6e3))
    model.add("seal", sb.Guide(slider, law=law))
    return model.simulate(t_end=8e-3 / speed, intervals=4000)


speeds = np.geomspace(1e-4, 1e-2, 9)
with sb.picture("a seal that ages at rest", "own-law.png", width=9, height=4.2) as figure:
    force, peaks = figure.subplots(1, 2)
    for speed in (1e-4, 1e-3, 1e-2):
        result = pulled(Seal(), speed)
        force.plot(1e3 * result["hand.s"], -result["spring.f"], label=f"{1e3 * speed:g} mm/s")
    force.set(xlabel="pulled by / mm", ylabel="force of the spring / N")
    force.legend(loc="lower right")
    for law, name in ((Seal(), "as it is"), (Seal(ageing=0), "without ageing")):
        highest = [np.max(-pulled(law, speed)["spring.f"]) for speed in speeds]
        peaks.semilogx(1e3 * speeds, highest, "o-", label=name)
        print(
            f"{name}: {highest[0]:.2f} N at {1e3 * speeds[0]:g} mm/s, {highest[-1]:.2f} N at {1e3 * speeds[-1]:g} mm/s"
        )
    peaks.set(xlabel="speed / mm/s", ylabel="highest force / N")
    peaks.legend()
