// Bundles the client into one folder: app.js, app.css, what they load later (worklet.js,
// sortable.js, pages and sheets as NAME-HASH.js), what app.js shares with those (chunk-HASH.js),
// index.html and the icons.
// Use: node client/build.mjs OUTPUT_FOLDER [--dev]
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

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

function esbuild(...options) {
  const result = spawnSync('esbuild', [...options, ...shared], {
    stdio: 'inherit',
    env: { ...process.env, NODE_PATH: '/usr/share/nodejs' },
  });
  if (result.error) {
    console.error(`esbuild could not be started: ${result.error.message}`);
    process.exit(1);
  }
  if (result.status !== 0) process.exit(1);
}

mkdirSync(output, { recursive: true });
// Those of an earlier build have other names.
const isPiece = (name) => /^(\w+Page|EditRoutine|KeyboardHelp|chunk)-.*\.(js|css)(\.br)?$/.test(name);
for (const name of readdirSync(output).filter(isPiece)) rmSync(join(output, name));
const metafile = join(output, 'app.meta.json');
esbuild(
  join(client, 'src/app/main.tsx'), '--splitting', '--format=esm', `--outdir=${output}`,
  '--entry-names=app', '--chunk-names=[name]-[hash]', `--metafile=${metafile}`,
);
const { outputs } = JSON.parse(readFileSync(metafile, 'utf8'));
rmSync(metafile);
const built = Object.keys(outputs).map((path) => [basename(path), outputs[path]]);
const chunks = built.map(([name]) => name).filter((name) => isPiece(name) && name.endsWith('.js'));
// The page loads app.css alone: what a piece brings must be in it, too.
const styles = built.find(([name]) => name === 'app.css')[1].inputs;
for (const [name, { inputs }] of built.filter(([name]) => isPiece(name) && name.endsWith('.css'))) {
  const missing = Object.keys(inputs).filter((path) => !(path in styles));
  if (missing.length > 0) {
    console.error(`Import these in loadedPages.ts as well: ${missing.join(', ')}`);
    process.exit(1);
  }
  rmSync(join(output, name));
}
esbuild(join(client, 'src/worklet/processor.ts'), `--outfile=${join(output, 'worklet.js')}`);
esbuild(join(client, 'src/ui/sortable.ts'), '--format=esm', `--outfile=${join(output, 'sortable.js')}`);
// What app.js needs at once is fetched beside it, not after it.
const atStart = new Set(['app.js']);
for (const name of atStart) {
  for (const { path, kind } of outputs[join(output, name)].imports) {
    if (kind === 'import-statement') atStart.add(basename(path));
  }
}
const preloads = chunks.filter((name) => atStart.has(name))
  .map((name) => `<link rel="modulepreload" href="/${name}">\n    `).join('');
const page = readFileSync(join(client, 'index.html'), 'utf8');
writeFileSync(join(output, 'index.html'), page.replace('<script', `${preloads}<script`));
for (const name of readdirSync(join(client, 'public'))) {
  cpSync(join(client, 'public', name), join(output, name));
}
for (const name of ['app.js', ...chunks, 'app.css', 'worklet.js', 'sortable.js']) {
  const compressed = brotliCompressSync(readFileSync(join(output, name)));
  writeFileSync(join(output, `${name}.br`), compressed);
  console.log(`${name.padEnd(20)} ${(compressed.length / 1000).toFixed(1)} kB compressed`);
}
