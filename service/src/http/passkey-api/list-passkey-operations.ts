import type { OwnOperation, PublicOperation } from '../server/api-operation.ts';
import { addPasskeyOperation, askForNewPasskeyOperation } from './add-passkey.ts';
import type { PasskeyApiDeps } from './passkey-api-deps.ts';
import { removePasskeyOperation } from './remove-passkey.ts';
import { askToSignInOperation, signInWithPasskeyOperation } from './sign-in-with-passkey.ts';
import { askToStepUpOperation, stepUpWithPasskeyOperation } from './step-up-with-passkey.ts';

type PasskeyOperations = Readonly<{
  public: readonly PublicOperation[];
  own: readonly OwnOperation[];
}>;

export function listPasskeyOperations(deps: PasskeyApiDeps): PasskeyOperations {
  return {
    public: [askToSignInOperation(deps), signInWithPasskeyOperation(deps)],
    own: [
      askToStepUpOperation(deps),
      stepUpWithPasskeyOperation(deps),
      askForNewPasskeyOperation(deps),
      addPasskeyOperation(deps),
      removePasskeyOperation(deps),
    ],
  };
}
