// Runs the tests of a family in one Node process: `client` or `engine`. Each file is bundled by itself, so that it has
// modules of its own, and what it leaves in the global scope is taken away before the next one begins.
// Use: node scripts/testing/node.mjs FAMILY [--events FILE] [--containing PART] [--name NAME] [--below FOLDER]
// A name is `folder/file › test`. The events are those of results.py. With --below the files are those of another folder.
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const families = {
  client: { below: 'client/tests', ends: '.test.ts', without: ['fuzz'] },
  engine: { below: 'Tests', ends: '.test.mjs', folders: ['Engine', 'Counts', 'Practice'] },
};

const { positionals: [family], values: { events = '', containing = '', name = '', below: other } } = parseArgs({
  allowPositionals: true,
  options: {
    events: { type: 'string' }, containing: { type: 'string' }, name: { type: 'string' }, below: { type: 'string' },
  },
});
if (!(family in families)) {
  console.error(`Use: node scripts/testing/node.mjs ${Object.keys(families).join('|')} [--events FILE] [--containing PART] [--name NAME]`);
  process.exit(2);
}
const { ends, folders, without = [], below = '' } = other ? { ...families[family], below: resolve(other) } : families[family];
const files = (folders ?? readdirSync(resolve(root, below)))
  .filter((folder) => !without.includes(folder) && !folder.includes('.'))
  .flatMap((folder) => readdirSync(resolve(root, below, folder)).map((file) => `${folder}/${file}`))
  .filter((file) => file.endsWith(ends))
  // A name says its file; a part of names may be of any file.
  .filter((file) => name === '' || name.startsWith(`${file.slice(0, -ends.length)} › `));

const built = other ? join(below, '.built') : join(root, '.build', `${family}-tests`);
rmSync(built, { recursive: true, force: true });
execFileSync('esbuild', [
  ...files.map((file) => join(below, file)), '--bundle', '--platform=node', '--format=esm', '--log-level=warning',
  '--sourcemap', `--outdir=${relative(root, built)}`, `--outbase=${below}`, '--out-extension:.js=.mjs',
  '--alias:node:test=./scripts/testing/fileTests.mjs',
], { cwd: root, stdio: 'inherit' });
const { status } = spawnSync('node', [
  '--enable-source-maps',
  '--test-reporter=spec', '--test-reporter-destination=stdout',
  `--test-reporter=${new URL('nodeEvents.mjs', import.meta.url)}`, '--test-reporter-destination=stdout',
  join(root, 'scripts/testing/nodeFiles.mjs'), JSON.stringify({ containing, name, built, below, ends, files }),
], { cwd: root, stdio: 'inherit', env: { ...process.env, SEGMANCE_TEST_EVENTS: events && resolve(events) } });
process.exit(status ?? 1);
