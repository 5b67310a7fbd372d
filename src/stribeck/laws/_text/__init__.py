"""Laws as text: a small grammar for formulas, their units, and the class of a law from its description.

    laws:
      Viscous:
        family: smooth
        parameters: {d: {default: 2, unit: "{load}.s/{disp}", min: 0}}
        friction: d*v

Nothing of a text is executed: it becomes a tree, and the tree is evaluated with the functions that class laws use.
"""
