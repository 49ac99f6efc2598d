import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { preparePay } from './test/prepare-pay.ts';
import { readResult } from './test/read-result.ts';
import { runHere } from './test/run-here.ts';

const { here, storedTransfers } = preparePay();

describe('the guide for bulk files', () => {
  const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  const ANY_UUID = '00000000-0000-4000-8000-000000000000';

  it('shows what really happens', async () => {
    const { folder, merchant, service } = here();
    const guide = await readFile(new URL('../docs/guides/bulk-files.md', import.meta.url), 'utf8');
    const [salaries = '', mistakes = ''] = blocksOf(guide, 'csv');
    const [preview = '', problems = ''] = blocksOf(guide, 'text');
    const [look = '', send = ''] = blocksOf(guide, 'sh').map(
      (command) => command.split('npm run kafue -- ')[1]?.trim() ?? '',
    );
    await writeFile(join(folder, 'salaries.csv'), salaries);
    await writeFile(join(folder, 'mistakes.csv'), mistakes);
    const demo = {
      baseUrl: service.baseUrl,
      testKey: merchant.keys.test,
      liveKey: merchant.keys.live,
      wallets: merchant.wallets,
    };
    await writeFile(join(folder, 'demo.json'), JSON.stringify(demo));
    const options = { env: { DATA_DIR: folder }, folder };

    const looked = await runHere(look.split(' '), options);
    assert.equal(looked.code, 0, looked.error);
    // Two wallets stand in the order of their ids, which is any.
    const linesOf = (text: string) => text.replaceAll(UUID, ANY_UUID).trim().split('\n').sort();
    assert.deepEqual(linesOf(looked.out), linesOf(preview));
    assert.deepEqual(await storedTransfers(), []);

    const sent = await runHere(send.split(' '), options);
    assert.equal(sent.code, 0, sent.error);
    const result = await readResult(join(folder, 'salaries.result.csv'));
    assert.deepEqual(
      result.map(({ status }) => status),
      Array.from({ length: 5 }, () => 'successful'),
    );
    const refused = await runHere(['pay', 'mistakes.csv', '--demo'], options);
    assert.deepEqual([refused.code, refused.out], [65, problems]);
  });

  function blocksOf(guide: string, language: string): readonly string[] {
    const pattern = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
    return [...guide.matchAll(pattern)].map(([, block = '']) => block);
  }
});
