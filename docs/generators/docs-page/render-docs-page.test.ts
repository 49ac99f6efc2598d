import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { FIELD_CODES, PEOPLE_FIELD_CODES } from '../../../service/src/domain/field-problem.ts';
import { FAILURES } from '../../../service/src/domain/outcome.ts';
import { REFUSALS } from '../../../service/src/domain/refusal-codes.ts';
import { TRANSFER_STATES } from '../../../service/src/domain/transfer-state.ts';
import { EVENT_TYPES } from '../../../service/src/events/event-types.ts';
import { scriptOf } from '../../../service/src/operators/sandbox/sandbox-scripts.ts';
import { FAILURE_ADVICE, REFUSAL_ADVICE } from '../advice.ts';
import { describeService } from '../openapi/render-openapi.ts';
import { codePanel, ORIGIN } from './code-panel.ts';
import { html, inline } from './html.ts';
import { TEST_NUMBERS } from './introduction.ts';
import { plainText, readPanels } from './read-panels.ts';
import { renderDocsPage, renderPeoplePage } from './render-docs-page.ts';
import { isForPeople } from './split-document.ts';

const PAGES = {
  programs: renderDocsPage(describeService()),
  people: renderPeoplePage(describeService()),
} as const;
const matchesIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, group = '']) => group);
const idsIn = (page: string) => matchesIn(page, /\sid="([^"]*)"/g);

for (const [readers, page] of Object.entries(PAGES)) describePage(readers, page);

function describePage(readers: string, page: string): void {
  const matches = (pattern: RegExp, text = page) => matchesIn(text, pattern);
  /** The visible part: without the style and the script. */
  const [shown = ''] = matches(/<body>([^]*)<script>/g);

  describe(`the documentation page for ${readers}`, () => {
    it('needs nothing from elsewhere', () => {
      assert.doesNotMatch(page, /<link|<img|<iframe|<form|<base|@import|url\(|style="|\son\w+="/i);
      assert.doesNotMatch(page, /\s(?:src|srcset|action|ping)=/);
      assert.doesNotMatch(page, /href="(?!#|\/openapi\.json"|\/docs["/#])/);
      const addresses = new Set(matches(/(https?:\/\/[\w.:-]+)/g, shown));
      assert.deepEqual([...addresses].sort(), [ORIGIN, 'https://shop.example']);
      const script = readFileSync(new URL('script.js', import.meta.url), 'utf8');
      assert.doesNotMatch(script, /fetch\(|import\b|XMLHttpRequest|innerHTML|eval\(|https?:\/\//);
    });

    it('shows what is written elsewhere as text', () => {
      assert.equal(html`${'<script>alert("1")</script>'}`.text.includes('<'), false);
      assert.equal(inline('Use `a < b` & c').text, 'Use <code>a &#60; b</code> &#38; c');
      const code = `curl ${ORIGIN}/a -d '{\n  "name": "O'\\''Brien <b>"\n}'`;
      const panel = codePanel('Request', 'shell', code).text;
      assert.deepEqual(readPanels(panel), [{ title: 'Request', language: 'shell', code }]);
    });

    it('has every anchor it links to, once, and headings without gaps', () => {
      const ids = idsIn(page);
      assert.equal(new Set(ids).size, ids.length);
      for (const target of matches(/href="\/docs#([^"]*)"/g)) {
        assert.ok(idsIn(PAGES.programs).includes(target), target);
      }
      const targets = [/href="#([^"]*)"/g, /aria-labelledby="([^"]*)"/g, /\sfor="([^"]*)"/g];
      for (const target of [...targets, /popovertarget="([^"]*)"/g].flatMap((one) =>
        matches(one),
      )) {
        assert.ok(ids.includes(target), target);
      }
      const levels = matches(/<h([1-6])[ >]/g).map(Number);
      assert.equal(levels.filter((level) => level === 1).length, 1);
      levels.reduce((above, level) => {
        assert.ok(level <= above + 1, `a heading of level ${level} follows one of ${above}`);
        return level;
      }, 0);
    });

    it('opens and closes every element', () => {
      const open: string[] = [];
      const elements = page.replace(/<(style|script)>[^]*?<\/\1>/g, '');
      for (const [, close, name = '', rest = ''] of elements.matchAll(
        /<(\/?)([a-z]\w*)([^>]*)>/g,
      )) {
        if (['meta', 'wbr', 'input'].includes(name) || rest.endsWith('/')) continue;
        if (close === '') open.push(name);
        else assert.equal(open.pop(), name);
      }
      assert.deepEqual(open, []);
    });

    it('has landmarks and a way past the menu', () => {
      for (const landmark of [
        '<header',
        '<nav id="menu" popover aria-label="',
        '<main id="content"',
      ]) {
        assert.equal(page.split(landmark).length, 2, landmark);
      }
      assert.match(page, /<body>\s*<a class="skip" href="#content">/);
    });

    it('has one entry in the menu for each section and operation, in their order', () => {
      const [menu = ''] = matches(/<nav[^>]*>([^]*?)<\/nav>/g);
      const [main = ''] = matches(/<main[^>]*>([^]*?)<\/main>/g);
      const places = matches(/<(?:section|article)(?: class="pair")? id="([^"]*)" aria-/g, main);
      assert.ok(places.length > 40);
      assert.deepEqual(matches(/href="#([^"]*)"/g, menu), places);
      const first =
        readers === 'people' ? ['signing-in', 'roles'] : ['first-payout', 'test-numbers'];
      assert.deepEqual(places.slice(0, 2), first);
    });
  });

  describe(`the tables of the page for ${readers}`, () => {
    const tables = matches(/<table role="table">([^]*?)<\/table>/g).map((table) => ({
      name: matches(/<caption[^>]*>([^<]*)/g, table)[0] ?? '',
      columns: matches(/<th role="columnheader">([^<]*)/g, table),
      rows: matches(/<tr role="row">(<th role="rowheader"[^]*?)<\/tr>/g, table).map((row) =>
        matches(/<t[hd] role="\w+"[^>]*>([^]*?)<\/t[hd]>/g, row).map(plainText),
      ),
      labels: matches(/data-column="([^"]*)"/g, table),
    }));
    const codes = (name: string) => tables.find((one) => one.name === name)?.rows ?? [];

    it('are named, and no cell is empty: every field has a meaning', () => {
      assert.equal(tables.length, page.split('<table').length - 1);
      for (const { name, columns, rows } of tables) {
        assert.ok(name !== '' && rows.length > 0, name);
        for (const cells of rows) {
          assert.equal(cells.length, columns.length, `${name}: ${cells[0]}`);
          assert.ok(
            cells.every((cell) => cell.trim() !== ''),
            `${name}: ${cells[0]}`,
          );
        }
      }
    });

    it('carry the names of their columns into the cards of a phone', () => {
      const wide = tables.filter(({ columns }) => columns.length > 2);
      assert.ok(wide.length >= (readers === 'people' ? 1 : 5));
      for (const { columns, rows, labels } of wide) {
        assert.deepEqual(
          labels,
          rows.flatMap(() => columns.slice(1)),
        );
      }
    });

    it('explain every code: what it means, and what to do', () => {
      const plain = (text: string) => text.replaceAll('`', '');
      assert.deepEqual(
        codes('Error codes'),
        Object.entries(REFUSALS)
          .filter(([code]) => isForPeople(code) === (readers === 'people'))
          .map(([code, { status, retryable, message }]) => [
            code,
            String(status),
            retryable ? 'yes' : 'no',
            message,
            plain(Reflect.get(REFUSAL_ADVICE, code)),
          ]),
      );
      const ofPeople: readonly string[] = PEOPLE_FIELD_CODES;
      assert.deepEqual(
        codes('Codes of broken fields'),
        Object.entries(FIELD_CODES).filter(
          ([code]) => ofPeople.includes(code) === (readers === 'people'),
        ),
      );
      if (readers === 'people') return;
      assert.deepEqual(
        codes('Why a transfer failed'),
        Object.entries(FAILURES).map(([code, meaning]) => [
          code,
          meaning,
          plain(Reflect.get(FAILURE_ADVICE, code)),
        ]),
      );
    });

    // The page for people leads to the other one for these.
    if (readers === 'people') return;

    it('say how large a call may be, and how long it may take', () => {
      const limits = new Map(codes('Limits').map(([what = '', much = '']) => [what, much]));
      assert.match(limits.get('Body') ?? '', /^16 KiB /);
      assert.equal(limits.get('Body of POST /transfers/mobile-money/bulk'), '4 MiB');
      assert.equal(limits.get('Body of POST /schedules'), '256 KiB');
      assert.equal(limits.get('Body of POST /payout-files'), '20 MiB, a file');
      assert.match(limits.get('Time to send') ?? '', /^5 seconds .* 10 .* 310 .* file$/);
    });

    it('list every state, every event and every test number', () => {
      const names = (table: string) => codes(table).map(([name]) => name);
      assert.deepEqual(names('States of a transfer'), [...TRANSFER_STATES]);
      assert.deepEqual(names('Types of events'), [...EVENT_TYPES]);
      const [, ...numbers] = names('Test numbers');
      assert.deepEqual(
        numbers,
        TEST_NUMBERS.map(({ ending }) => `0977433${ending}`),
      );
      const scripted = Array.from({ length: 1_000 }, (_, digits) =>
        String(digits).padStart(3, '0'),
      ).filter((ending) => scriptOf(`+260977433${ending}`) !== scriptOf('+260977433571'));
      assert.deepEqual(
        TEST_NUMBERS.map(({ ending }) => ending),
        scripted,
      );
    });
  });

  describe(`the code of the page for ${readers}`, () => {
    const panels = readPanels(page);

    it('gives the address of the service in every request, where the script can replace it', () => {
      const requests = panels.filter(({ code }) => code.startsWith('curl '));
      assert.ok(requests.length > 28, String(requests.length));
      for (const { code } of requests)
        assert.match(code, /^curl (-X \w+ )?"?http:\/\/127\.0\.0\.1:3000\//);
      const marked = page.split(`<span class="origin">${ORIGIN}</span>`).length;
      assert.equal(marked, page.split(ORIGIN).length);
    });

    it('stays as it was under its colours', () => {
      const answers = panels.filter(({ language }) => language === 'json');
      assert.ok(readers === 'people' || answers.length > 26);
      for (const { code } of answers) assert.equal(JSON.stringify(JSON.parse(code), null, 2), code);
    });
  });
}

describe('code on the page for programs', () => {
  it('marks names, strings, values and options for their colours', () => {
    const codeIn = (language: string) =>
      matchesIn(
        PAGES.programs,
        new RegExp(`<code data-language="${language}">([^]*?)</code>`, 'g'),
      );
    const marks = (code: string) => new Set(matchesIn(code, /<i class="(\w)">/g));
    for (const answer of codeIn('json')) {
      assert.match(answer, /<i class="n">"\w+"<\/i>: /);
      assert.ok(marks(answer).has('s') && marks(answer).has('v'), answer);
    }
    const commands = codeIn('shell').filter((code) => code.includes('curl'));
    assert.ok(commands.length > 20);
    for (const command of commands) {
      assert.match(command, /<i class="n">curl<\/i> [^]*<i class="o">-H<\/i> <i class="s">/);
    }
  });
});

describe('the two pages', () => {
  const operationsOf = (page: string) => matchesIn(page, /<article class="pair" id="([^"]*)"/g);

  it('describe every operation on one of them, and what keys can call on the first', () => {
    const [programs, people] = [operationsOf(PAGES.programs), operationsOf(PAGES.people)];
    const operations = Object.values(describeService().paths).flatMap((one) => Object.values(one));
    for (const { operationId, security } of operations) {
      const takesKey = security.some((one) => 'apiKey' in one);
      assert.equal(programs.includes(operationId), takesKey, operationId);
      assert.equal(people.includes(operationId), !takesKey, operationId);
    }
  });

  it('call no two operations of a page alike', () => {
    for (const page of Object.values(PAGES)) {
      const titles = matchesIn(page, /<h3 id="\w+-title">([^<]*)</g);
      assert.deepEqual(
        titles.filter((title, index) => titles.indexOf(title) !== index),
        [],
      );
    }
  });

  it('explain every object once', () => {
    const objects = Object.values(PAGES).flatMap((page) => matchesIn(page, / id="object-(\w+)" /g));
    const named = Object.keys(describeService().components.schemas);
    assert.deepEqual(objects.sort(), named.sort());
  });

  it('show to programs nothing that only people send or get', () => {
    const codes = matchesIn(PAGES.programs, /href="#error-(\w+)"/g);
    assert.deepEqual(
      codes.filter((code) => isForPeople(code)),
      [],
    );
    assert.doesNotMatch(PAGES.programs, /x-book|cookies\.txt/);
    assert.match(PAGES.people, /x-book: \$BOOK_ID/);
  });
});
