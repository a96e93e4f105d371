// Bundles the pages' script, styles, fonts and pictures into src/thorp/server/web/static.
//
// Every file there but manifest.json has a name that changes with its content, so that browsers may keep it for
// ever; manifest.json leads from the plain name to the present one: {"main.js": "main-JN7CV4B5.js", ...}.

import { createHash } from "node:crypto";
import { glob, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { japanese } from "./japanese.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const sources = join(root, "src/thorp/server/web/assets");
const target = join(root, "src/thorp/server/web/static");

const sorted = async (pattern) => (await Array.fromAsync(glob(pattern))).sort();

async function bundle() {
  const { folder, entries } = await japanese(root);
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [
      join(sources, "main.ts"),
      join(sources, "guide.ts"),
      join(sources, "pages.ts"),
      join(sources, "worker.ts"),
      join(sources, "rules.ts"),
      join(sources, "main.css"),
      join(sources, "guide.css"),
      join(sources, "record.css"),
      join(sources, "rules.css"),
      join(sources, "picture.css"),
      // Renderers of pictures read neither woff2 nor variable fonts.
      join(root, "node_modules/@expo-google-fonts/fraunces/600SemiBold/Fraunces_600SemiBold.ttf"),
      join(root, "node_modules/@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf"),
      join(root, "node_modules/@expo-google-fonts/source-sans-3/600SemiBold/SourceSans3_600SemiBold.ttf"),
      // Asked for before the styles that name them have come: what is said in other fonts first moves when these are there.
      join(root, "node_modules/@fontsource/fraunces/files/fraunces-latin-600-normal.woff2"),
      join(root, "node_modules/@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2"),
      ...entries,
      ...(await sorted(join(sources, "*.{ico,png,svg,webmanifest}"))),
    ],
    outdir: target,
    alias: { japanese: folder },
    entryNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    bundle: true,
    minify: true,
    format: "esm",
    // The first of each that have all that htmx calls (Document.parseHTMLUnsafe).
    target: ["chrome124", "firefox128", "safari18"],
    loader: { ".ico": "copy", ".png": "copy", ".svg": "copy", ".ttf": "copy", ".webmanifest": "copy", ".woff2": "copy" },
    metafile: true,
    write: false,
    logLevel: "warning",
  });
  const manifest = {};
  for (const [path, { entryPoint }] of Object.entries(metafile.outputs)) {
    if (entryPoint) manifest[basename(entryPoint).replace(/\.ts$/, ".js")] = basename(path);
  }
  return { files: new Map(outputFiles.map(({ path, contents }) => [relative(target, path), contents])), manifest };
}

/** The licences of what is bundled, which ask to travel with every copy. */
async function licences() {
  const { dependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const texts = Object.keys(dependencies).map(async (name) => {
    const files = (await readdir(join(root, "node_modules", name))).filter((file) => file.startsWith("LICENSE")).sort();
    const parts = files.map(async (file) => (await readFile(join(root, "node_modules", name, file), "utf8")).trim());
    return `${name}\n${"=".repeat(name.length)}\n\n${(await Promise.all(parts)).join("\n\n")}\n`;
  });
  return (await Promise.all(texts)).join("\n\n");
}

const { files, manifest } = await bundle();
const text = await licences();
manifest["licences.txt"] = `licences-${createHash("sha256").update(text).digest("hex").slice(0, 8)}.txt`;
files.set(manifest["licences.txt"], text);

// The new files first, then the manifest, and only then away with the old: a running server misses nothing.
await mkdir(target, { recursive: true });
for (const [name, contents] of files) await writeFile(join(target, name), contents);
await writeFile(join(target, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
for (const name of await readdir(target)) {
  if (name !== "manifest.json" && !files.has(name)) await rm(join(target, name), { recursive: true });
}
