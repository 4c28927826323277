// Bundles the client into one folder: app.js, app.css, what they load later (worklet.js,
// sortable.js), index.html and the icons.
// Use: node client/build.mjs OUTPUT_FOLDER [--dev]
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
esbuild(join(client, 'src/app/main.tsx'), `--outfile=${join(output, 'app.js')}`);
esbuild(join(client, 'src/worklet/processor.ts'), `--outfile=${join(output, 'worklet.js')}`);
esbuild(join(client, 'src/ui/sortable.ts'), '--format=esm', `--outfile=${join(output, 'sortable.js')}`);
cpSync(join(client, 'index.html'), join(output, 'index.html'));
for (const name of readdirSync(join(client, 'public'))) {
  cpSync(join(client, 'public', name), join(output, name));
}
for (const name of ['app.js', 'app.css', 'worklet.js', 'sortable.js']) {
  const compressed = brotliCompressSync(readFileSync(join(output, name)));
  writeFileSync(join(output, `${name}.br`), compressed);
  console.log(`${name.padEnd(12)} ${(compressed.length / 1000).toFixed(1)} kB compressed`);
}
