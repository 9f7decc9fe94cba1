#!/usr/bin/env python3
"""Makes the fonts of this folder from the npm packages `@expo-google-fonts/noto-sans*`.

    pip install fonttools==4.68.0
    ./build.py

A font is cut to the characters named below, loses its hinting, which no video needs, and is packed as a zip file of one
member. The same packages make the same bytes.
"""

import io
import subprocess
import tarfile
import tempfile
import zipfile
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

HERE = Path(__file__).parent


def characters_of(encoding, leads, trails):
    """The characters that a legacy encoding writes with two bytes in these ranges."""
    found = set()
    for lead in leads:
        for trail in trails:
            try:
                text = bytes([lead, trail]).decode(encoding)
            except UnicodeDecodeError:
                continue
            found.update(map(ord, text))
    return {code for code in found if not 0xE000 <= code <= 0xF8FF}


def ranges(*pairs):
    return {code for first, last in pairs for code in range(first, last + 1)}


WIDE_MARKS = ranges((0x20, 0x7E), (0xA0, 0xFF), (0x2010, 0x2027), (0x2030, 0x205E), (0x3000, 0x30FF), (0xFF00, 0xFFEF))
ROWS = range(0xA1, 0xFF)
GB_2312 = characters_of("gb2312", range(0xA1, 0xF8), ROWS)
# The frequent characters of Big5, so that traditional Chinese is readable.
BIG5_FREQUENT = characters_of("big5", range(0xA4, 0xC7), [*range(0x40, 0x7F), *ROWS])
JIS_X_0208 = characters_of("euc_jp", range(0xA1, 0xF5), ROWS)
KS_X_1001 = characters_of("euc_kr", range(0xA1, 0xFE), ROWS)
HANGUL = ranges((0xAC00, 0xD7A3), (0x1100, 0x11FF), (0x3131, 0x318E))

# Package, version, file of the package, our name, characters (all where None).
FONTS = [
    ("noto-sans", "0.4.2", "500Medium/NotoSans_500Medium.ttf", "NotoSans-Medium", None),
    ("noto-sans", "0.4.2", "700Bold/NotoSans_700Bold.ttf", "NotoSans-Bold", None),
    ("noto-sans-arabic", "0.4.3", "500Medium/NotoSansArabic_500Medium.ttf", "NotoSansArabic-Medium", None),
    ("noto-sans-arabic", "0.4.3", "700Bold/NotoSansArabic_700Bold.ttf", "NotoSansArabic-Bold", None),
    ("noto-sans-hebrew", "0.4.1", "500Medium/NotoSansHebrew_500Medium.ttf", "NotoSansHebrew-Medium", None),
    ("noto-sans-hebrew", "0.4.1", "700Bold/NotoSansHebrew_700Bold.ttf", "NotoSansHebrew-Bold", None),
    ("noto-sans-thai", "0.4.2", "500Medium/NotoSansThai_500Medium.ttf", "NotoSansThai-Medium", None),
    ("noto-sans-thai", "0.4.2", "700Bold/NotoSansThai_700Bold.ttf", "NotoSansThai-Bold", None),
    ("noto-sans-math", "0.4.2", "400Regular/NotoSansMath_400Regular.ttf", "NotoSansMath-Regular", None),
    ("noto-sans-sc", "0.4.3", "500Medium/NotoSansSC_500Medium.ttf", "NotoSansSC-Medium", GB_2312 | BIG5_FREQUENT | WIDE_MARKS),
    ("noto-sans-jp", "0.4.3", "500Medium/NotoSansJP_500Medium.ttf", "NotoSansJP-Medium", JIS_X_0208 | WIDE_MARKS),
    ("noto-sans-kr", "0.4.3", "500Medium/NotoSansKR_500Medium.ttf", "NotoSansKR-Medium", KS_X_1001 | HANGUL | WIDE_MARKS),
]

# Vertical forms and historical letters are not drawn.
WIDE_FEATURES = ["ccmp", "kern", "liga", "locl", "mark", "mkmk", "calt"]


def packed(package, version, folder):
    specification = f"@expo-google-fonts/{package}@{version}"
    name = subprocess.run(
        ["npm", "pack", "--silent", specification], cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()
    return tarfile.open(Path(folder) / name)


def cut(data, characters):
    options = subset.Options(hinting=False, notdef_outline=True, glyph_names=False, name_IDs=[0, 1, 2, 4, 6, 13, 14])
    options.layout_features = ["*"] if characters is None else WIDE_FEATURES
    options.drop_tables += ["DSIG", "STAT", "vhea", "vmtx", "VORG", "BASE", "gasp"]
    font = TTFont(io.BytesIO(data), recalcTimestamp=False, lazy=True)
    tool = subset.Subsetter(options)
    tool.populate(unicodes=set(font.getBestCmap()) if characters is None else characters)
    tool.subset(font)
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()


def write(name, data):
    with zipfile.ZipFile(HERE / f"{name}.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        member = zipfile.ZipInfo(f"{name}.ttf", date_time=(1980, 1, 1, 0, 0, 0))
        member.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(member, data, compresslevel=9)


def main():
    packages = {}
    licences = {}
    with tempfile.TemporaryDirectory() as folder:
        for package, version, path, name, characters in FONTS:
            if package not in packages:
                packages[package] = packed(package, version, folder)
                licences[package] = packages[package].extractfile("package/LICENSE_FONT").read()
            data = cut(packages[package].extractfile(f"package/{path}").read(), characters)
            write(name, data)
            size = (HERE / f"{name}.zip").stat().st_size
            print(f"{name}: {len(data):,} bytes, {size:,} packed")
    texts = sorted(set(licences.values()))
    (HERE / "OFL.txt").write_bytes(b"\n\n".join(texts))


if __name__ == "__main__":
    main()
