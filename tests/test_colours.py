"""Colours that tell things apart do so for people who see fewer of them; where they cannot, another mark does."""

import math
import re
from itertools import combinations
from pathlib import Path

import pytest

import thorp
from thorp.server.web.templates import HERE

#: What dichromats see, in linear light: Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation
#: of Color Vision Deficiency", 2009, severity 1; and plain sight.
SIGHTS = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
#: Distances in CIELAB: 2 is just seen, 10 is seen at a glance.
AT_A_GLANCE = 15
RESOURCES = ("wood", "wheat", "brick", "glass", "stone")


def linear(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def luminance(light):
    return times(((0.2126, 0.7152, 0.0722),), light)[0]


def lab(light):
    matrix = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    white = times(matrix, (1, 1, 1))
    x, y, z = (
        part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116
        for part in (a / b for a, b in zip(times(matrix, light), white, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def seen(colour, sight):
    return lab([min(1, max(0, part)) for part in times(SIGHTS[sight], linear(colour))])


def colours(sheet, name):
    """A colour by day and in the evening."""
    found = re.search(rf"{re.escape(name)}: light-dark\((#\w{{6}}), (#\w{{6}})\);", sheet)
    assert found, name
    return found.groups()


def test_the_reckoning_is_that_of_known_colours():
    assert seen("#ffffff", "all") == pytest.approx((100, 0, 0), abs=0.1)
    assert seen("#ff0000", "all") == pytest.approx((53.2, 80.1, 67.2), abs=0.2)
    # white and grey stay what they are; red and a dark yellow come together without red
    for sight in SIGHTS:
        assert seen("#808080", sight) == pytest.approx(seen("#808080", "all"), abs=0.1)
    assert (
        math.dist(seen("#a00000", "no red"), seen("#463800", "no red"))
        < math.dist(seen("#a00000", "all"), seen("#463800", "all")) / 3
    )


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("time", [0, 1])
def test_resources_differ_by_colour(sight, time):
    sheet = Path(thorp.game("tiny-towns").folder, "pieces.css").read_text("utf-8")
    hues = {name: seen(colours(sheet, f"--{name}-hue")[time], sight) for name in RESOURCES}
    for one, other in combinations(RESOURCES, 2):
        assert math.dist(hues[one], hues[other]) >= AT_A_GLANCE, (one, other)


def test_resources_differ_by_shape():
    """For who sees no colours at all."""
    sprite = Path(thorp.game("tiny-towns").folder, "sprite.html").read_text("utf-8")
    shapes = [re.search(rf'<symbol id="r-{name}".*?</symbol>', sprite, re.DOTALL)[0] for name in RESOURCES]
    outlines = [re.search(r' d="([^"]+)"', shape)[1] for shape in shapes]
    assert len(set(outlines)) == len(RESOURCES)


def ratio(one, other):
    """As WCAG reckons contrast: it asks 3 of drawings."""
    lights = sorted((luminance(linear(one)), luminance(linear(other))))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def test_drawings_stand_out_from_paper():
    """By day their line does; in the evening it is as dark as paper, and an edge around it does."""
    tokens = (HERE / "assets" / "tokens.css").read_text("utf-8")
    line, halo, paper = (colours(tokens, name) for name in ("--line", "--halo", "--paper"))
    assert ratio(line[0], paper[0]) >= 3
    assert ratio(halo[1], paper[1]) >= 3
    assert ratio(halo[1], line[1]) >= 3
    # ... wherever it is evening: by the device, or by choice
    assert "--edged: none;" in tokens
    assert len(re.findall(r"--edged: drop-shadow\([^;]*var\(--halo\)", tokens)) == 2
    assert "filter: var(--edged)" in (HERE / "assets" / "drawing.css").read_text("utf-8")


def test_lines_of_the_course_differ_by_their_dashes():
    sheet = (HERE / "assets" / "end.css").read_text("utf-8")
    dashes = re.findall(r"\.seat-(\d) \{[^}]* --dashes: ([^;]+);", sheet)
    assert [seat for seat, _ in dashes] == ["0", "1", "2", "3", "4", "5"]
    assert len({dash for _, dash in dashes}) == len(dashes)
    assert "stroke-dasharray: var(--dashes)" in sheet
    tokens = (HERE / "assets" / "tokens.css").read_text("utf-8")
    paper = colours(tokens, "--paper")
    for seat, _ in dashes:
        for colour, behind in zip(colours(sheet, f".seat-{seat} {{ --seat"), paper, strict=True):
            assert ratio(colour, behind) >= 3
