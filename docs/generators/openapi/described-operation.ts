import {
  BOOK_PERMISSIONS,
  type BookPermission,
  MERCHANT_PERMISSIONS,
  STAFF_PERMISSIONS,
} from '../../../service/src/domain/roles.ts';
import { type Operations, PREFIXES } from '../../../service/src/http/guard-operations.ts';
import type { Operation } from '../../../service/src/http/server/api-operation.ts';
import type { Caller } from '../../../service/src/http/server/caller.ts';
import { STEP_UP_MS, type StepUp } from '../../../service/src/http/server/session-guard.ts';

export type Area = keyof Operations;

/** An operation of any area, with where it is and who may call it. */
export type DescribedOperation = Omit<Operation<Caller>, 'handle'> &
  Readonly<{
    area: Area;
    /** The whole path: '/api/v1/payments/transfers/{id}'. */
    address: string;
    /** Who may call it, in sentences. */
    access: readonly string[];
    stepUp: StepUp;
  }>;

/** Every operation of the API, in the order of the documentation. */
export function describeOperations(operations: Operations): readonly DescribedOperation[] {
  const { book, bookPeople, public: open, own, merchant, staff } = operations;
  return [
    ...book.map((one) =>
      described('book', one, [
        `A key needs the scope \`${one.scope}\`.`,
        needsRoles(BOOK_PERMISSIONS[one.permission].live, developerNote(one.permission)),
      ]),
    ),
    ...bookPeople.map((one) =>
      described('bookPeople', one, [
        needsRoles(BOOK_PERMISSIONS[one.permission].live, developerNote(one.permission)),
      ]),
    ),
    ...open.map((one) => described('public', one, ['Needs no session.'])),
    ...own.map((one) => described('own', one, ['For any person who is signed in.'])),
    ...merchant.map((one) =>
      described('merchant', one, [needsRoles(MERCHANT_PERMISSIONS[one.permission])]),
    ),
    ...staff.map((one) => described('staff', one, [needsRoles(STAFF_PERMISSIONS[one.permission])])),
  ];
}

function described(
  area: Area,
  operation: Omit<Operation<Caller>, 'handle'> & Readonly<{ stepUp?: StepUp }>,
  access: readonly string[],
): DescribedOperation {
  const { stepUp = false } = operation;
  const prefix = area === 'bookPeople' ? PREFIXES.book : PREFIXES[area];
  return {
    ...operation,
    area,
    address: (prefix + operation.path).replace(/:(\w+)/g, '{$1}'),
    access: [...access, ...STEP_UP_SENTENCES[`${stepUp}`]],
    stepUp,
  };
}

function needsRoles(roles: readonly string[], note = ''): string {
  return `A person needs the role ${alternatives(roles)}${note}.`;
}

/** In a test book a developer may do everything: said where the role alone would not do. */
function developerNote(permission: BookPermission): string {
  const roles: readonly string[] = BOOK_PERMISSIONS[permission].live;
  return roles.includes('developer') ? '' : ', or `developer` in a test book';
}

function alternatives(words: readonly string[]): string {
  const quoted = words.map((word) => `\`${word}\``);
  const last = quoted.at(-1) ?? '';
  return quoted.length < 2 ? last : `${quoted.slice(0, -1).join(', ')} or ${last}`;
}

const AGAIN = `second factor shown again at most ${STEP_UP_MS / 60_000} minutes ago`;
const STEP_UP_SENTENCES: Readonly<Record<`${StepUp}`, readonly string[]>> = {
  true: [`Needs step-up: the ${AGAIN}.`],
  live: [`In a live book it needs step-up: the ${AGAIN}.`],
  false: [],
};
