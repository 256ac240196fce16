import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "src"))

from slugs import slug


def test_words_are_joined():
    assert slug("Release Notes 2") == "release-notes-2"


def test_signs_are_left_out():
    assert slug("  Hello, world!  ") == "hello-world"
