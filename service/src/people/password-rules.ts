import { fieldProblem } from '../domain/field-problem.ts';
import { refuse } from '../domain/refusal.ts';
import { isCommonPassword } from './common-passwords.ts';

/** Characters are Unicode code points. */
const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 128;

/** Throws if the password is short, common, or made of the person's name and address. */
export function refuseWeakPassword(
  password: string,
  owner: Readonly<{ name: string; email: string }>,
): void {
  const problem = findWeakness(password, owner);
  if (problem === undefined) return;
  throw refuse('VALIDATION_ERROR', {
    fields: [fieldProblem('password', 'WEAK_PASSWORD', problem)],
  });
}

function findWeakness(
  password: string,
  { name, email }: Readonly<{ name: string; email: string }>,
): string | undefined {
  const length = Array.from(password).length;
  if (length < PASSWORD_LENGTH_MIN) return `At least ${PASSWORD_LENGTH_MIN} characters.`;
  // The bound of what is hashed, counted as the hash is given it.
  if (password.length > PASSWORD_LENGTH_MAX) return `At most ${PASSWORD_LENGTH_MAX} characters.`;
  const ownWords = [email, ...name.split(/\s+/), ...email.split(/[@.+_-]/)];
  return isCommonPassword(password, ownWords)
    ? 'This is one of the first that others try. Take three or four unrelated words.'
    : undefined;
}
