import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const STYLE = read('style.css');
const TOKENS = read('tokens.css');
const CONSOLE_TOKENS = read('../../../console/src/styles/tokens.css');

/** The values of all custom properties of a style sheet. */
function tokensOf(css: string): ReadonlyMap<string, string> {
  const found = css.matchAll(/(?<name>--[\w-]+):\s*(?<value>[^;]+);/g);
  // The first is for all readers; more contrast, where it is asked for, comes after.
  return new Map(
    [...found].toReversed().map(({ groups }) => [groups?.name ?? '', groups?.value ?? '']),
  );
}

describe('the style of the documentation pages', () => {
  it('takes every colour from a token, and uses every token', () => {
    const colours = /#[\da-f]{3,8}\b|\b(?:rgb|hsl|oklch|light-dark)\(/gi;
    assert.deepEqual(STYLE.match(colours), null);
    const painted = STYLE.matchAll(/\s(?:color|background|fill|stroke|[a-z-]+-color):\s*([^;]+);/g);
    const allowed =
      /^(?:var\(--[\w-]+\)|transparent|currentColor|inherit|none|color-mix\(in srgb, currentColor 14%, transparent\))$/;
    assert.deepEqual(
      [...painted].map(([, value = '']) => value).filter((value) => !allowed.test(value)),
      [],
    );
    const used = `${STYLE}${TOKENS}`.matchAll(/var\((--[\w-]+)/g).map(([, name]) => name);
    assert.deepEqual(new Set(used), new Set(tokensOf(TOKENS).keys()));
  });

  it('has only colours that the console has too', () => {
    const known = new Set(tokensOf(CONSOLE_TOKENS).values());
    const colours = [...tokensOf(TOKENS)].filter(([, value]) => value.startsWith('light-dark(#'));
    assert.ok(colours.length > 15);
    assert.deepEqual(
      colours.filter(([, value]) => !known.has(value)),
      [],
    );
  });

  it('tells the parts of code apart by tokens: options, strings and values by colour, names by weight', () => {
    const parts = [...STYLE.matchAll(/^pre \.(?<kind>\w) \{\s*(?<rule>[^}]*?)\s*\}/gm)];
    assert.deepEqual(Object.fromEntries(parts.map(({ groups }) => [groups?.kind, groups?.rule])), {
      n: 'font-weight: 600;',
      s: 'color: var(--green);',
      v: 'color: var(--brown);',
      o: 'color: var(--teal);',
    });
  });
});
