import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseEmail } from './email-address.ts';

it('reads addresses in lower case', () => {
  assert.equal(parseEmail(' Chanda.Phiri+Pay@Example.COM '), 'chanda.phiri+pay@example.com');
  assert.equal(parseEmail("o'neil@pay.example"), "o'neil@pay.example");
});

it('refuses what is no address, or could be more than one', () => {
  const wrong = [
    '',
    'chanda',
    'chanda@localhost',
    'a@b.example, c@d.example',
    'a@b.example\nBcc: c@d.example',
    '<a@b.example>',
    '"a b"@c.example',
    'a..b@c.example',
    'a@-b.example',
    `${'a'.repeat(65)}@b.example`,
    `a@${'b'.repeat(250)}.example`,
    'ä@b.example',
  ];
  assert.deepEqual(
    wrong.filter((text) => parseEmail(text) !== undefined),
    [],
  );
});
