"""What the tests of the tool system share."""

from __future__ import annotations

import pytest
from dispatch_rig import Rig


@pytest.fixture
def rig() -> Rig:
    """Return a dispatcher without tools."""
    return Rig()
