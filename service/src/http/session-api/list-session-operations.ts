import type { SessionFinder } from '../../people/session.ts';
import type { SignInDeps } from '../../people/sign-in.ts';
import type { OwnOperation, PublicOperation } from '../server/api-operation.ts';
import { changePasswordOperation } from './change-password.ts';
import {
  createRecoveryCodesOperation,
  getFactorsOperation,
  setUpTotpOperation,
  totpOptionsOperation,
} from './factors.ts';
import { getSessionOperation } from './get-session.ts';
import { listMethodsOperation, type OfferedMethods } from './list-methods.ts';
import { endOwnSessionOperation, listOwnSessionsOperation } from './own-sessions.ts';
import { getPreferencesOperation, putPreferencesOperation } from './preferences.ts';
import { signInOperation } from './sign-in.ts';
import { signOutOperation } from './sign-out.ts';
import { stepUpOperation } from './step-up.ts';

export type SessionApiDeps = SignInDeps &
  Readonly<{ findSession: SessionFinder; methods: OfferedMethods }>;

/** Signing in: for callers who have shown nothing. */
export function listSignInOperations(deps: SessionApiDeps): readonly PublicOperation[] {
  return [signInOperation(deps), listMethodsOperation(deps)];
}

/** A person's own session and account. */
export function listAccountOperations(deps: SessionApiDeps): readonly OwnOperation[] {
  return [
    getSessionOperation(deps),
    signOutOperation(deps),
    stepUpOperation(deps),
    listOwnSessionsOperation(deps),
    endOwnSessionOperation(deps),
    changePasswordOperation(deps),
    getFactorsOperation(deps),
    totpOptionsOperation(deps),
    setUpTotpOperation(deps),
    createRecoveryCodesOperation(deps),
    getPreferencesOperation(deps),
    putPreferencesOperation(deps),
  ];
}
