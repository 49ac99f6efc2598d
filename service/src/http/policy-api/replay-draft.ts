import type { Replays } from '../../policies/replay/replay-draft.ts';
import { lastDays } from '../../policies/replay-cover.ts';
import { readOptionalTime } from '../merchant-api/read-webhook-body.ts';
import { ReplayDraftBody, ReplayObject } from '../schemas/policy-schema.ts';
import type { PeopleOperation } from '../server/api-operation.ts';
import { createFieldReader } from '../server/field-reader.ts';
import type { JsonObject } from '../server/strict-json.ts';

const DAY_MS = 24 * 60 * 60_000;
const PERIOD_MAX_DAYS = 366;

type Deps = Readonly<{ replays: Replays; now: () => Date }>;

export function replayDraftOperation({ replays, now }: Deps): PeopleOperation {
  return {
    method: 'POST',
    path: '/policy/draft/replay',
    operationId: 'replayPolicyDraft',
    tag: 'Policy',
    permission: 'policy:write',
    summary: 'Replay the draft',
    description:
      'Applies the draft, and the policy in force, to the transfers of a time, and shows what each ' +
      'would have done. What would have been refused does not count for later sums. Lists and names ' +
      'are those of now. It changes nothing; a million transfers take up to a minute. One at a time: ' +
      'else 429. The draft of a live book must be replayed over the last 30 days before it is published.',
    schema: { body: ReplayDraftBody, data: { 200: ReplayObject } },
    async handle({ caller: { book }, body = new Map(), isAbandoned }) {
      const { from, to } = readPeriod(body, now());
      const data = await replays.replay({ book, from, to, isAbandoned });
      return { status: 200, message: 'Draft replayed', data };
    },
  };
}

function readPeriod(body: JsonObject, now: Date): Readonly<{ from: Date; to: Date }> {
  const read = createFieldReader(body, Object.keys(ReplayDraftBody.properties));
  const given = readOptionalTime({ read, body }, 'to');
  const to = given instanceof Date && given < now ? given : now;
  const from = readOptionalTime({ read, body }, 'from') ?? lastDays(to).from;
  if (from >= to) read.problem('from', 'INVALID_TIME', 'Must be before `to`, and not to come.');
  if (to.getTime() - from.getTime() > PERIOD_MAX_DAYS * DAY_MS) {
    read.problem('from', 'INVALID_TIME', `At most ${PERIOD_MAX_DAYS} days before \`to\`.`);
  }
  return read.checked({ from, to });
}
