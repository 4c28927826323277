// Checks that the interface says only what client/src/words holds: a sentence elsewhere is a problem, a
// message that is not used is one, and so is a message that is read while a module is loaded, since the
// language is chosen later. Use: node scripts/words.mjs [FOLDER_OF_CLIENT_SRC]...
import { createRequire } from 'node:module';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ts = createRequire(import.meta.url)('/usr/share/nodejs/typescript');
const source = join(dirname(dirname(fileURLToPath(import.meta.url))), 'client/src');
const only = process.argv.slice(2);
/** Programs of their own, and files without text. */
const skipped = ['words', 'generated', 'worklet', 'serviceWorker'];
/** Names of keys, as `KeyboardEvent` has them, of HTTP headers, of products and formats, and other words that are the same in every language. */
const technical = /^([A-Z]\w+(-[A-Z]\w+)+|Location|Vary|Files|Mac|Chromebook|Edge|Firefox|Opera|Samsung Internet|Chrome|Safari|Arrow\w+|Backspace|ContextMenu|Delete|End|Enter|Escape|Home|Page\w+|Shift|Space|Tab|Key[A-Z]|Digit\d|[A-Z]\w*Error|Opus|Segmance)$/;
/** Text in these is never shown. */
const silent = new Set(['className', 'd', 'viewBox', 'transform', 'data-testid', 'testId', 'accept', 'autoComplete', 'id', 'trackId', 'href', 'rel',
  'aria-keyshortcuts']);

const filesIn = (folder) => readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (
  entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)]
));
const parse = (path) => ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true);
const problems = [];
const report = (node, text) => {
  const file = node.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(node.getStart());
  problems.push(`client/src/${relative(source, file.fileName)}:${line + 1}: ${text}`);
};

/** Whether a text reads as a sentence or a label. */
const isSentence = (text) => !technical.test(text) && (/^\W*[A-Z][a-z’]/.test(text) || (/[“”…’]/.test(text) && /\p{L}/u.test(text)));
/** Whether the piece of a template joins values by words. */
const joins = (text) => /(^|\s)[a-z’]{2,}\s|\s[a-z’]{2,}($|[\s.,?])/.test(text) && !/[-_/=(:#]/.test(text);

/** Whether a literal is an import's path, a type, the message of an error, or the value of a silent attribute. */
function isSilent(node) {
  for (let at = node.parent; at; at = at.parent) {
    if (ts.isImportDeclaration(at) || ts.isExportDeclaration(at) || ts.isLiteralTypeNode(at)) return true;
    if (ts.isNewExpression(at) && /Error$|RegExp$/.test(at.expression.getText())) return true;
    if (ts.isJsxAttribute(at) && silent.has(at.name.getText())) return true;
    if (ts.isPropertyAssignment(at) && silent.has(at.name.getText())) return true;
    if (ts.isBinaryExpression(at) && /\.displayName$/.test(at.left.getText())) return true;
    if (ts.isStatement(at)) return false;
  }
  return false;
}

const used = new Set();
/** The names that stand for the words or for one of their sections, in the file that is read. */
const aliases = new Map();
/** Whether an identifier is read, and does not name a property or a variable. */
const isValue = (node) => node.parent.name !== node && !ts.isJsxAttribute(node.parent);

/** Notes which message is read where the words, or the section at `path`, are read; `*` is all of a section. */
function use(node, path) {
  const { parent } = node;
  if (path.length === 3) used.add(path.join('.'));
  else if (ts.isPropertyAccessExpression(parent) && parent.expression === node) use(parent, [...path, parent.name.text]);
  else if (ts.isVariableDeclaration(parent) && parent.initializer === node) bind(parent.name, path);
  else used.add([...path, '*'].join('.'));
}

/** Notes the names that a declaration gives to the words at `path`. */
function bind(name, path) {
  if (path.length === 3) used.add(path.join('.'));
  else if (ts.isIdentifier(name)) aliases.set(name.text, path);
  else for (const each of name.elements) bind(each.name, [...path, (each.propertyName ?? each.name).getText()]);
}

function check(node, isInFunction) {
  const inside = isInFunction || ts.isFunctionLike(node) || ts.isPropertyDeclaration(node);
  if (ts.isJsxText(node) && /\p{L}/u.test(node.text)) report(node, `“${node.text.trim()}” belongs into words.`);
  else if (ts.isStringLiteralLike(node)) {
    if (isSentence(node.text) && !isSilent(node)) report(node, `“${node.text}” belongs into words.`);
  } else if (ts.isTemplateExpression(node) && !isSilent(node)) {
    const pieces = [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text);
    if (isSentence(pieces[0]) || pieces.some(joins)) report(node, `${node.getText()} belongs into words.`);
  } else if (ts.isIdentifier(node) && /^(words|lateWords)$/.test(node.text) && !ts.isImportSpecifier(node.parent)) {
    if (!inside) report(node, `${node.parent.getText()} is read while the module is loaded.`);
    use(node, [node.text]);
  } else if (ts.isIdentifier(node) && aliases.has(node.text) && isValue(node)) use(node, aliases.get(node.text));
  ts.forEachChild(node, (child) => check(child, inside));
}

const files = filesIn(source).map((path) => relative(source, path))
  .filter((path) => /\.tsx?$/.test(path) && !skipped.includes(path.split('/')[0]));
for (const path of files) {
  const before = problems.length;
  aliases.clear();
  check(parse(join(source, path)), false);
  if (only.length > 0 && !only.includes(path.split('/')[0])) problems.length = before;
}
/** Reports the messages of a section that nothing uses. */
function checkUsed(name, section, messages) {
  for (const { name: key } of messages.properties) {
    const message = `${name}.${section}.${key.text}`;
    if (!used.has(message) && !used.has(`${name}.${section}.*`)) report(key, `${message} is not used.`);
  }
}

/** Returns the object that a file exports. */
function objectOf(path) {
  const declared = parse(join(source, 'words', path)).statements.filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations]);
  if (declared.length !== 1) throw new Error(`client/src/words/${path} has to declare one object.`);
  return declared[0].initializer;
}

if (only.length === 0) {
  for (const { name, initializer } of objectOf('english.ts').properties) checkUsed('words', name.text, initializer);
  // A section is a file, which has its name.
  for (const { name } of objectOf('englishLate.ts').properties) checkUsed('lateWords', name.text, objectOf(`englishLate/${name.text}.ts`));
}

for (const problem of problems) console.error(problem);
if (problems.length > 0) console.error(`${problems.length} problems with the words of the interface.`);
process.exit(problems.length > 0 ? 1 : 0);
