"""The gallery shows the examples."""

from tools.pages.gallery import EXAMPLES, PAGE, PICTURES, SECTIONS, page


def test_the_gallery_shows_the_examples():
    """`python -m tools.pages.gallery` writes the page and the pictures."""
    examples = sorted(file.stem for file in EXAMPLES.glob("*.py"))
    assert sorted(name for names in SECTIONS.values() for name in names) == examples
    assert PAGE.read_text(encoding="utf-8") == page()
    pictures = sorted(PICTURES.iterdir())
    assert [picture.name for picture in pictures] == [f"{name}.png" for name in examples]
    assert max(picture.stat().st_size for picture in pictures) < 100_000
