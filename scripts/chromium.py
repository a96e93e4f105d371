"""Prints the path of a Chromium or Chrome for the browser tests; installs Debian's where there is none.

Beside it comes Debian's headless shell where it can be installed: the same Chromium without its windows, as Playwright
brings one itself. The browser tests take a third less of the processor with it.
"""

import contextlib
import os
import shutil
import subprocess
import sys

SHELL = "chromium-headless-shell"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC_APPS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
#: Seconds that installing the shell may take.
PATIENCE = 180
BY_HAND = "Install Chromium or Chrome by hand, or set THORP_CHROMIUM to the path of one."


def find(*, whole: bool = False) -> str | None:
    """The path of a browser that starts: $THORP_CHROMIUM if set, else the first of the usual names.

    `whole`: none without windows, which has no push messages.
    """
    named = os.environ.get("THORP_CHROMIUM")
    if named:
        if not _starts(named):
            raise SystemExit(f"THORP_CHROMIUM is {named!r}, but that is no Chromium or Chrome that starts.")
        return named
    names = NAMES if whole else (SHELL, *NAMES)
    places = [path for path in map(shutil.which, names) if path]
    return next((path for path in (*places, *MAC_APPS) if _starts(path)), None)


def _starts(path: str) -> bool:
    # Being there is not enough: Ubuntu's chromium-browser is a script that only tells to install a snap.
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0 and "Chrom" in answer.stdout


def install_shell() -> None:
    """Install Debian's headless shell where that goes without asking anybody; else leave it."""
    if "THORP_CHROMIUM" in os.environ or shutil.which(SHELL) or not shutil.which("apt-get") or os.geteuid() != 0:
        return
    print("Installing Chromium's headless shell for the browser tests.", file=sys.stderr, flush=True)
    quietly = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    # where there is no network it is given up at once
    soon = ["-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=10", "-o", "Acquire::https::Timeout=10"]
    command = ["apt-get", "-q", *soon, "install", "--yes", "--no-install-recommends", SHELL]
    with contextlib.suppress(subprocess.TimeoutExpired):
        subprocess.run(command, env=quietly, stdout=sys.stderr, stderr=sys.stderr, timeout=PATIENCE, check=False)


def install() -> None:
    """Install the Debian package `chromium`, with sudo where we are not root."""
    if not shutil.which("apt-get"):
        raise SystemExit(f"The browser tests need Chromium, and there is no apt-get to get it with. {BY_HAND}")
    as_root = [] if os.geteuid() == 0 else ["sudo"]
    if as_root and not shutil.which("sudo"):
        raise SystemExit(
            "The browser tests need Chromium, and installing it needs root or sudo: "
            f"run `apt-get install chromium` as root. {BY_HAND}"
        )
    print("Installing Chromium for the browser tests.", file=sys.stderr, flush=True)
    apt = [*as_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q"]
    # A stale list of packages is still a list: when the update fails, the install says what is wrong.
    subprocess.run([*apt, "update"], stdout=sys.stderr)
    packages = ["install", "--yes", "--no-install-recommends", "chromium"]
    if subprocess.run([*apt, *packages], stdout=sys.stderr).returncode:
        raise SystemExit(f"apt-get could not install Chromium; what it said stands above. {BY_HAND}")


def main() -> None:
    path = find(whole=True)
    if path is None:
        install()
        path = find(whole=True)
    if path is None:
        raise SystemExit(f"apt-get installed Chromium, but none that starts was found afterwards. {BY_HAND}")
    install_shell()
    print(path)


if __name__ == "__main__":
    main()
