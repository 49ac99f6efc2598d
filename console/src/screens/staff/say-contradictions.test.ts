import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testDossier } from '../../../test/staff-dossier.ts';
import { sayContradictions } from './say-contradictions.ts';

it('says what the operator reported otherwise, beside what was sent', () => {
  const dossier = testDossier();
  assert.equal(sayContradictions(dossier), undefined);
  const evidence = { ...dossier.evidence, contradictions: ['amount', 'number'] };
  assert.match(
    sayContradictions({ ...dossier, evidence }) ?? '',
    /^It reported another amount than ZMW\s1,250\.50 and another number than \+260 97 ••• 3571\./,
  );
});
