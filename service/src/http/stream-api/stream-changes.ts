import { mayInBook } from '../../domain/roles.ts';
import { rolesIn } from '../../people/session.ts';
import type { PeopleOperation, StaffOperation } from '../server/api-operation.ts';
import { STREAM_LIMITS } from '../server/open-streams.ts';
import type { ChangeHub } from './change-hub.ts';

const DESCRIPTION =
  'An answer of type `text/event-stream` that stays open. Each `event: changed` names in `data` what ' +
  'changed, within 2 seconds: `what`, `id`, and of a transfer its `state`. `what: many` says that more ' +
  'changed than is named. A comment `: beat` comes every 5 seconds; after a longer gap load your lists ' +
  `anew. A person has at most ${STREAM_LIMITS.ofCallerMax}. It ends when the session or the role ends.`;

const NO_DATA = { data: {} };

export function streamBookOperation(hub: ChangeHub): PeopleOperation {
  return {
    method: 'GET',
    path: '/stream',
    operationId: 'streamBook',
    tag: 'Events',
    // Every role has it. Of payouts only those are told who may read them.
    permission: 'webhooks:read',
    summary: 'Listen to changes',
    description: DESCRIPTION,
    answersWith: 'stream',
    schema: NO_DATA,
    async handle({ caller: { session, book } }) {
      await hub.prepare();
      const mayReadPayouts = mayInBook(rolesIn(session, book.merchantId), book, 'payouts:read');
      const listener = { sessionId: session.id, book, mayReadPayouts };
      return { status: 200, begin: (stream) => hub.add(listener, stream) };
    },
  };
}

/** The changes of one cell. */
export type CellChanges = Readonly<{ hub: ChangeHub; answers: boolean }>;

/** `cells`: all of them. One that does not answer tells what changes once it does. */
export function streamOperationsOperation(cells: () => readonly CellChanges[]): StaffOperation {
  return {
    method: 'GET',
    path: '/stream',
    operationId: 'streamOperations',
    tag: 'Operations',
    permission: 'operations:read',
    summary: 'Listen to changes in all books',
    description: DESCRIPTION,
    answersWith: 'stream',
    schema: NO_DATA,
    async handle({ caller: { session } }) {
      const asked = cells();
      await Promise.all(
        asked.filter(({ answers }) => answers).map(async ({ hub }) => hub.prepare()),
      );
      const listener = { sessionId: session.id, book: null, mayReadPayouts: true };
      return {
        status: 200,
        begin(stream) {
          for (const { hub } of asked) hub.add(listener, stream);
        },
      };
    },
  };
}
