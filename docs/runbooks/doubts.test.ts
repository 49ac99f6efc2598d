import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { DOUBT_KINDS, DOUBT_RULES } from '../../service/src/domain/doubt-kind.ts';
import { readTable } from '../guides/checking/read-blocks.ts';

const runbook = await readFile(new URL('doubts.md', import.meta.url), 'utf8');
const sections = new Map(
  runbook
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.split('\n', 1)[0] ?? '', section] as const),
);

describe('the runbook of doubts by kind', () => {
  it('has a section for each kind, and for nothing else', () => {
    assert.deepEqual([...sections.keys()].sort(), [...DOUBT_KINDS].sort());
  });

  for (const kind of DOUBT_KINDS) {
    it(`says of ${kind} what it means, what the service does, and when a person acts`, () => {
      const section = sections.get(kind) ?? '';
      for (const part of ['Means', 'The service', 'A person']) {
        assert.match(section, new RegExp(`^- \\*\\*${part}:\\*\\* \\S`, 'm'));
      }
    });
  }

  it('says which kinds need a person at once', () => {
    const [later, atOnce] = readTable(runbook, 'kind').map(([kinds = '']) =>
      [...kinds.matchAll(/`(\w+)`/g)].map(([, kind]) => kind),
    );
    const needing = DOUBT_KINDS.filter((kind) => DOUBT_RULES[kind].needsPerson);
    assert.deepEqual(atOnce?.sort(), [...needing].sort());
    assert.equal((later?.length ?? 0) + needing.length, DOUBT_KINDS.length);
  });
});
