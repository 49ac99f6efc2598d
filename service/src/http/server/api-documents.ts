import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The description of the API, for programs and for people: files that `npm run generate` makes from the code. */
export type ApiDocuments = Readonly<{
  openApi: Buffer;
  /** What programs call with a key. */
  docsPage: DocsPage;
  /** What people and the console call with a session. */
  peoplePage: DocsPage;
}>;

export type DocsPage = Readonly<{
  html: Buffer;
  /** Lets the page run and show what is in the file, and nothing else. */
  policy: string;
}>;

const OPENAPI_FILE = new URL('../../../openapi.json', import.meta.url);
const DOCS_PAGE_FILE = new URL('../../../docs.html', import.meta.url);
const PEOPLE_PAGE_FILE = new URL('../../../docs-people.html', import.meta.url);

export function readApiDocuments(): ApiDocuments {
  return {
    openApi: withoutSpaces(readFileSync(OPENAPI_FILE, 'utf8')),
    docsPage: readPage(DOCS_PAGE_FILE),
    peoplePage: readPage(PEOPLE_PAGE_FILE),
  };
}

function readPage(file: URL): DocsPage {
  const html = readFileSync(file);
  return { html, policy: policyOf(html.toString('utf8')) };
}

/** Programs read it: the spaces that make it readable in the repository would double what is sent. */
function withoutSpaces(json: string): Buffer {
  return Buffer.from(JSON.stringify(JSON.parse(json)));
}

function policyOf(html: string): string {
  return [
    "default-src 'none'",
    `style-src ${hashesOf('style', html)}`,
    `script-src ${hashesOf('script', html)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The page has its style and its script inside; each is allowed by the hash of its text. */
function hashesOf(element: 'style' | 'script', html: string): string {
  const texts = html.matchAll(new RegExp(`<${element}>([^]*?)</${element}>`, 'g'));
  const hashes = [...texts].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
  return hashes.length === 0 ? "'none'" : hashes.join(' ');
}
