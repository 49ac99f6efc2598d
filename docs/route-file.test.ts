import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { CONNECTOR_KINDS } from '../service/src/operators/connector-kinds.ts';
import { describeMistakes } from '../service/src/operators/route-file/describe-mistakes.ts';
import { BadRouteFile } from '../service/src/operators/route-file/load-routes.ts';
import { readRoutes } from '../service/src/operators/route-file/read-routes.ts';
import { RouteEntry } from '../service/src/operators/route-file/route-entry.ts';
import { toPlainSchema } from './generators/json-schema.ts';
import { routeFileSchema } from './generators/route-file-schema.ts';
import { readBlocks, readTable } from './guides/checking/read-blocks.ts';

const page = await readFile(new URL('route-file.md', import.meta.url), 'utf8');
const blockOf = (language: string) =>
  readBlocks(page).find((block) => block.language === language)?.text ?? '';
const example = blockOf('json');
/** The variables that the example names. */
const env = Object.fromEntries(
  [...example.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => [name, 'a-secret-of-good-length']),
);
const read = (text: string) => readRoutes({ text, env, kinds: CONNECTOR_KINDS });

describe('the page of the route file', () => {
  it('shows a file that the service takes, with a second route for the same pair', () => {
    const { configs, problems } = read(example);
    assert.deepEqual(problems, []);
    const [first, second] = configs;
    assert.deepEqual(
      [first?.priority, second?.priority, first?.operator, first?.country],
      [1, 2, second?.operator, second?.country],
    );
    assert.match(first?.callbackUrl ?? '', /^https:\/\/pay\.example\.com\/callbacks\/mtn-zm\//);
  });

  it('shows mistakes as the service names them', () => {
    const wrong = example
      .replace('"${MTN_ZM_SUBSCRIPTION_KEY}",', '"written-out", "retries": 3,')
      .replace(/("connector": "pawapay",\s+"operator": )"mtn"/, '$1"vodacom"');
    const { message } = new BadRouteFile('routes.json', read(wrong).problems);
    assert.equal(`${message}\n`, blockOf('text'));
  });

  it('lists every field, with its bounds as the schema has them', () => {
    const listed = readTable(page.slice(page.indexOf('Of a route:')), 'field');
    const { properties = {} } = toPlainSchema(RouteEntry);
    const fields = Object.entries(properties).flatMap(([name, { properties: inner }]) =>
      inner === undefined ? [name] : Object.keys(inner).map((part) => `${name}.${part}`),
    );
    assert.deepEqual(
      listed.map(([field]) => field),
      fields.map((field) => `\`${field}\``),
    );
    for (const [field = '', , meaning = ''] of listed) {
      const [, , part = ''] = /^`(\w+)\.(\w+)`$/.exec(field) ?? [];
      const maximum = properties['timeouts']?.properties?.[part]?.maximum;
      if (maximum !== undefined) assert.ok(meaning.includes(maximum.toLocaleString('en')), field);
    }
  });
});

describe('the schema for editors', () => {
  const mistakesOf = (text: string) => describeMistakes(routeFileSchema(), JSON.parse(text), '');

  it('takes the example as it is written, references and all', () => {
    assert.deepEqual(mistakesOf(example), []);
  });

  it('refuses a setting that the connector does not have', () => {
    const wrong = example.replace('"apiUser"', '"retries": 3, "apiUser"');
    assert.notDeepEqual(mistakesOf(wrong), []);
  });

  it('refuses a text that is neither allowed nor a reference', () => {
    assert.notDeepEqual(mistakesOf(example.replace('"1.00"', '"one"')), []);
    assert.notDeepEqual(mistakesOf(example.replace('"zm"', '"Zambia"')), []);
  });
});

describe('the README of a connector', () => {
  for (const { name, settings } of CONNECTOR_KINDS) {
    it(`of ${name} explains every setting, and says which are secret`, async () => {
      const url = new URL(`../service/src/operators/${name}/README.md`, import.meta.url);
      const readme = (await readFile(url, 'utf8')).replace('| Setting |', '| setting |');
      const rows = readTable(readme, 'setting');
      const explained = rows.flatMap(([cell = '']) =>
        [...cell.matchAll(/`(\w+)`/g)].map(([, setting]) => setting ?? ''),
      );
      const properties = Object.entries(toPlainSchema(settings).properties ?? {});
      assert.deepEqual(explained.sort(), properties.map(([setting]) => setting).sort());
      for (const [setting] of properties.filter(([, schema]) => 'secret' in schema)) {
        const row = rows.find(([cell = '']) => cell.includes(`\`${setting}\``));
        assert.match(row?.join(' ') ?? '', /secret/, setting);
      }
    });
  }
});
