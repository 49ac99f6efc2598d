import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { routeOf } from '../../../test/http-server.ts';
import { REFUSALS } from '../../domain/refusal.ts';
import { TRANSFER_STATES } from '../../domain/transfer-state.ts';
import { scriptOf } from '../../operators/sandbox/sandbox-scripts.ts';
import { buildOpenApi } from '../openapi/openapi.ts';
import { buildDocsPage } from './build-docs-page.ts';
import { TEST_NUMBERS } from './reference-sections.ts';

const Thing = Type.Object(
  { id: Type.String({ format: 'uuid' }), 'odd<name>': Type.Optional(Type.String()) },
  { $id: 'Thing' },
);
const never = () => Promise.reject(new Error('not called'));
const page = buildDocsPage(
  buildOpenApi([
    routeOf(
      {
        method: 'POST',
        path: '/things/:id/parts',
        operationId: 'makePart',
        summary: 'Make <script>alert(1)</script> a part',
        description: 'Use `a < b`.\n\nIt\'s "quoted".',
        schema: {
          params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
          body: Type.Object({ name: Type.String({ examples: ["O'Brien"], maxLength: 100 }) }),
          data: { 201: Thing },
        },
      },
      never,
    ),
    routeOf({ operationId: 'listThings', tag: 'Wallets' }, never),
  ]),
);

const matches = (pattern: RegExp) =>
  [...page.html.matchAll(pattern)].map(([, group = '']) => group);

describe('the documentation page', () => {
  it('needs nothing from elsewhere, and its policy lets in its own style alone', () => {
    assert.doesNotMatch(page.html, /<script|<link|<img|<iframe|@import|url\(|style="|\son\w+=/i);
    assert.doesNotMatch(page.html, /(?:src|href)="(?!#|\/openapi\.json)/);
    const [style = ''] = matches(/<style>([^]*?)<\/style>/g);
    const hash = createHash('sha256').update(style).digest('base64');
    assert.ok(page.contentSecurityPolicy.includes(`style-src 'sha256-${hash}'`));
    assert.ok(page.contentSecurityPolicy.startsWith("default-src 'none'"));
  });

  it('shows what is written in the schemas as text', () => {
    assert.match(page.html, /Make &#60;script&#62;/);
    assert.match(page.html, /odd&#60;name&#62;/);
    assert.match(page.html, /<code>a &#60; b<\/code>/);
    assert.match(page.html, /\$KAFUE_URL\/api\/v1\/payments\/things\/01890a5d-/);
    assert.match(page.html, /O&#39;\\&#39;&#39;Brien/);
  });

  it('has every anchor it links to, once, and headings without gaps', () => {
    const ids = matches(/\sid="([^"]*)"/g);
    assert.equal(new Set(ids).size, ids.length);
    for (const target of matches(/href="#([^"]*)"/g)) assert.ok(ids.includes(target), target);
    for (const label of matches(/aria-labelledby="([^"]*)"/g))
      assert.ok(ids.includes(label), label);
    const levels = matches(/<h([1-6])[ >]/g).map(Number);
    assert.equal(levels.filter((level) => level === 1).length, 1);
    levels.reduce((above, level) => {
      assert.ok(level <= above + 1, `a heading of level ${level} follows one of ${above}`);
      return level;
    }, 0);
  });

  it('opens and closes every element', () => {
    const open: string[] = [];
    for (const [, close, name = '', rest = ''] of page.html.matchAll(/<(\/?)([a-z]\w*)([^>]*)>/g)) {
      if (['meta', 'wbr'].includes(name) || rest.endsWith('/')) continue;
      if (close === '') open.push(name);
      else assert.equal(open.pop(), name);
    }
    assert.deepEqual(open, []);
  });

  it('has landmarks, a way past the navigation, and names for its tables', () => {
    for (const landmark of ['<header', '<nav aria-label="', '<main id="content"']) {
      assert.equal(page.html.split(landmark).length, 2, landmark);
    }
    assert.match(page.html, /<body>\s*<a class="skip" href="#content">/);
    assert.equal(page.html.split('<table>').length, page.html.split('<caption').length);
  });

  it('lists every error code, state and test number', () => {
    for (const word of [...Object.keys(REFUSALS), ...TRANSFER_STATES]) {
      assert.ok(page.html.includes(`<code>${word}</code>`), word);
    }
    const plain = scriptOf('+260977433571');
    for (const { ending } of TEST_NUMBERS) {
      assert.ok(page.html.includes(`<code>…${ending}</code>`));
      assert.notDeepEqual(scriptOf(`+260977433${ending}`), plain, ending);
    }
  });
});
