// Checks the imports of client/src: every folder is a layer of docs/ARCHITECTURE.md and imports only
// from itself and from layers listed before it, and no files import each other in a circle. Types and
// dynamic imports count. Use: node scripts/layers.mjs [FOLDER_OF_THE_REPOSITORY]
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, 'client/src');
const problems = [];

const section = readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8').split("\n## The client's layers\n")[1]?.split('\n## ')[0] ?? '';
const layers = [...section.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, name]) => name);
if (layers.length === 0) {
  console.error("docs/ARCHITECTURE.md has no table under \"The client's layers\".");
  process.exit(1);
}
for (const name of layers) {
  if (!existsSync(join(source, name))) problems.push(`docs/ARCHITECTURE.md lists the layer ${name}, which client/src does not have.`);
}

const filesIn = (folder) => readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (
  entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)]
));
const files = new Set(filesIn(source).map((path) => relative(source, path)));
const layerOf = (file) => file.split('/')[0];
for (const name of new Set([...files].map(layerOf))) {
  if (!layers.includes(name)) problems.push(`client/src/${name} is not listed as a layer in docs/ARCHITECTURE.md.`);
}

/** Removes comments, so that an import in one does not count. */
const code = (text) => text.replace(/\/\*[^]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
const imports = new Map();
for (const file of [...files].filter((name) => /\.(ts|tsx)$/.test(name))) {
  const targets = new Set();
  const text = code(readFileSync(join(source, file), 'utf8'));
  for (const [, path] of text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)['"](\.[^'"]*)['"]/g)) {
    const target = normalize(join(dirname(file), path));
    const found = [target, `${target}.ts`, `${target}.tsx`, `${target}.d.ts`, `${target}/index.ts`].find((name) => files.has(name));
    if (found === undefined) problems.push(`client/src/${file} imports ${path}, which is no file of client/src.`);
    else targets.add(found);
  }
  imports.set(file, targets);
}

for (const [file, targets] of imports) {
  for (const target of targets) {
    const [from, to] = [layerOf(file), layerOf(target)].map((name) => layers.indexOf(name));
    if (from >= 0 && to > from) {
      problems.push(`client/src/${file} imports ${target}: the layer ${layers[from]} stands below ${layers[to]}.`);
    }
  }
}

// A depth-first walk: an import of a file that is still being walked closes a circle.
const done = new Set();
function walk(file, path) {
  if (done.has(file)) return;
  const start = path.indexOf(file);
  if (start >= 0) {
    problems.push(`These files import each other in a circle: ${[...path.slice(start), file].join(' → ')}`);
    return;
  }
  for (const target of imports.get(file) ?? []) walk(target, [...path, file]);
  done.add(file);
}
for (const file of imports.keys()) walk(file, []);

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(`${imports.size} files in ${layers.length} layers: no import upwards, no circle.`);
