"""The lock files are held against advisories: in files, in zip files, and by way of the network."""

import json
import re
import zipfile
from pathlib import Path

import advisories
import httpx2
import pytest
from advisories import NODE, PYTHON, Package, holes, locked, node_order, python_order, within

LOCKED = locked()


def advisory(package: Package, **affected: object) -> dict:
    about = {"package": {"ecosystem": package.ecosystem, "name": package.name}, **affected}
    return {"id": f"TEST-{package.name}", "modified": "2026-01-02T00:00:00Z", "summary": "a hole", "affected": [about]}


def of(name: str) -> Package:
    return next(package for package in LOCKED if package.name == name)


HARMLESS = [advisory(Package(ecosystem, "harmless", "1", "")) for ecosystem in (PYTHON, NODE)]


def everything(version: str) -> dict:
    return {"ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"last_affected": version}]}]}


def test_everything_that_is_locked_is_found() -> None:
    found = {package.name: package for package in LOCKED}
    assert {"starlette", "uvicorn", "pytest", "esbuild", "htmx.org"} <= found.keys()
    assert found["starlette"].file == "requirements/play.txt"
    assert found["pytest"].file == "requirements/test.txt"
    assert found["@esbuild/linux-x64"].ecosystem == NODE
    # of Python one version for all files; npm may bring two of a package, for two that need it
    of_python = [package.name for package in LOCKED if package.ecosystem == PYTHON]
    assert len(set(of_python)) == len(of_python)
    # each is of a version that can be compared
    for package in LOCKED:
        (python_order if package.ecosystem == PYTHON else node_order)(package.version)


@pytest.mark.parametrize(
    ("version", "inside"),
    [("0.9", False), ("1.0", True), ("1.5rc1", True), ("1.5", False), ("1.9", False), ("2.0", True), ("2.3", True)],
)
def test_a_range_of_python_versions(version: str, inside: bool) -> None:
    # not in their order, as OSV allows
    events = [{"introduced": "2.0"}, {"fixed": "1.5"}, {"introduced": "1.0"}, {"last_affected": "2.3"}]
    assert within(version, events, python_order) is inside


def test_semantic_versions_follow_each_other() -> None:
    order = ["0.0.1", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0"]
    order += ["1.0.1", "1.2.0", "1.10.0", "10.0.0"]
    assert sorted(order, key=node_order) == order
    assert node_order("1.0.0+build") == node_order("1.0.0")
    for wrong in ("", "one", "1.0.0.0", "1.0.0-é"):
        with pytest.raises(ValueError, match="semantic version"):
            node_order(wrong)


@pytest.mark.parametrize("name", ["starlette", "esbuild"])
def test_a_hole_is_found_by_its_range_or_by_its_version(name: str) -> None:
    package = of(name)
    for affected in ({"versions": [package.version]}, everything(package.version)):
        found, seen = holes(LOCKED, [*HARMLESS, advisory(package, **affected)])
        assert [(hole.package, hole.id) for hole in found] == [(package, f"TEST-{name}")]
        assert seen.count == {**dict.fromkeys((PYTHON, NODE), 1), package.ecosystem: 2}
        assert seen.newest[package.ecosystem] == "2026-01-02"
    mended = {"ranges": [{"type": "SEMVER", "events": [{"introduced": "0"}, {"fixed": package.version}]}]}
    assert holes(LOCKED, [advisory(package, **mended), advisory(package, versions=["0.0.0"])])[0] == []


def test_an_advisory_that_was_withdrawn_or_is_about_others() -> None:
    package = of("starlette")
    withdrawn = {**advisory(package, versions=[package.version]), "withdrawn": "2026-01-03T00:00:00Z"}
    other = advisory(Package(NODE, "starlette", "", ""), versions=[package.version])
    git = advisory(package, ranges=[{"type": "GIT", "events": [{"introduced": "0"}]}])
    assert holes(LOCKED, [withdrawn, other, git])[0] == []


def test_a_range_that_cannot_be_read_is_told() -> None:
    package = of("starlette")
    for events in ([{"introduced": "one"}], [{"fixed": "1.0"}], [{"introduced": "0"}, {"mended": "1.0"}]):
        (hole,), _ = holes(LOCKED, [advisory(package, ranges=[{"type": "ECOSYSTEM", "events": events}])])
        assert "cannot be read" in hole.summary


def written(folder: Path, *found: dict) -> Path:
    folder.mkdir()
    for number, each in enumerate(found):
        (folder / f"{number}.json").write_text(json.dumps(each))
    (folder / "about.json").write_text('["something else"]')
    (folder / "README.md").write_text("no advisory")
    return folder


def test_the_command_finds_a_hole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    package = of("starlette")
    data = written(tmp_path / "data", *HARMLESS, advisory(package, versions=[package.version]))
    assert advisories.main(["--data", str(data)]) == 1
    told = capsys.readouterr().out
    assert f"starlette {package.version} (requirements/play.txt): TEST-starlette a hole" in told
    assert "1 known holes" in told


def test_the_command_takes_zip_files_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for number, each in enumerate(HARMLESS):
            archive.writestr(f"{number}.json", json.dumps(each))
    monkeypatch.setenv("THORP_ADVISORIES", str(tmp_path))
    assert advisories.main([]) == 0
    assert "1 advisories, the newest of 2026-01-02" in capsys.readouterr().out


def test_what_is_not_there_is_not_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert advisories.main(["--data", str(written(tmp_path / "python", HARMLESS[0]))]) == 3
    assert "npm: not checked" in capsys.readouterr().err
    (tmp_path / "broken.zip").write_text("no zip")
    (tmp_path / "broken.json").write_text("{")
    for name in ("nowhere", "broken.zip", "broken.json"):
        assert advisories.main(["--data", str(tmp_path / name)]) == 3
        assert re.match(r"Nothing was checked: .*\.\n$", capsys.readouterr().err)


def test_the_network_is_asked_where_no_file_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("THORP_ADVISORIES", raising=False)
    asked = []

    def post(service: str, *, json: dict, timeout: float) -> httpx2.Response:
        asked.append(json["queries"])
        results = [{"vulns": [{"id": "TEST-1"}]} if query["package"]["name"] == "jinja2" else {} for query in asked[-1]]
        return httpx2.Response(200, json={"results": results}, request=httpx2.Request("POST", service))

    monkeypatch.setattr(httpx2, "post", post)
    assert advisories.main([]) == 1
    assert "TEST-1" in capsys.readouterr().out
    assert len(asked[0]) == len(LOCKED)


def test_where_there_is_neither_file_nor_network_that_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("THORP_ADVISORIES", raising=False)

    def fail(*args: object, **more: object) -> None:
        raise httpx2.ConnectError("no way out")

    monkeypatch.setattr(httpx2, "post", fail)
    assert advisories.main([]) == 3
    told = capsys.readouterr().err
    assert told.startswith("Nothing was checked: OSV gives no answer (no way out). Give a copy")
    assert told.count("\n") == 1
