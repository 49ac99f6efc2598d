import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isCommonPassword } from './common-passwords.ts';
import { refuseWeakPassword } from './password-rules.ts';

const OWNER = { name: 'Mutale Banda', email: 'mutale.banda@zambezitours.example' };
const OWN_WORDS = ['Mutale', 'Banda', 'mutale', 'banda', 'zambezitours', 'example'];

const COMMON = [
  'password1234',
  'Password2026!',
  'P@ssw0rd1234',
  'pa55w0rdpa55w0rd',
  'passwordpassword',
  '$unshine2024',
  'iloveyou12345',
  'iloveyouforever',
  'qwertyuiop123',
  '1qaz2wsx3edc',
  '1q2w3e4r5t6y',
  'abcdefghijkl',
  'lkjhgfdsa123',
  '123456789012',
  '000000000000',
  'aaaaaaaaaaab',
  'abcabcabcabc',
  'tigertigertiger',
  'Chipolopolo2012',
  'arsenal-chelsea-1',
  'Zambia@1964!!',
  'adminadmin123',
  'welcome to kafue',
  'letmeinletmein!',
  'ｐａｓｓｗｏｒｄ１２３４',
  'correcthorsebatterystaple',
  '+260 977 433 571',
  'mutalebanda1990',
  'Zambezitours#1',
  'banda.mutale.banda',
];

const GOOD = [
  'copper kettle drizzle ninth',
  'x7Kq-m2Vw-9pLz-4tRb',
  'ubwalwa bwa katubi 7 mu Mpika',
  'seventeen quiet umbrellas',
  'dragon purple pizza guitar',
  'vhqmzrtnwkpl',
  '8#3k-92!7&41=6',
  'Nsima na ndiwo zabwino kwambiri',
];

describe('a password', () => {
  for (const password of COMMON) {
    it(`is refused as common: ${password}`, () => {
      assert.equal(isCommonPassword(password, OWN_WORDS), true);
    });
  }

  for (const password of GOOD) {
    it(`is taken: ${password}`, () => {
      assert.doesNotThrow(() => refuseWeakPassword(password, OWNER));
    });
  }

  it('has 12 to 128 characters', () => {
    const text = Array.from({ length: 40 }, (_, index) => (index * 7919).toString(36)).join('-');
    assert.throws(() => refuseWeakPassword(text.slice(0, 11), OWNER), /fields/);
    assert.doesNotThrow(() => refuseWeakPassword(text.slice(0, 12), OWNER));
    assert.doesNotThrow(() => refuseWeakPassword(text.slice(0, 128), OWNER));
    assert.throws(() => refuseWeakPassword(text.slice(0, 129), OWNER), /fields/);
    // One character, two code units.
    assert.throws(() => refuseWeakPassword('😀🙈🐘🦒🦓🐊🦛', OWNER), /fields/);
  });
});
