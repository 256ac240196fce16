"""The themes: two of our own, one of high contrast, and those that Textual brings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from textual.theme import Theme

if TYPE_CHECKING:
    from textual.app import App

DARK: Final = Theme(
    name="toolbench",
    primary="#7AA2F7",
    secondary="#7DCFFF",
    accent="#BB9AF7",
    success="#9ECE6A",
    warning="#E0AF68",
    error="#F7768E",
    foreground="#C8D0F0",
    background="#16181F",
    surface="#1D202A",
    panel="#252936",
    boost="#2C3142",
    variables={
        "border": "#7AA2F7",
        "border-blurred": "#3A4157",
        "footer-background": "#252936",
        "footer-key-foreground": "#BB9AF7",
        "input-selection-background": "#7AA2F7 35%",
        "block-cursor-text-style": "none",
    },
)
LIGHT: Final = Theme(
    name="toolbench-light",
    primary="#2E5AAC",
    secondary="#0F7B8A",
    accent="#7B3FB5",
    success="#3B7A1A",
    warning="#9A5B00",
    error="#B3203E",
    foreground="#22262F",
    background="#F6F7FA",
    surface="#ECEEF3",
    panel="#E0E4EC",
    boost="#D5DAE5",
    dark=False,
    variables={
        "border": "#2E5AAC",
        "border-blurred": "#B4BCCB",
        "footer-background": "#E0E4EC",
        "footer-key-foreground": "#7B3FB5",
        "block-cursor-text-style": "none",
    },
)
HIGH_CONTRAST: Final = Theme(
    name="high-contrast",
    primary="#FFFFFF",
    secondary="#00FFFF",
    accent="#FFFF00",
    success="#00FF00",
    warning="#FFD700",
    error="#FF6060",
    foreground="#FFFFFF",
    background="#000000",
    surface="#000000",
    panel="#000000",
    boost="#202020",
    text_alpha=1.0,
    variables={
        "border": "#FFFF00",
        "border-blurred": "#FFFFFF",
        "text-muted": "#E0E0E0",
        "text-disabled": "#C0C0C0",
        "footer-key-foreground": "#FFFF00",
        "footer-background": "#000000",
        "block-cursor-text-style": "bold",
        "error-muted": "#600000",
        "warning-muted": "#504000",
    },
)
OWN: Final = (DARK, LIGHT, HIGH_CONTRAST)


def register(app: App[Any]) -> None:
    """Make our themes known to an application."""
    for theme in OWN:
        app.register_theme(theme)


def choose(wanted: str | None, known: Mapping[str, Theme], environment: Mapping[str, str]) -> tuple[str, str | None]:
    """Return the theme to begin with, and a complaint or None.

    Args:
        wanted: by the user's configuration.
        known: the themes that there are.
        environment: `TEXTUAL_THEME` goes before the configuration; `NO_COLOR` keeps ANSI themes away, which would be
            black on black then.
    """
    asked = [name.strip() for name in environment.get("TEXTUAL_THEME", "").split(",")] + [wanted or ""]
    chosen = next((name for name in asked if name in known), DARK.name)
    complaint = None if not wanted or wanted in known else f"there is no theme {wanted!r}"
    if environment.get("NO_COLOR") and known[chosen].ansi:
        return DARK.name, complaint
    return chosen, complaint
