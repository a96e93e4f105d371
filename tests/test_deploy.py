"""The files for hosts name settings that there are, and say what they should."""

import re
from pathlib import Path

import pytest

from thorp.cli import main
from thorp.cli.serve import _SETTINGS

DEPLOY = Path(__file__).parents[1] / "deploy"
#: Read by the rules, not by the server; and what compose.yaml asks its host for.
OTHERS = {"THORP_CACHE", "THORP_DB_PASSWORD", "THORP_NAME"}


@pytest.mark.parametrize("path", sorted(DEPLOY.iterdir()), ids=lambda path: path.name)
def test_every_setting_is_one(path: Path) -> None:
    known = {f"THORP_{setting.name.upper()}" for setting in _SETTINGS} | OTHERS
    assert set(re.findall(r"THORP_\w+", path.read_text("utf-8"))) <= known


def test_the_example_of_settings_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from thorp.server import app

    served: list[app.Settings] = []
    monkeypatch.setattr(app, "serve", lambda settings, *where, **how: served.append(settings))
    assert main(["serve", "--data", str(tmp_path), "--config", str(DEPLOY / "thorp.toml")]) == 0
    assert served == [app.Settings(tmp_path, hosts=("thorp.example.org",), proxies=("127.0.0.1",), log_format="json")]


def test_the_example_of_figures_shows_no_token() -> None:
    text = (DEPLOY / "thorp.toml").read_text("utf-8")
    assert '# metrics_token = ""' in text


def test_the_unit_stops_the_server_and_leaves_the_rest_to_it() -> None:
    unit = (DEPLOY / "thorp.service").read_text("utf-8").splitlines()
    assert {"KillSignal=SIGINT", "KillMode=mixed"} <= {*unit}


def test_secrets_of_the_unit_lie_in_a_file_that_root_alone_reads() -> None:
    """No file in /etc can be the user's whom systemd makes up."""
    file = "/etc/thorp/secrets"
    assert f"EnvironmentFile=-{file}" in (DEPLOY / "thorp.service").read_text("utf-8").splitlines()
    hosting = (DEPLOY.parent / "docs" / "hosting.md").read_text("utf-8")
    assert file in hosting
    assert "THORP_SMTP_PASSWORD=" in hosting
