// Bundles the client into one folder: app.js, app.css, what they load later (worklet.js,
// sortable.js, listener.js, pieces as NAME-HASH.js), what app.js shares with those (chunk-HASH.js), index.html,
// the icons, and sw.js, which keeps all of these as one version. The engine, the counts, the
// arithmetic of practice and the voices are built into that folder before.
// Use: node client/build.mjs OUTPUT_FOLDER [--dev]
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { writeReactModules } from './reactModules.mjs';

const client = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2];
const isDevelopment = process.argv.includes('--dev');
if (!output) {
  console.error('Name the output folder: node client/build.mjs OUTPUT_FOLDER');
  process.exit(2);
}

const shared = [
  '--bundle',
  '--target=chrome100,firefox100,safari15.4',
  '--jsx=automatic',
  '--alias:sortablejs=/usr/share/javascript/sortable/Sortable.js',
  `--define:process.env.NODE_ENV="${isDevelopment ? 'development' : 'production'}"`,
  '--log-level=warning',
  '--legal-comments=none',
  ...(isDevelopment ? ['--sourcemap=inline'] : ['--minify']),
];

const file = (name) => join(output, name);
/** Where what the client imports by name is looked for. */
let libraries = '/usr/share/nodejs';

function run(program, options) {
  const result = spawnSync(program, options, {
    stdio: 'inherit',
    env: { ...process.env, NODE_PATH: libraries },
  });
  if (result.error) {
    console.error(`${program} could not be started: ${result.error.message}`);
    process.exit(1);
  }
  if (result.status !== 0) process.exit(1);
}

const esbuild = (...options) => run('esbuild', [...options, ...shared]);
const hash = (bytes) => createHash('sha256').update(bytes).digest('hex');
/** The address of a file whose name stays: it changes with the bytes, so that versions never mix. */
const address = (name) => `/${name}?v=${hash(readFileSync(file(name))).slice(0, 12)}`;

mkdirSync(output, { recursive: true });
// Those of an earlier build have other names.
const isPiece = (name) => /^\w+-[A-Z2-7]{8}\.(js|css)(\.br)?$/.test(name);
for (const name of readdirSync(output).filter(isPiece)) rmSync(file(name));

esbuild(join(client, 'src/worklet/processor.ts'), `--outfile=${file('worklet.js')}`);
esbuild(join(client, 'src/ui/sortable.ts'), '--format=esm', `--outfile=${file('sortable.js')}`);
esbuild(join(client, 'src/worklet/listener.ts'), `--outfile=${file('listener.js')}`);
const addresses = Object.fromEntries(
  ['worklet', 'sortable', 'listener'].map((name) => [name, address(`${name}.js`)]));
for (const name of ['engine', 'counts', 'practice']) {
  if (existsSync(file(`${name}.wasm`))) addresses[name] = address(`${name}.wasm`);
}

// Made by Sources/CountVoices. A voice is fetched when it is chosen, so the worker does not install them.
const voices = readdirSync(output).filter((name) => /^voice-\w+\.wav$/.test(name));
for (const name of voices) addresses[name.replace('.wav', '')] = address(name);

// Its warnings and the names of its parts are only in the other form.
if (!isDevelopment) {
  writeReactModules(resolve(file('react.build')));
  libraries = `${resolve(file('react.build'))}:${libraries}`;
}
const metafile = file('app.meta.json');
esbuild(
  join(client, 'src/app/main.tsx'), '--splitting', '--format=esm', `--outdir=${output}`,
  '--entry-names=app', '--chunk-names=[name]-[hash]', `--metafile=${metafile}`,
  `--define:BUILT_ADDRESSES=${JSON.stringify(addresses)}`,
);
const { outputs } = JSON.parse(readFileSync(metafile, 'utf8'));
for (const name of [metafile, file('react.build')]) rmSync(name, { recursive: true, force: true });
const built = new Map(Object.entries(outputs).map(([path, entry]) => [basename(path), entry]));
const pieces = [...built.keys()].filter((name) => isPiece(name) && name.endsWith('.js'));
// The page loads app.css alone: what a piece brings must be in it, too.
const styles = built.get('app.css').inputs;
for (const [name, { inputs }] of [...built].filter(([name]) => isPiece(name) && name.endsWith('.css'))) {
  const missing = Object.keys(inputs).filter((path) => !(path in styles));
  if (missing.length > 0) {
    console.error(`Import these in lazyPages.ts as well: ${missing.join(', ')}`);
    process.exit(1);
  }
  rmSync(file(name));
}

/** Lists what a script imports by the time it runs, and what those import. */
function importedBy(name, found = new Set()) {
  for (const { path, kind } of built.get(name).imports) {
    const imported = basename(path);
    if (kind !== 'import-statement' || found.has(imported)) continue;
    found.add(imported);
    importedBy(imported, found);
  }
  return found;
}

for (const name of readdirSync(join(client, 'public'))) cpSync(join(client, 'public', name), file(name));
// For systems that take no SVG.
for (const [name, source, size] of [
  ['icon-192.png', 'icon.svg', 192], ['icon-512.png', 'icon.svg', 512],
  ['icon-maskable-512.png', 'icon-maskable.svg', 512], ['apple-touch-icon.png', 'icon-maskable.svg', 180],
]) {
  run('ffmpeg', [
    '-nostdin', '-v', 'error', '-y', '-width', `${size}`, '-height', `${size}`,
    '-i', join(client, 'public', source), '-frames:v', '1', '-pix_fmt', 'rgba', '-bitexact', file(name),
  ]);
}

// What app.js needs at once is fetched beside it, not after it.
const preloads = [...importedBy('app.js')]
  .map((name) => `<link rel="modulepreload" href="/${name}">\n    `).join('');
const page = readFileSync(join(client, 'index.html'), 'utf8')
  .replace('<script', `${preloads}<script`)
  .replace('/app.js', address('app.js')).replace('/app.css', address('app.css'));
const icons = readdirSync(join(client, 'public'));
const kept = [
  address('app.js'), address('app.css'), ...Object.values(addresses).filter((path) => !path.startsWith('/voice-')),
  ...pieces.map((name) => `/${name}`),
  ...[...icons, 'icon-192.png', 'icon-512.png', 'icon-maskable-512.png', 'apple-touch-icon.png'].map((name) => `/${name}`),
];
const withHash = (path) => [path, hash(readFileSync(file(path.slice(1).split('?')[0])))];
const listed = kept.map(withHash);
const onDemand = voices.map((name) => withHash(address(name)));
if (isDevelopment) {
  // A page without a version has no worker: what is being developed is never kept.
  writeFileSync(file('index.html'), page);
  rmSync(file('sw.js'), { force: true });
} else {
  const buildWorker = (shell) => esbuild(
    join(client, 'src/serviceWorker/worker.ts'), '--format=iife', `--outfile=${file('sw.js')}`,
    `--define:BUILT_SHELL=${JSON.stringify(shell)}`,
  );
  // Its code makes a version, too: a new worker must not fetch into the cache of the one that runs.
  buildWorker({ version: '', files: [], onDemand: [] });
  const version = hash(JSON.stringify([page, listed, onDemand, hash(readFileSync(file('sw.js')))])).slice(0, 12);
  const finished = page.replace('<meta charset', `<meta name="version" content="${version}">\n    <meta charset`);
  writeFileSync(file('index.html'), finished);
  buildWorker({ version, files: [...listed, ['/index.html', hash(finished)]], onDemand });
}

const scripts = ['app.js', ...pieces, 'app.css', 'worklet.js', 'sortable.js', 'listener.js', ...(isDevelopment ? [] : ['sw.js'])];
for (const name of scripts) {
  if (isDevelopment) {
    // Nobody waits for the network here, and an older one must not be served instead.
    rmSync(file(`${name}.br`), { force: true });
    continue;
  }
  const compressed = brotliCompressSync(readFileSync(file(name)));
  writeFileSync(file(`${name}.br`), compressed);
  console.log(`${name.padEnd(24)} ${(compressed.length / 1000).toFixed(1)} kB compressed`);
}
