import { type Html, html, plain } from './html.ts';

/**
 * The address in the examples. The script of the page puts the address that it is served at in its place;
 * without a script this is where a service listens unless it is told otherwise.
 */
export const ORIGIN = 'http://127.0.0.1:3000';

export const ORIGIN_TEXT = html`<span class="origin">${ORIGIN}</span>`;

type Language = 'json' | 'shell';

/** A figure with a title and coloured code. The script adds a button that copies it. */
export function codePanel(title: string, language: Language, code: string): Html {
  const coloured = language === 'json' ? colourJson(code) : colourShell(code);
  return html`<figure class="code"><figcaption>${title}</figcaption><pre tabindex="0"><code data-language="${language}">${coloured}</code></pre></figure>
`;
}

export function jsonPanel(title: string, value: unknown): Html {
  return codePanel(title, 'json', JSON.stringify(value, null, 2));
}

/** A string, with the colon after it when it is a name; a word or a number. */
const JSON_TOKEN =
  /(?<string>"(?:[^"\\]|\\.)*")(?<colon>\s*:)?|(?<value>\b(?:true|false|null)\b|-?\b\d+(?:\.\d+)?\b)/g;

function colourJson(code: string): Html {
  return colour(code, JSON_TOKEN, ({ string, colon, value = '' }) => {
    if (string === undefined) return token('value', value);
    if (colon === undefined) return token('string', string);
    return html`${token('name', string)}${colon}`;
  });
}

const SHELL_TOKEN =
  /(?<body>'\{[^]*\}')|(?<quoted>"[^"]*"|'[^']*')|(?<option>(?<=\s)-{1,2}[A-Za-z]+)|(?<command>^(?:curl|export)\b)|(?<address>https?:\/\/\S+)/gm;

function colourShell(code: string): Html {
  return colour(code, SHELL_TOKEN, ({ body, quoted, option, command, address = '' }) => {
    if (body !== undefined) return colourJson(body);
    if (quoted !== undefined) return token('string', breakableAddress(quoted));
    if (option !== undefined) return token('option', option);
    return command === undefined ? breakableAddress(address) : token('name', command);
  });
}

/** An address may break after its slashes, and its beginning is the script's to replace. */
function breakableAddress(text: string): Html {
  const [before = '', path] = text.split(ORIGIN);
  if (path === undefined) return plain(text);
  return html`${plain(before)}${ORIGIN_TEXT}${breakAfter('/', path)}`;
}

export function breakAfter(separator: string, text: string): Html {
  const [first = '', ...rest] = text.split(separator);
  return html`${plain(first)}${rest.map((part) => html`${separator}<wbr>${plain(part)}`)}`;
}

/** One letter for each kind: there are thousands of tokens on the page. */
const TOKEN_CLASSES = { name: 'n', string: 's', value: 'v', option: 'o' } as const;

function token(kind: keyof typeof TOKEN_CLASSES, content: string | Html): Html {
  const inner = typeof content === 'string' ? plain(content) : content;
  return html`<i class="${TOKEN_CLASSES[kind]}">${inner}</i>`;
}

type Groups = Readonly<Record<string, string | undefined>>;

/** Everything between the tokens stays as it is. */
function colour(code: string, pattern: RegExp, paint: (groups: Groups) => Html): Html {
  const parts: Html[] = [];
  let end = 0;
  for (const match of code.matchAll(pattern)) {
    parts.push(plain(code.slice(end, match.index)), paint(match.groups ?? {}));
    end = match.index + match[0].length;
  }
  return html`${parts}${plain(code.slice(end))}`;
}
