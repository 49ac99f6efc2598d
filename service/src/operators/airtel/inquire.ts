import type { Payout } from '../contract/connector.ts';
import type { WireRecord } from '../wire/wire-record.ts';
import { callAirtel } from './call.ts';
import { toAirtelId } from './formats.ts';
import { judgeAnswer, type Verdict } from './judge-answer.ts';
import type { AirtelParts } from './parts.ts';

export type InquiryResult = Readonly<{ verdict: Verdict; wire: WireRecord | null }>;

/** Inquires about a payout and judges the answer. */
export async function inquireAboutPayout(
  parts: AirtelParts,
  payout: Payout,
  { timeoutMs }: Readonly<{ timeoutMs: number }>,
): Promise<InquiryResult> {
  const { settings, shape } = parts;
  const path = shape.inquirePath(toAirtelId(payout.operatorReference), settings);
  const called = await callAirtel(parts, { path, body: null, timeoutMs });
  if (called.kind === 'unprepared') return unanswered(called.cause, null);
  const { answer } = called;
  if (answer.kind !== 'answered') return unanswered(answer.cause, answer.record);
  const verdict = judgeAnswer(answer, payout, { ...settings, purpose: 'inquire' });
  return { verdict, wire: answer.record };
}

function unanswered(cause: string, wire: WireRecord | null): InquiryResult {
  return { verdict: { kind: 'unanswered', cause, retryInMs: null }, wire };
}
