import { recordAct } from '../acts/record-act.ts';
import type { PersonActor } from '../domain/actor.ts';
import { fieldProblem } from '../domain/field-problem.ts';
import { refuse } from '../domain/refusal.ts';
import type { Queryable } from '../postgres/database.ts';
import { findFactors, hasAnyFactor } from './find-factors.ts';
import { lockPerson } from './lock-person.ts';
import type { PeopleDeps } from './people-deps.ts';
import { noteSecondFactor } from './step-up.ts';
import { storeRecoveryCodes, storeTotp } from './store-totp.ts';
import { findTotpStep } from './totp.ts';

type TotpSetup = Readonly<{
  actor: PersonActor;
  sessionId: string;
  /** A second factor was shown a moment ago; needed unless the person has none yet. */
  isSteppedUp: boolean;
  secret: string;
  /** By which the person proves that the app has the secret. */
  code: string;
}>;

/** Sets up an authenticator app, or another in its place. Returns recovery codes if the person had none. */
export async function setUpTotp(
  deps: PeopleDeps,
  { actor, sessionId, isSteppedUp, secret, code }: TotpSetup,
): Promise<readonly string[] | undefined> {
  const at = deps.now();
  const lastStep = findTotpStep(secret, code, at);
  if (lastStep === undefined) {
    throw refuse('VALIDATION_ERROR', { fields: [fieldProblem('code', 'INVALID_CODE')] });
  }
  const personId = actor.id;
  return deps.directory.transaction(async (tx) => {
    await lockPerson(tx, { personId, sessionId });
    if (!isSteppedUp && (await hasAnyFactor(tx, personId))) throw refuse('STEP_UP_REQUIRED');
    const { recoveryCodesLeft } = await findFactors(tx, personId);
    await storeTotp(tx, deps, { personId, secret, lastStep });
    await noteSecondFactor(tx, { sessionId, at });
    await record(tx, deps, actor, 'TOTP_SET');
    return recoveryCodesLeft === 0 ? storeRecoveryCodes(tx, deps, personId) : undefined;
  });
}

/** Makes ten new recovery codes; the old ones end. */
export async function replaceRecoveryCodes(
  deps: PeopleDeps,
  { actor, sessionId }: Readonly<{ actor: PersonActor; sessionId: string }>,
): Promise<readonly string[]> {
  return deps.directory.transaction(async (tx) => {
    await lockPerson(tx, { personId: actor.id, sessionId });
    if (!(await hasAnyFactor(tx, actor.id))) throw refuse('SECOND_FACTOR_REQUIRED');
    await record(tx, deps, actor, 'RECOVERY_CODES_MADE');
    return storeRecoveryCodes(tx, deps, actor.id);
  });
}

function record(
  tx: Queryable,
  deps: PeopleDeps,
  actor: PersonActor,
  kind: 'TOTP_SET' | 'RECOVERY_CODES_MADE',
): Promise<void> {
  const facts = { merchantId: null, reason: null, before: null, after: null };
  return recordAct(tx, deps, { actor, kind, subject: actor.id, ...facts });
}
