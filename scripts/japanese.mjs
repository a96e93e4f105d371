// Cuts the Japanese font into what pages load: it has 17,000 signs, of which Thorp says some 800.
//
// `said` are all signs that stand in Thorp's own Japanese, in two weights: one file each, for pages in Japanese.
// `names` are all signs that people write Japanese with, in slices of some 20 kB, of which a browser asks for those
// whose signs stand on a page: names and what is said in chats, in any language; and what Japanese calls itself, which
// stands on every page. Renderers of pictures are given the same signs in one file.

import { createHash } from "node:crypto";
import { glob, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import subset from "subset-font";

const FONT = "@expo-google-fonts/noto-sans-jp";
const SAID = { 400: "400Regular", 600: "600SemiBold" };
const HEADINGS = "600";
const NAMES = "400Regular";
// Pictures have one weight for all: between those of the pages.
const PICTURES = "500Medium";
const SLICE = 128;
// The name of the language.
const ITSELF = "日本語";
// What is before is no matter of this font: letters, points and arrows.
const FIRST = 0x2300;

/** All signs of Shift JIS as Windows has it: those of the standard, and a few more that stand in names. */
function written() {
  const decoder = new TextDecoder("shift_jis");
  const bytes = (first, last) => Array.from({ length: last - first + 1 }, (_, n) => first + n);
  const pairs = bytes(0x81, 0xfc).flatMap((lead) => bytes(0x40, 0xfc).map((trail) => [lead, trail]));
  const texts = [...pairs, ...bytes(0xa1, 0xdf).map((one) => [one])].map((code) => decoder.decode(Uint8Array.from(code)));
  return signs(texts.filter((text) => [...text].length === 1 && !/[\p{Co}\ufffd]/u.test(text)).join(""));
}

/** The signs of a text that are Japanese, each once, in their order. */
function signs(text) {
  const codes = [...text].map((sign) => sign.codePointAt(0)).filter((code) => code >= FIRST && code < 0xfff0);
  return [...new Set(codes)].sort((one, other) => one - other);
}

/** All signs of Thorp's own Japanese, and kana and marks whether said or not. */
async function said(root) {
  const files = (await Array.fromAsync(glob(join(root, "src/thorp/**/locale/ja/*.{po,md}")))).sort();
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  const kana = Array.from({ length: 0x3100 - 0x3000 }, (_, n) => String.fromCodePoint(0x3000 + n));
  return signs([...texts, ...kana, "！（）＋，－．／：；？～％"].join(""));
}

const digest = (...parts) => createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);

/** Cut fonts and the style sheets that name them, in a folder that keeps what was cut before: it takes half a minute. */
export async function japanese(root) {
  const folder = join(root, "node_modules/.cache/thorp-japanese");
  const { version } = JSON.parse(await readFile(join(root, "node_modules", FONT, "package.json"), "utf8"));
  const whole = (weight) => readFile(join(root, "node_modules", FONT, weight, `NotoSansJP_${weight}.ttf`));

  /** A font with these signs; `from` gives the one that it is cut from. */
  async function cut(name, codes, weight, format, from = () => whole(weight)) {
    const path = join(folder, digest(FONT, version, weight, codes, format), name);
    try {
      return { path, font: await readFile(path) };
    } catch {
      // No forms for vertical lines and for half and quarter widths: nothing is set so.
      const options = { targetFormat: format, keepFeatures: ["ccmp", "kern", "locl"], noLayoutClosure: true };
      const font = await subset(await from(), String.fromCodePoint(...codes), options);
      await put(path, font);
      return { path, font };
    }
  }

  const all = written();
  const drawn = await cut("NotoSansJP.ttf", all, PICTURES, "sfnt");

  const faces = [];
  for (const [weight, name] of Object.entries(SAID)) {
    const { path } = await cut(`japanese-${weight}.woff2`, await said(root), name, "woff2");
    faces.push(face("Noto Sans JP", weight, path));
    // headings have one weight, whatever is asked for, as those of other languages
    if (weight === HEADINGS) faces.push(face("Noto Sans JP Headings", "100 900", path));
  }
  const japaneseSheet = join(folder, "japanese.css");
  await put(japaneseSheet, faces.join(""));

  const reduced = async () => (await cut("all.ttf", all, NAMES, "sfnt")).font;
  const slices = [];
  for (let start = 0; start < all.length; start += SLICE) slices.push(all.slice(start, start + SLICE));
  const sheets = [];
  for (const [n, slice] of slices.entries()) {
    const { path } = await cut(`names-${n}.woff2`, slice, NAMES, "woff2", reduced);
    sheets.push(face("Noto Sans JP Names", "400", path, range(slice[0], slice.at(-1))));
  }
  // What is said last goes before what has the same signs.
  const itself = await cut("names-itself.woff2", signs(ITSELF), NAMES, "woff2", reduced);
  sheets.push(face("Noto Sans JP Names", "400", itself.path, signs(ITSELF).map((code) => range(code, code)).join(", ")));
  await put(join(folder, "names.css"), sheets.join(""));

  return { folder, entries: [japaneseSheet, drawn.path] };
}

function range(first, last) {
  const hex = (code) => code.toString(16).toUpperCase();
  return first === last ? `U+${hex(first)}` : `U+${hex(first)}-${hex(last)}`;
}

function face(family, weight, path, only = "") {
  const where = `url("${path}") format("woff2")`;
  return `@font-face { font-family: "${family}"; font-style: normal; font-weight: ${weight}; font-display: swap; src: ${where};${only && ` unicode-range: ${only};`} }\n`;
}

/** Write a file as a whole: several builds may be at it. */
async function put(path, contents) {
  await mkdir(dirname(path), { recursive: true });
  const beside = `${path}.${process.pid}`;
  await writeFile(beside, contents);
  await rename(beside, path);
}
