import { SUBJECTS } from '../../domain/outcome.ts';
import type { Payout } from '../connector.ts';
import type { WireRecord } from '../wire/wire-record.ts';
import { callAirtel } from './airtel-call.ts';
import { toAirtelId } from './airtel-formats.ts';
import type { AirtelParts } from './airtel-parts.ts';
import { judgeAnswer, type Verdict } from './judge-answer.ts';

export type Asked = Readonly<{ verdict: Verdict; wire: WireRecord | null }>;

/** The status query, judged. A success that once contradicted what we sent needs to tell it all. */
export async function askAboutPayout(
  parts: AirtelParts,
  payout: Payout,
  { timeoutMs }: Readonly<{ timeoutMs: number }>,
): Promise<Asked> {
  const { settings, shape, mismatches } = parts;
  const path = shape.inquirePath(toAirtelId(payout.operatorReference), settings);
  const called = await callAirtel(parts, { path, body: null, timeoutMs });
  if (called.kind === 'unprepared') return doubt(called.cause, null);
  const { answer } = called;
  if (answer.kind !== 'answered') return doubt(answer.cause, answer.record);
  const verdict = judgeAnswer(answer, payout, { ...settings, question: 'inquire' });
  if (verdict.kind === 'mismatch') mismatches.add(payout.operatorReference);
  if (verdict.kind === 'paid' && !isWhole(verdict) && mismatches.has(payout.operatorReference)) {
    return doubt('TS, but an earlier answer told of another payout than was sent', answer.record);
  }
  return { verdict, wire: answer.record };
}

function isWhole({ confirmed }: Verdict & { kind: 'paid' }): boolean {
  return SUBJECTS.every((subject) => confirmed.includes(subject));
}

function doubt(cause: string, wire: WireRecord | null): Asked {
  return { verdict: { kind: 'doubt', cause }, wire };
}
