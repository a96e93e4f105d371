"""Learning an evaluation by self-play, for any game whose rules have `value` and a `NET`.

The package needs the extra `training` (JAX and Optax).
"""

from thorp.training.run import Progress, Training, train

__all__ = ["Progress", "Training", "train"]
