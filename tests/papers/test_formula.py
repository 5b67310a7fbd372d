"""Formulas of LaTeX become MathML that an XML reader accepts."""

from xml.etree import ElementTree

import pytest

from stribeck_papers.formula import mathml


@pytest.mark.parametrize(
    "latex, inside",
    [
        ("2x", "<mn>2</mn><mi>x</mi>"),
        (r"\frac{a}{b}", "<mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow></mfrac>"),
        (r"\sigma_0 z", "<msub><mi>σ</mi><mn>0</mn></msub><mi>z</mi>"),
        ("x_i^2", "<msubsup><mi>x</mi><mi>i</mi><mrow><mn>2</mn></mrow></msubsup>"),
        ("f'", "<msup><mi>f</mi><mrow><mo>′</mo></mrow></msup>"),
        (r"-|v| \le 1", "<mo>−</mo><mo>|</mo><mi>v</mi><mo>|</mo><mo>≤</mo><mn>1</mn>"),
        (r"\sqrt[3]{x}", "<mroot><mrow><mi>x</mi></mrow><mrow><mn>3</mn></mrow></mroot>"),
        (
            r"\left(x\right)",
            '<mrow><mo fence="true" stretchy="true">(</mo><mi>x</mi><mo fence="true" stretchy="true">)</mo></mrow>',
        ),
        (r"\max_i a", "<munder><mi>max</mi><mi>i</mi></munder><mi>a</mi>"),
        (r"\text{if } v < 0", "<mtext>if&#160;</mtext><mi>v</mi><mo>&lt;</mo><mn>0</mn>"),
        (r"\mathrm{d}t", '<mi mathvariant="normal">d</mi><mi>t</mi>'),
    ],
)
def test_formulas(latex, inside):
    assert mathml(latex, block=False) == f"<math>{inside}</math>"


def test_cases_are_a_table():
    latex = r"\dot z = \begin{cases} v & \text{if } |z| < z_m \\ 0 & \text{otherwise} \\ \end{cases}"
    table = ElementTree.fromstring(mathml(latex)).find(".//mtable")
    assert [[cell.tag for cell in row] for row in table] == [["mtd", "mtd"]] * 2


@pytest.mark.parametrize(
    "latex, says",
    [
        (r"\foo{x}", r"no \\foo"),
        (r"\frac{a}", "something should follow"),
        ("{x", "} is missing"),
        ("x}", "'}' has no meaning"),
        (r"\left( x", r"\\right is missing"),
        (r"\begin{cases} x", "is missing"),
        (r"\begin{tikzpicture} x", "no begin of tikzpicture"),
        ("a & b", "'&' has no meaning"),
    ],
)
def test_what_is_not_known_is_refused(latex, says):
    with pytest.raises(ValueError, match=says):
        mathml(latex)
