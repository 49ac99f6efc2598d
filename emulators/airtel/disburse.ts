import type { Answer, OperatorRequest } from '../kernel/answer.ts';
import { chooseOnArrival } from '../kernel/choose-on-arrival.ts';
import type { EmulatorContext } from '../kernel/emulator-context.ts';
import { refusalCode } from '../kernel/refusal-words.ts';
import { AirtelRefusal, answerCode, BAD_REQUEST, TOKEN_REFUSED } from './airtel-answers.ts';
import { listenForEnd } from './airtel-callbacks.ts';
import { codeFacts, REFUSAL_CODES } from './airtel-codes.ts';
import type { AirtelState, AirtelVersion } from './airtel-state.ts';
import { answerAccepted } from './answer-accepted.ts';
import { checkCaller } from './check-caller.ts';
import { checkSignature } from './message-signature.ts';
import { type DisbursementOrder, readDisbursement } from './read-disbursement.ts';
import { type Padding, unseal } from './unseal.ts';

type Seals = Readonly<{ pinPadding: Padding; keyPadding: Padding | null }>;

/** `POST /standard/{version}/disbursements`: the answer normally contains the end. */
export async function disburse(
  state: AirtelState,
  { request, version }: Readonly<{ request: OperatorRequest; version: AirtelVersion }>,
  context: EmulatorContext,
): Promise<Answer> {
  const market = checkCaller(state, request, 'disbursement');
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    throw new AirtelRefusal('ROUTER003', { why: 'Content-Type is not application/json' });
  }
  const keyPadding = version === 'v1' ? null : checkSigned(state, request);
  const order = readDisbursement({ body: request.body, version }, market, state.settings);
  const pinPadding = checkPin(state, order.sealedPin);
  return submit(state, context, { order, version, seals: { pinPadding, keyPadding } });
}

/** Returns the padding of the signing key; null where no signature is required. */
function checkSigned(state: AirtelState, { body, headers }: OperatorRequest): Padding | null {
  const { settings, encryptionKey } = state;
  if (!settings.signing) return null;
  const check = checkSignature(encryptionKey.privateKey, {
    body,
    sealedKey: headerText(headers['x-key']),
    signature: headerText(headers['x-signature']),
  });
  switch (check.kind) {
    case 'missing':
      throw new AirtelRefusal('ROUTER003', { why: 'no x-key or no x-signature' });
    case 'differs':
      throw new AirtelRefusal(settings.signatureMismatchCode, { why: check.why });
    case 'matches':
      if (settings.paddings.includes(check.keyPadding)) return check.keyPadding;
      throw new AirtelRefusal(settings.signatureMismatchCode, {
        why: `x-key is padded as ${check.keyPadding}`,
      });
    default: {
      const unhandled: never = check;
      throw new Error(`unhandled check ${String(unhandled)}`);
    }
  }
}

function headerText(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function checkPin(
  { settings, encryptionKey, credentials }: AirtelState,
  sealedPin: string,
): Padding {
  const opened = unseal(encryptionKey.privateKey, sealedPin);
  if (opened === null) throw new AirtelRefusal('ROUTER116');
  if (!settings.paddings.includes(opened.padding)) {
    throw new AirtelRefusal('ROUTER116', { why: `the PIN is padded as ${opened.padding}` });
  }
  if (opened.text !== credentials.pin) throw new AirtelRefusal('ROUTER115');
  return opened.padding;
}

type Checked = Readonly<{ order: DisbursementOrder; version: AirtelVersion; seals: Seals }>;

async function submit(
  state: AirtelState,
  context: EmulatorContext,
  { order, version, seals }: Checked,
): Promise<Answer> {
  const { backend, chooser } = context;
  const { id: ourReference, msisdn, amountMinor, currency, type, walletType, reference } = order;
  const submission = { ourReference, msisdn, amountMinor, currency };
  if (backend.find(ourReference) !== undefined) {
    // The backend waits until the first submission is on disk. Otherwise a crash could lose a payout whose
    // repetition was already answered as a duplicate.
    await backend.submit(submission);
    throw new AirtelRefusal('DP00900001017');
  }
  refuseSimilar(state, order, context.timeScale);
  const { chosen, rejectedWith } = chooseOnArrival(
    { backend, chooser },
    submission,
    (refusal) => codeFacts(refusalCode(refusal, REFUSAL_CODES)).kind === 'rejected',
  );
  const { payout } = await backend.submit({
    ...submission,
    extra: { reference, type, walletType, version, ...seals, rejectedWith },
    steered: chosen,
  });
  await listenForEnd(state, context, payout);
  const answer =
    rejectedWith === null
      ? answerAccepted(state, context, payout)
      : answerCode(state.settings, rejectedWith);
  return { ...answer, submission: { payout, ...wireFaults(state) } };
}

/** Runs synchronously with the backend's own check, so that only the first of two at once passes. */
function refuseSimilar(
  { settings, recentPayouts, now }: AirtelState,
  { id, msisdn, amountMinor, currency }: DisbursementOrder,
  timeScale: number,
): void {
  const windowMs = settings.similarWithinMs * timeScale;
  if (windowMs === 0) return;
  const what = `${msisdn} ${amountMinor} ${currency}`;
  const recent = recentPayouts.get(what);
  if (recent !== undefined && recent.id !== id && now() - recent.atMs < windowMs) {
    throw new AirtelRefusal('DP00900001011');
  }
  for (const [key, { atMs }] of recentPayouts) {
    if (now() - atMs >= windowMs) recentPayouts.delete(key);
  }
  recentPayouts.set(what, { id, atMs: now() });
}

function wireFaults({ settings }: AirtelState) {
  return {
    http500: answerCode(settings, 'ESB000001'),
    http400: BAD_REQUEST,
    tokenExpired: TOKEN_REFUSED,
  };
}
