"""What is said where packages of an extra are missing."""

from thorp.core.errors import GameError


def missing(needs: str, extra: str, error: ImportError) -> GameError:
    """What names an extra: `needs` begins the sentence, as in "reports need".

    Thorp is on no index, where pip would find it by its name: extras are installed from a checkout.
    """
    return GameError(f"{needs} the extra {extra}; in a checkout: .venv/bin/pip install -e '.[{extra}]' ({error})")
