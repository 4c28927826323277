// Writes Debian's React as ES modules. Its files are CommonJS, which esbuild can only bundle whole, behind an
// object for each importing file; of ES modules it drops what nothing uses, and calls the rest directly.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const source = '/usr/share/nodejs';
const files = {
  'react/index.js': 'react/cjs/react.production.min.js',
  'react/jsx-runtime.js': 'react/cjs/react-jsx-runtime.production.min.js',
  'react-dom/index.js': 'react-dom/cjs/react-dom.production.min.js',
  'scheduler/index.js': 'scheduler/cjs/scheduler.production.min.js',
};

/** Writes the modules into a folder, which then belongs before `/usr/share/nodejs` in NODE_PATH. */
export function writeReactModules(folder) {
  for (const [name, path] of Object.entries(files)) {
    const module = asModule(readFileSync(join(source, path), 'utf8'));
    const left = module.match(/^.*\b(exports\b(?!: )|require\(|_interopNamespace\().*$/m);
    if (left) throw new Error(`${path} has a form that reactModules.mjs does not know: ${left[0].trim()}`);
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), module);
  }
  writeFileSync(join(folder, 'react-dom/client.js'), "export { createRoot } from './index.js';\n");
}

function asModule(text) {
  const imported = new Map();
  return text
    .replace(/^var (\w+) = require\('([\w-]+)'\);$/gm, (_, name, path) => {
      imported.set(name, path);
      return `import * as ${name} from '${path}';`;
    })
    .replace(/^function _interopNamespace\(\w+\) {\n[^]*?\n}\n/m, '')
    .replace(/^var (\w+) = \/\*#__PURE__\*\/_interopNamespace\((\w+)\);$/gm,
      (_, name, of) => `import * as ${name} from '${imported.get(of)}';`)
    // A variable of its own: it is read within the module, and set in one of two branches.
    .replace(/^exports\.(\w+) = void 0;$/gm, 'let $1;\nexport { $1 };')
    .replace(/^exports\.(\w+) = (\w+);$/gm, 'export { $2 as $1 };')
    .replace(/\bexports\.(\w+)/g, '$1');
}
