import type { OwnOperation, PublicOperation } from '../server/api-operation.ts';
import { addPasskeyOperation, createPasskeyChallengeOperation } from './add-passkey.ts';
import type { PasskeyApiDeps } from './passkey-api-deps.ts';
import { removePasskeyOperation } from './remove-passkey.ts';
import {
  createSignInChallengeOperation,
  signInWithPasskeyOperation,
} from './sign-in-with-passkey.ts';
import {
  createStepUpChallengeOperation,
  stepUpWithPasskeyOperation,
} from './step-up-with-passkey.ts';

type PasskeyOperations = Readonly<{
  public: readonly PublicOperation[];
  own: readonly OwnOperation[];
}>;

export function listPasskeyOperations(deps: PasskeyApiDeps): PasskeyOperations {
  return {
    public: [createSignInChallengeOperation(deps), signInWithPasskeyOperation(deps)],
    own: [
      createStepUpChallengeOperation(deps),
      stepUpWithPasskeyOperation(deps),
      createPasskeyChallengeOperation(deps),
      addPasskeyOperation(deps),
      removePasskeyOperation(deps),
    ],
  };
}
