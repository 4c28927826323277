// Writes the manual page segmance(1) from the help of a built program, so that both say the same.
// Use: node scripts/man-page.mjs PROGRAM DATE >segmance.1
import { execFileSync } from 'node:child_process';

const [program, date] = process.argv.slice(2);
if (!program || !date) {
  console.error('Name the program and the date of the page: node scripts/man-page.mjs PROGRAM DATE');
  process.exit(2);
}

// The default folder of the library is told by what the environment says.
const ask = (...words) => execFileSync(program, words, { encoding: 'utf8', env: { HOME: '~' } }).trimEnd();
const escaped = (text) => text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/^([.'])/, '\\&$1');
/** The name and the explanation of each line of a help's table. */
const table = (text) => [...text.matchAll(/^ {2}(\S.*?) {2,}(\S.*)$/gm)].map(([, name, words]) => [name, words]);

function commandSection(name) {
  const [usage, summary, options] = ask(name, '--help').split('\n\n');
  const lines = [
    `.SS ${escaped(usage.replace('Usage: ', ''))}`,
    `${escaped(summary)}.`,
  ];
  for (const [option, words] of table(options ?? '')) lines.push('.TP', `.B ${escaped(option)}`, escaped(words));
  return lines;
}

const help = ask('--help');
const commands = table(help);
if (commands.length === 0) {
  console.error(`${program} --help lists no commands.`);
  process.exit(1);
}
const [title] = help.split('\n');

process.stdout.write([
  `.TH SEGMANCE 1 "${date}" "${escaped(ask('--version'))}"`,
  '.SH NAME',
  `segmance \\- ${escaped(title.replace('Segmance, ', '').replace(/\.$/, ''))}`,
  '.SH SYNOPSIS',
  '.B segmance',
  '.I COMMAND',
  '.RI [ OPTION ...]',
  '.SH DESCRIPTION',
  'A server that holds a library of routines, music and videos, and shows it to browsers: it cuts performances',
  'into parts, to be practised one by one.',
  '.PP',
  'The commands work on the library of the user who runs them. That of the service is named with',
  '.BR "\\-\\-data /var/lib/segmance" .',
  '.SH COMMANDS',
  ...commands.flatMap(([name]) => commandSection(name)),
  '.SH EXIT STATUS',
  '0 when it is done, 1 when it failed, 2 when the command line was not understood.',
  '.SH FILES',
  '.TP',
  '.I /var/lib/segmance',
  'the library of the service',
  '.TP',
  '.I /var/backups/segmance',
  'the backups that upgrades of the package make',
  '.TP',
  '.I /etc/default/segmance',
  'the settings of those backups',
  '.TP',
  '.I /usr/share/doc/segmance',
  'documents: other devices, servers and backups in DEPLOY.md',
  '.SH SEE ALSO',
  '.BR ffmpeg (1),',
  '.BR bwrap (1),',
  '.BR systemctl (1)',
  '',
].join('\n'));
