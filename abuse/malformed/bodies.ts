import { gzipSync } from 'node:zlib';
import {
  type Kind,
  randomLetters,
  type Source,
  send,
  transferFields,
  writeObject,
} from './kind.ts';

const DEPTH = 5_000;

/** A valid transfer except for one piece of text, which no parser may accept. */
function textual(name: string, change: (text: string, source: Source) => string | Buffer): Kind {
  return {
    name,
    make: (source) => send(source, change(writeObject(transferFields(source)), source)),
  };
}

function typed(name: string, types: readonly [string, ...string[]]): Kind {
  return {
    name,
    make: (source) =>
      send(source, writeObject(transferFields(source)), { headers: [source.random.pick(types)] }),
  };
}

/** Content types, encodings and texts that are not JSON as the API accepts it. */
export const BODIES: readonly Kind[] = [
  typed('other content types', [
    'content-type: text/plain',
    'content-type: application/x-www-form-urlencoded',
    'content-type: multipart/form-data; boundary=x',
    'content-type: application/xml',
    'content-type: application/jsonp',
    'content-type: application/json; charset=utf-16',
    'content-type: application/json; charset=utf-8; q=1',
    'content-type: ,',
    'x-no-type: 1',
  ]),
  {
    name: 'compressed body',
    make: (source) =>
      send(source, gzipSync(writeObject(transferFields(source))), {
        headers: [
          'content-type: application/json',
          `content-encoding: ${source.random.pick(['gzip', 'br', 'deflate', 'identity, gzip', 'x'])}`,
        ],
      }),
  },
  { name: 'empty body', make: (source) => send(source, '') },
  textual('byte order mark', (text) => `\ufeff${text}`),
  textual('UTF-16', (text) => Buffer.from(text, 'utf16le')),
  textual('invalid UTF-8', (text, { random }) => {
    const bytes = Buffer.from(text.replace('}', ',"narration":"xxxx"}'));
    const rubbish = random.pick(['ff', 'c0af', 'eda080', 'f4908080', 'e28a']);
    bytes.write(rubbish, bytes.indexOf('xxxx'), 'hex');
    return bytes;
  }),
  textual('lone surrogates', (text, { random }) =>
    text.replace('}', `,"narration":"${random.pick(['\\ud800', '\\udc00x', '\\udfff\\ud800'])}"}`),
  ),
  textual('duplicate keys', (text) => text.replace('{', '{"amount":1000000,')),
  textual('trailing comma', (text) => text.replace('}', ',}')),
  textual('comments', (text, { random }) =>
    text.replace('{', random.pick(['{/**/', '{//x\n', '{#x\n'])),
  ),
  textual('single quotes', (text) => text.replaceAll('"', "'")),
  textual('numbers that JSON has not', (text, { random }) =>
    text.replace(
      '1.50',
      random.pick(['NaN', 'Infinity', '-Infinity', '01', '.5', '1.', '+1', '0x10', '1_0']),
    ),
  ),
  textual('huge exponents', (text, { random }) =>
    text.replace(
      '1.50',
      random.pick(['1e999999999', '1e-999999999', '1e308', '-1e400', '1E+2147483648']),
    ),
  ),
  textual('numbers of 10,000 digits', (text, { random }) =>
    text.replace(
      '1.50',
      random.pick(['9'.repeat(10_000), `1.${'0'.repeat(9_999)}1`, `0.${'3'.repeat(10_000)}`]),
    ),
  ),
  textual('deep nesting', (text, { random }) => {
    const [open, close] = random.pick([
      ['[', ']'],
      ['{"a":', '}'],
    ] as const);
    const inner = open === '[' ? '' : '1';
    return text.replace('1.50', `${open.repeat(DEPTH / 2)}${inner}${close.repeat(DEPTH / 2)}`);
  }),
  textual('prototype keys', (text, { random }) =>
    text.replace(
      '{',
      random.pick([
        '{"__proto__":{"amount":1},',
        '{"constructor":{"prototype":{}},',
        '{"toString":1,',
      ]),
    ),
  ),
  textual('control characters in a string', (text, { random }) =>
    text.replace('airtel', `air${random.pick(['\n', '\t', '\0', '\u001f'])}tel`),
  ),
  textual('text cut off', (text, { random }) => text.slice(0, random.between(1, text.length - 1))),
  textual('two documents', (text) => `${text}${text}`),
  {
    name: 'no object',
    make: (source) =>
      send(source, source.random.pick(['[]', '1', '"x"', 'null', 'true', '[{}]', ' '])),
  },
  textual('rubbish behind', (text, { random }) => `${text}${randomLetters(random, 5)}`),
  textual('unknown escapes', (text, { random }) =>
    text.replace('airtel', random.pick(['air\\xtel', '\\u00', '\\uD8', '\\'])),
  ),
];
