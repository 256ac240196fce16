"""The user's configuration: keys and theme (`toolbench/config.toml` in the user's config folder).

theme = "high-contrast"

[keys]
"registry.toggle" = "space,enter"
"app.quit" = "ctrl+q"
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from toolbench.tools.names import nearest

CONFIG_DIR: Final = "TOOLBENCH_CONFIG_DIR"
FILE_NAME: Final = "config.toml"
MAX_BYTES: Final = 256_000


@dataclass(frozen=True, slots=True)
class UserConfig:
    """What the user configured, and what is wrong with it."""

    theme: str | None = None
    keys: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Binding ids, each with keys separated by commas."""
    problems: tuple[str, ...] = ()


def config_file() -> Path:
    """Return where the configuration is read from: `TOOLBENCH_CONFIG_DIR`, or the user's config folder."""
    folder = os.environ.get(CONFIG_DIR)
    if folder:
        return Path(folder) / FILE_NAME
    from platformdirs import user_config_dir

    return Path(user_config_dir("toolbench")) / FILE_NAME


def load_config(file: Path | None = None) -> UserConfig:
    """Read the configuration. A missing file is an empty one; a faulty file, or part of one, is told in `problems`."""
    file = file or config_file()
    try:
        with file.open("rb") as stream:
            data = tomllib.loads(stream.read(MAX_BYTES).decode())
    except FileNotFoundError:
        return UserConfig()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return UserConfig(problems=(f"{file}: {error}",))
    return _read(data, str(file))


def _read(data: Mapping[str, Any], file: str) -> UserConfig:
    """Take what is right, and complain about the rest."""
    problems = [f"{file}: unknown entry {name!r}: theme or keys" for name in data if name not in ("theme", "keys")]
    theme = data.get("theme")
    if theme is not None and not isinstance(theme, str):
        problems.append(f"{file}: theme takes a name")
        theme = None
    keys = data.get("keys", {})
    if not isinstance(keys, dict):
        problems.append(f"{file}: keys takes a table")
        keys = {}
    good = {name: value for name, value in keys.items() if isinstance(value, str) and value.strip()}
    problems.extend(f'{file}: keys.{name} takes text such as "ctrl+u"' for name in keys if name not in good)
    return UserConfig(theme, MappingProxyType(good), tuple(problems))


def check_keys(config: UserConfig, known: Collection[str]) -> UserConfig:
    """Set apart keys for actions that there are not; Textual would ignore them in silence.

    Args:
        config: as read.
        known: the ids of all bindings.
    """
    unknown = [name for name in config.keys if name not in known]
    if not unknown:
        return config
    problems = [f"there is no action {name!r}{_near(name, known)}" for name in unknown]
    keys = {name: value for name, value in config.keys.items() if name in known}
    return replace(config, keys=MappingProxyType(keys), problems=(*config.problems, *problems))


def _near(name: str, known: Collection[str]) -> str:
    near = nearest(name, tuple(sorted(known)), 1)
    return f", near: {near[0]!r}" if near else ""
