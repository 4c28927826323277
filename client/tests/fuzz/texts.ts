// Harnesses for typed, pasted and stored texts.

import { exactClock, readTime } from '../../src/clipper/model/times';
import { tokenIn } from '../../src/devices/token';
import { positionBetween, positionsBetween } from '../../src/sync/position';
import { characterCount, limits, validateFields } from '../../src/sync/validation';
import { StampClock } from '../../src/sync/stamp';
import { typedText } from '../../src/ui/savedText';
import { timesKept, typedInto, wholeNumber } from '../../src/ui/typing';
import { truncateToFit, plainLines, titleFromFileName } from '../../src/ui/text';
import { parsePlace, placeText } from '../../src/video/floatingBox';
import { holds, lines, same, some, type Harness, type Input } from './harness';

const times: Harness<string> = {
  name: 'times',
  promise: 'a time is read as what it says, and written and read again it is the same millisecond',
  seeds: ['75', '1:15', ' 1:15,5 ', '0:01:15.25', '11:59:59.999999', '999999', '9999:59.9', '1:60', '99:59:59.999'],
  words: [':', '.', ',', '00:', '\u0301', '٣', '59.9995', '.999999'],
  shortRounds: 3_000,
  trial: (text) => {
    const frames = readTime(text);
    if (frames === null) return '';
    const fields = text.trim().split(':').map((field) => Number(field.replace(',', '.')));
    holds(fields.length <= 3 && fields.every((field) => field >= 0), `${text} is a time`);
    holds(fields.slice(1).every((field) => field < 60), `${text} is a time`);
    const seconds = fields.reduce((sum, field) => sum * 60 + field, 0);
    holds(Math.abs(frames - seconds * 48_000) <= 0.5001, `${text} is ${frames}`);
    // Times above 99 hours are read only in seconds or minutes.
    if (frames < 359_999 * 48_000) {
      const again = readTime(exactClock(frames));
      holds(again !== null && Math.abs(again - frames) <= 24, `${text} is written as ${exactClock(frames)}`);
    }
    return `${fields.length} fields, ${some(String(fields[0]).length)}${frames % 48_000 === 0 ? '' : ' and some'}`;
  },
};

const counts: Harness<string> = {
  name: 'numbers',
  promise: 'a whole number is what its digits say, whatever unit stands behind it',
  seeds: ['70', '70 %', ' 2 s ', '−3', '-3', '0', '007 Mal', '12 半音', '1.5', '1 2'],
  words: ['−', '-', '%', ' ', 's', 'ß', '٣', '\u0301', '½', '\u2028'],
  shortRounds: 3_000,
  trial: (text) => {
    const number = wholeNumber(text);
    if (number === null) return '';
    const digits = text.match(/[0-9]+/g) ?? [];
    holds(digits.length === 1 && !/[.,:]/.test(text), `${JSON.stringify(text)} is a number`);
    holds(Math.abs(number) === Number(digits[0]), `${JSON.stringify(text)} is ${number}`);
    holds(number === 0 || number < 0 === /[-−]/.test(text), `${JSON.stringify(text)} has another sign`);
    return `${Math.sign(number)} ${some(text.length)}`;
  },
};

const place: Harness<string> = {
  name: 'place',
  promise: 'a remembered place lies within its bounds, and is remembered as it was read',
  seeds: ['1.0000 0.3000 0.3600', '0 0 0.05', '2 -1 9', '1e-7 0.00005 1', '1 1', '1 1 1 1', '', 'NaN 0 0'],
  words: [' ', 'Infinity', '-', '1e999', '0x10', '  ', '\t', '.'],
  shortRounds: 3_000,
  trial: (text) => {
    const read = parsePlace(text);
    if (read === null) return '';
    const { x, y, size } = read;
    holds(x >= 0 && x <= 1 && y >= 0 && y <= 1 && size >= 0.05 && size <= 2, JSON.stringify(read));
    const again = parsePlace(placeText(read));
    holds(again !== null, `${placeText(read)} is no place`);
    const moved = Math.max(Math.abs(again.x - x), Math.abs(again.y - y), Math.abs(again.size - size));
    holds(moved <= 0.000051, `${placeText(read)} is another place than ${text}`);
    same(parsePlace(placeText(again)), again, 'it moves each time');
    return `${x === 0 || x === 1} ${y === 0 || y === 1} ${size > 0.05 && size < 2}`;
  },
};

const token: Harness<string> = {
  name: 'token',
  promise: 'a token is of its letters alone, and the same alone, in an address and with blanks',
  seeds: [
    'Ab3_dEf-GhIjKlMnOpQrSt', 'https://192.168.1.20:7743/pair#Ab3_dEf-GhIjKlMnOpQrSt', ' Ab3_dEf-\nGhIjKlMnOpQrSt ',
    '#0123456789abcdef', `a#${'x'.repeat(128)}`, 'short',
  ],
  words: ['#', '/', '..', '%2F', ' ', '\n', 'https://', '?', '\u200B', '\uFEFF', 'ä', '0123456789abcdef'],
  trial: (text) => {
    const found = tokenIn(text);
    if (found === null) return '';
    holds(/^[A-Za-z0-9_-]{16,128}$/.test(found) && encodeURIComponent(found) === found, `${found} leads elsewhere`);
    holds(text.replace(/\s/g, '').endsWith(found), `${found} does not stand there`);
    const broken = ` ${found.slice(0, 5)}\n${found.slice(5)}`;
    for (const other of [found, `#${found}`, `https://host/pair#${found}`, broken]) {
      same(tokenIn(other), found, 'it is another one');
    }
    return `${some(found.length - 16)} more, ${text.indexOf('#') < 0}`;
  },
};

const positionForm = /^[0-9A-Za-z]{0,999}[1-9A-Za-z]$/;

const positions: Harness<string> = {
  name: 'positions',
  promise: 'behind a position, before the next, is another one; and behind a stamp',
  seeds: [
    'V\nW', 'V\nV1', 'A\nA00001', '\nV', 'zzz\n', 'z\nzz', '1700000000000-0000-0000000a\n', 'V\nV', 'W\nV', '0\n1',
    '1700000000000-ffff-0000000a\n9999999999998-ffff-ffffffff',
  ],
  words: ['0', 'z', 'Vz', '0000000000', '-ffff-', '9999999999999', '!', 'ä'],
  trial: (text) => {
    const neighbours = lines(text, 2);
    const [low = null, high = null] = neighbours.map((line) => (positionForm.test(line) ? line : null));
    const isOrdered = low === null || high === null || low < high;
    const [first = '', second = ''] = neighbours.map((line) => line.slice(0, 1_000));
    for (const made of [positionBetween(first, second), positionBetween(first, null), positionBetween(null, second)]) {
      // A position of a thousand digits can need one more digit.
      holds(made.length > 1_000 || positionForm.test(made), `${made} is no position`);
    }
    const row = positionsBetween(low, high, text.length % 9);
    holds(row.length === text.length % 9, `${row.length} positions`);
    const whole = [...(low === null ? [] : [low]), ...row, ...(high === null || !isOrdered ? [] : [high])];
    holds(whole.every((each, at) => at === 0 || (whole[at - 1] ?? '') < each), `${whole.join()} are out of order`);
    let stamps = 0;
    for (const line of neighbours) {
      const clock = new StampClock('0000000a', () => 0);
      clock.observe(line);
      const next = clock.next();
      const isStamp = /^\d{13}-[0-9a-f]{4}-[0-9a-f]{8}$/.test(line);
      if (isStamp) stamps += 1;
      else holds(Number(next.slice(0, 13)) === 0, `${JSON.stringify(line)} counts as a stamp`);
      if (line.startsWith('9999999999999')) continue;
      holds(/^\d{13}-[0-9a-f]{4}-0000000a$/.test(next), `${next} is no stamp`);
      if (isStamp) holds(next.slice(0, 18) > line.slice(0, 18), `${next} is not behind ${line}`);
    }
    return low === null && high === null && stamps === 0 ? '' : `${low?.length} ${high?.length} ${isOrdered} ${stamps}`;
  },
};

/** Moves a caret out of a surrogate pair. */
function outside(text: string, caret: number): number {
  const isInside = /[\ud800-\udbff]/.test(text.charAt(caret - 1)) && /[\udc00-\udfff]/.test(text.charAt(caret));
  return isInside ? caret + 1 : caret;
}

const typed: Harness<string> = {
  name: 'typed',
  promise: 'what is taken of a typed text or a file name can be saved',
  seeds: [
    'Swan Lake\nSwan', `${'👨‍👩‍👧‍👦'.repeat(12)}\nx`, `${'e\u0301'.repeat(70)}\ne`, 'C:\\Music\\01_Intro.final.mp3\n',
    '/a/b/.hidden\n', `${'🇩🇪'.repeat(40)}\n🇩`, `a${'\u0301'.repeat(900)}\n`, 'سماء\u202E\nסוף', ' \t\r\n\v',
    `${'x'.repeat(59)}\n${'y'.repeat(200)}`,
  ],
  words: [
    '\u200D', '\u0301', '🇩', '👩', '\uFE0F', '\r', '\n', '\x07', '\x85', '.mp3', '/', '\\', '_', ' ', '\u{1F3FD}', '가', 'ᄀ',
  ],
  shortRounds: 300,
  trial: (text) => {
    const [first = '', rest = ''] = lines(text, 2);
    const saved: [type: 'part' | 'track', title: string][] = [
      ['part', titleFromFileName(text)], ['track', titleFromFileName(first)],
    ];
    for (const limit of [limits.part.title, limits.routine.title]) {
      const taken = typedText('r', text, { limit, isRequired: true });
      holds(characterCount(taken.text) <= limit * timesKept, `${characterCount(taken.text)} characters`);
      if (taken.isSaved) saved.push(['part', taken.text]);
      const short = truncateToFit(text, limit);
      holds(text.startsWith(short), 'it is not where it begins');
      same(truncateToFit(short, limit), short, 'fitted again it is shorter');
    }
    for (const [type, title] of saved) {
      const problem = validateFields(type, { title });
      holds(problem === null, `${JSON.stringify(title)}: ${problem}`);
    }
    same(validateFields('move', { notes: truncateToFit(plainLines(text), limits.move.notes) }), null, 'notes');
    // Pastes into the middle of the earlier text.
    const caret = outside(rest, Math.floor(rest.length / 2));
    const after = rest.slice(0, caret) + first + rest.slice(caret);
    const most = limits.moveType.name;
    const result = typedInto(rest, after, caret + first.length, most);
    const tail = rest.slice(caret);
    holds(characterCount(result) <= Math.max(most, characterCount(tail)), `${characterCount(result)} characters`);
    holds(result.endsWith(tail), 'its end has fallen out');
    return `${some(characterCount(text) / 20)} ${saved.length} ${result === after}`;
  },
};

/** All harnesses of texts. */
export const texts = [times, counts, place, token, positions, typed] as unknown as readonly Harness<Input>[];
