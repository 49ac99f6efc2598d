import { renderSVG } from 'uqr';
import { refuse } from '../../domain/refusal.ts';
import { findFactors, hasAnyFactor } from '../../people/find-factors.ts';
import type { PeopleDeps } from '../../people/people-deps.ts';
import { replaceRecoveryCodes, setUpTotp } from '../../people/set-up-factors.ts';
import { findReset } from '../../people/single-sign-on/reset-unvouched.ts';
import { createTotpSecret, isTotpSecret, totpUri } from '../../people/totp.ts';
import {
  EmptyBody,
  FactorsObject,
  RecoveryCodes,
  TotpBody,
  TotpOptions,
  TotpSet,
} from '../schemas/session-schema.ts';
import type { OwnOperation } from '../server/api-operation.ts';
import { createFieldReader } from '../server/field-reader.ts';
import { isSteppedUp } from '../server/session-guard.ts';
import { actorOf } from './own-sessions.ts';
import { readText } from './read-text.ts';
import { renderPasskey } from './render-passkey.ts';

export function getFactorsOperation({ directory }: Pick<PeopleDeps, 'directory'>): OwnOperation {
  return {
    method: 'GET',
    path: '/factors',
    operationId: 'getFactors',
    tag: 'Account',
    summary: 'Show your second factors',
    description:
      'The authenticator app, passkeys, how many recovery codes are left, and whether a first single sign-on ended earlier ones.',
    schema: { data: { 200: FactorsObject } },
    async handle({ caller: { session } }) {
      const { id } = session.person;
      const [{ totp, passkeys, recoveryCodesLeft }, resetAt] = await Promise.all([
        findFactors(directory, id),
        findReset(directory, id),
      ]);
      return {
        status: 200,
        message: 'Second factors',
        data: {
          totp: totp === null ? null : { createdAt: totp.createdAt.toISOString() },
          passkeys: passkeys.map(renderPasskey),
          recoveryCodesLeft,
          resetAt: resetAt?.toISOString() ?? null,
        },
      };
    },
  };
}

export function totpOptionsOperation(deps: PeopleDeps): OwnOperation {
  return {
    method: 'POST',
    path: '/factors/totp/options',
    operationId: 'createTotpOptions',
    tag: 'Account',
    summary: 'Begin to set up an authenticator app',
    description:
      'Gives a new secret, which is not stored: send it back with a code. Needs a step-up if you have a second factor.',
    schema: { body: EmptyBody, data: { 200: TotpOptions } },
    async handle({ caller: { session }, body = new Map() }) {
      createFieldReader(body, []).checked({});
      const { id, email } = session.person;
      const isFresh = isSteppedUp(session, deps.now());
      if (!isFresh && (await hasAnyFactor(deps.directory, id))) throw refuse('STEP_UP_REQUIRED');
      const secret = createTotpSecret(deps.randomBytes);
      const uri = totpUri(secret, email);
      return {
        status: 200,
        message: 'Scan it, then send a code',
        data: { secret, uri, qr: renderSVG(uri) },
      };
    },
  };
}

export function setUpTotpOperation(deps: PeopleDeps): OwnOperation {
  return {
    method: 'POST',
    path: '/factors/totp',
    operationId: 'setUpTotp',
    tag: 'Account',
    summary: 'Set up an authenticator app',
    description:
      'In place of an earlier one. Answers recovery codes if you have none. Needs a step-up if you have a second factor.',
    schema: { body: TotpBody, data: { 200: TotpSet } },
    async handle({ caller: { session }, body = new Map() }) {
      const read = createFieldReader(body, Object.keys(TotpBody.properties));
      const fields = { read, body };
      const secret = readText(fields, 'secret');
      if (secret !== undefined && !isTotpSecret(secret)) {
        read.problem('secret', 'INVALID_TEXT', 'Take the secret from the options as it is.');
      }
      const values = read.checked({ secret, code: readText(fields, 'code') });
      const recoveryCodes = await setUpTotp(deps, {
        ...values,
        actor: actorOf(session),
        sessionId: session.id,
        isSteppedUp: isSteppedUp(session, deps.now()),
      });
      return {
        status: 200,
        message: 'Authenticator app set up',
        data: recoveryCodes === undefined ? {} : { recoveryCodes },
      };
    },
  };
}

export function createRecoveryCodesOperation(deps: PeopleDeps): OwnOperation {
  return {
    method: 'POST',
    path: '/factors/recovery-codes',
    operationId: 'createRecoveryCodes',
    tag: 'Account',
    stepUp: true,
    summary: 'Make new recovery codes',
    description: 'Ten, each for one sign-in without the app. Earlier ones end.',
    schema: { body: EmptyBody, data: { 200: RecoveryCodes } },
    async handle({ caller: { session }, body = new Map() }) {
      createFieldReader(body, []).checked({});
      const recoveryCodes = await replaceRecoveryCodes(deps, {
        actor: actorOf(session),
        sessionId: session.id,
      });
      return { status: 200, message: 'Recovery codes made', data: { recoveryCodes } };
    },
  };
}
