import type { PlantedBug } from './planted-bug.ts';

const EXCHANGE = 'service/src/wire/exchange.ts';
const MOVE = 'service/src/transfers/move/move-transfers.ts';
const TAKE = 'service/src/transfers/callbacks/take-as-answer.ts';
const CLAIM_TO_SEND = 'service/src/transfers/move/claim-submissions.ts';
const HELD_BACK = 'service/src/transfers/move/held-back.ts';
const ADVANCE = 'service/src/payout-files/advance-file.ts';
const RECORD = 'service/src/transfers/move/record-outcome.ts';

/** Bugs that no seed can provoke reliably, such as an order of statements within a millisecond. */
export const TESTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'the schedule of inquiries begins again whenever an operator says pending',
    edits: [
      {
        file: 'service/src/domain/doubt-step.ts',
        old: 'checks + 1, checksMax) : checksMax;',
        new: 'checks + 1, checksMax) : 0;',
      },
    ],
    test: 'service/src/domain/next-step.test.ts',
  },
  {
    name: 'a request that was sent is "not sent" until its answer begins',
    edits: [
      {
        file: EXCHANGE,
        old: 'if (this.#controller === undefined) return this.#end({',
        new: 'if (!this.#wasAnswering) return this.#end({',
      },
    ],
    test: 'service/src/wire/cut-connections.test.ts',
  },
  {
    name: 'a reset ends an answer like a close',
    edits: [{ file: EXCHANGE, old: ' || this.#link?.isBroken === true', new: '' }],
    test: 'service/src/wire/cut-connections.test.ts',
  },
  {
    name: 'a request is begun after its deadline',
    edits: [{ file: EXCHANGE, old: '    if (this.#hasEnded) throw NOT_BEGUN;\n', new: '' }],
    test: 'service/src/wire/exchange.test.ts',
  },
  {
    name: 'a request that cannot be written blocks a connection for ever',
    edits: [{ file: 'service/src/wire/pooled-client.ts', old: ' || exchange.hasEnded', new: '' }],
    test: 'service/src/wire/http-line.test.ts',
  },
  {
    name: 'a doubt keeps the kind that it began with',
    edits: [
      {
        file: MOVE,
        old: 'then coalesce(i.doubt_kind, t.doubt_kind)',
        new: 'then coalesce(t.doubt_kind, i.doubt_kind)',
      },
    ],
    test: 'service/src/transfers/read/doubt-kinds.test.ts',
  },
  {
    name: 'a contradiction by a callback does not flag the transfer for a person',
    edits: [
      {
        file: 'service/src/transfers/read/doubt-kind-column.ts',
        old: "    when cardinality(t.contradictions) > 0 then 'CONTRADICTED'\n",
        new: '',
      },
    ],
    test: 'service/src/resolutions/list-in-doubt.test.ts',
  },
  {
    name: 'a callback about the first submission fails an order that was submitted again',
    edits: [{ file: TAKE, old: ' and t.resubmissions = 0', new: '' }],
    test: 'service/src/transfers/callbacks/take-as-answer.test.ts',
  },
  {
    name: 'a callback is taken as an answer while another process has the lease',
    edits: [{ file: TAKE, old: ' and t.lease_owner is null\n      ) e', new: '\n      ) e' }],
    test: 'service/src/transfers/callbacks/callback-order.test.ts',
  },
  {
    name: 'of two signed callbacks that contradict each other the first is believed',
    edits: [{ file: TAKE, old: ' and min(e.claims) = max(e.claims)', new: '' }],
    test: 'service/src/transfers/callbacks/callback-order.test.ts',
  },
  {
    name: 'a leased transfer is given to another route',
    edits: [
      {
        file: 'service/src/transfers/move/reassign-removed-routes.ts',
        old: '        and (t.lease_owner is null or t.next_action_at <= now())\n',
        new: '',
      },
      {
        file: 'service/src/transfers/move/reassign-removed-routes.ts',
        old: 'set route = o.route, lease_owner = null',
        new: 'set route = o.route',
      },
      {
        file: 'service/src/dispatcher/scanner.ts',
        old: `    route: way.name,
    ...(way.account === null ? {} : { routeAccount: way.account }),
  };`,
        new: `    ...(way.name === transfer.route ? {} : { route: way.name }),
  };`,
      },
      { file: MOVE, old: '        and t.route = coalesce(i.used_route, t.route)\n', new: '' },
    ],
    test: 'service/src/transfers/move/reassign-removed-routes.test.ts',
  },
  {
    name: 'a database that could lose confirmed commits is accepted',
    edits: [
      {
        file: 'service/src/postgres/prepare-session.ts',
        old: '  if (isSafe(settings)) return;',
        new: '  if (isSafe(settings) || SETTING_NAMES.length > 0) return;',
      },
    ],
    test: 'service/src/postgres/admit-connections.test.ts',
  },
  {
    name: 'answers of "not found" are judged when the transfer is claimed',
    edits: [
      {
        file: MOVE,
        old: `        and (i.answers_min is null or (i.answers_min = 1 and t.throttled) or (
          i.answers_min > 1
          and t.not_found_answers + 1 >= i.answers_min
          and not \${HAVE_LAPSED} and not \${IS_EARLY}
          and t.doubt_began_at <= now() - i.doubt_min_ms * interval '1 ms'
        ))
`,
        new: '        and (i.answers_min is null or i.doubt_min_ms >= 0)\n',
      },
    ],
    test: 'service/src/transfers/move/record-outcome.test.ts',
  },
  {
    name: '"paid otherwise" and "returned" are forgotten when the lease has ended',
    edits: [
      {
        file: RECORD,
        old: "= ['paid', 'mismatched', 'rejected', 'returned'];",
        new: "= ['paid', 'rejected'];",
      },
    ],
    test: 'service/src/transfers/move/late-answers.test.ts',
  },
  {
    name: 'an incident is opened after the move that ends the inquiries',
    edits: [
      {
        file: RECORD,
        old: '    if (incident !== null) await open(deps, transfer, incident);\n',
        new: '',
      },
      {
        file: RECORD,
        old: "    if (contradiction !== null) {\n      return { kind: 'contradicted',",
        new: `    if (contradiction !== null) {
      await open(deps, transfer, contradiction);
      return { kind: 'contradicted',`,
      },
    ],
    test: 'service/src/transfers/move/open-incident.test.ts',
  },
  {
    name: 'one book with a backlog takes every turn of a route',
    edits: [
      {
        file: 'service/src/transfers/move/claim-walk.ts',
        old: '  if (books.length >= max) {',
        new: '  if (books.length > max) {',
      },
    ],
    test: 'service/src/transfers/move/claim-due.test.ts',
  },
  {
    name: 'a retry leaves although the operator says since it was accepted that it paid the first',
    edits: [
      {
        file: HELD_BACK,
        old: 'if (isPaidAgain) return',
        new: 'if (isPaidAgain && isLate === true) return',
      },
    ],
    test: 'service/src/transfers/move/claim-due.test.ts',
  },
  {
    name: 'a move does not check the lease',
    edits: [
      {
        file: MOVE,
        old: '(not i.needs_lease or (t.lease_owner = $29::uuid and t.next_action_at > now()))',
        new: '(not i.needs_lease or $29::uuid is not null)',
      },
    ],
    test: 'service/src/transfers/move/move-transfers.test.ts',
  },
  {
    name: 'a move does not check the number of the last event',
    edits: [{ file: MOVE, old: '        and t.event_seq = i.event_seq\n', new: '' }],
    test: 'service/src/transfers/move/move-transfers.test.ts',
  },
  {
    name: 'the operator reference is random, so that it exists only in the database',
    edits: [
      {
        file: 'service/src/transfers/accept/initiate-transfer.ts',
        old: `    operatorReference: deriveOperatorReference({
      bookId: book.id,
      reference,
      submission: FIRST_SUBMISSION,
    }),`,
        new: '    operatorReference: crypto.randomUUID(),',
      },
    ],
    test: 'service/test/live/restore.test.ts',
  },
  {
    name: 'the feed is numbered by the server’s transaction ids',
    edits: [
      {
        file: 'service/src/events/place-events.ts',
        old: `greatest(
            c.last_number + 1, (1000000 * extract(epoch from clock_timestamp()))::bigint
          )`,
        new: `pg_current_xact_id()::text::bigint`,
      },
    ],
    test: 'service/src/views/restored-feed.test.ts',
  },
  {
    name: 'who corrects a row of another’s payout file may approve it',
    edits: [
      {
        file: 'service/src/payout-files/change-row.ts',
        old: `    const row = await findRow(tx, file, number);
    await addMaker(tx, { bookId: book.id, id: fileId, actor });`,
        new: '    const row = await findRow(tx, file, number);',
      },
    ],
    test: 'service/src/payout-files/file-makers.test.ts',
  },
  {
    name: 'who wrote the list of a schedule may approve what it pays',
    edits: [
      {
        file: 'service/src/schedules/store-occurrence-file.ts',
        old: 'schedule.makers,',
        new: '[`${madeBy.kind}:${madeBy.id}`],',
      },
    ],
    test: 'service/src/payout-files/file-makers.test.ts',
  },
  {
    name: 'a file that ended with doubts is not looked at soon',
    edits: [
      {
        file: ADVANCE,
        old: 'const DOUBT_INTERVAL_MIN_MS = 1_000;',
        new: 'const DOUBT_INTERVAL_MIN_MS = 60_000;',
      },
    ],
    test: 'service/src/payout-files/pay-file.test.ts',
  },
  {
    name: 'a crash of the embedded database while it is entered again is not noticed',
    edits: [
      {
        file: 'service/src/postgres/embedded/hold-session.ts',
        old: 'await entered.ended;',
        new: "await new Promise((resolve) => entered.client.once('end', resolve));",
      },
    ],
    test: 'service/src/postgres/embedded/hold-session.test.ts',
  },
  {
    name: 'two people release a hold although a callback said paid between them',
    edits: [
      {
        file: 'service/src/resolutions/why-stale.ts',
        old: `  if (isDeniedSince(open, found, answers)) return 'superseded';\n`,
        new: '',
      },
    ],
    test: 'service/src/resolutions/resolve-by-people.test.ts',
  },
  {
    name: 'a click on an older page carries out what a colleague proposed meanwhile',
    edits: [
      {
        file: 'service/src/resolutions/read-seen.ts',
        old: 'if (seen === null || seen === digestSeen(now)) return;',
        new: 'if (seen !== digestSeen(now)) return;',
      },
    ],
    test: 'service/test/contract/staff-doubts.test.ts',
  },
  {
    name: 'a retry by a suspended merchant is refused like a new payout',
    edits: [
      {
        file: 'service/src/transfers/accept/decide-suspended.ts',
        old: 'decideKnown(order, knowledge) ?? {',
        new: 'decideKnown(order, { ...knowledge, byIdempotencyKey: new Map(), byReference: new Map() }) ?? {',
      },
    ],
    test: 'service/test/contract/keys.test.ts',
  },
  {
    name: 'a connection that is admitted too late stays in use for ever',
    edits: [
      {
        file: 'service/src/postgres/limit-pool.ts',
        old: '} else if (isTooLate) client.release(isPassed());',
        new: '} else if (isTooLate) isTooLate = true;',
      },
    ],
    test: 'service/src/postgres/database.test.ts',
  },
  {
    name: 'a comma that cut an amount in two is not seen',
    edits: [
      {
        file: 'service/src/domain/payout-file/check-row.ts',
        old: `  if (!isBlank(texts.next)) problem('amount', 'AMOUNT_CUT');\n`,
        new: '',
      },
    ],
    test: 'service/src/domain/payout-file/check-row.test.ts',
  },
  {
    name: 'what failed is paid again while the operator says that it paid it',
    edits: [
      {
        file: 'service/src/transfers/accept/refuse-paid-again.ts',
        old: '  if (again.length === 0) return judge;',
        new: '  if (again.length >= 0) return judge;',
      },
    ],
    test: 'service/src/transfers/accept/refuse-paid-again.test.ts',
  },
  {
    name: 'what pays again what may be paid is sent a second time',
    edits: [
      {
        file: RECORD,
        old: 'wanted.resubmission !== undefined && (await mayEarlierBePaid(',
        new: 'wanted.resubmission === undefined && (await mayEarlierBePaid(',
      },
    ],
    test: 'service/src/transfers/move/record-outcome.test.ts',
  },
  {
    name: 'a failed payout is paid again under a reference that the command line does not derive',
    edits: [
      {
        file: 'service/src/domain/retry-reference.ts',
        old: '  return numberedRetry(earlier) ?? hashedRetry(',
        new: '  return hashedRetry(',
      },
    ],
    test: 'service/src/domain/retry-reference.test.ts',
  },
  {
    name: 'a payout that waits in the queue is never late',
    edits: [
      {
        file: CLAIM_TO_SEND,
        old: ' and j.is_late is not true',
        new: '',
      },
    ],
    test: 'service/src/transfers/move/claim-due.test.ts',
  },
  {
    name: 'a payout that comes alone takes a wallet below its mark, and no event says so',
    edits: [
      {
        file: 'service/src/transfers/accept/store-one-transfer.ts',
        old: '        and ${STAYS_ABOVE_MARK}\n',
        new: '',
      },
    ],
    test: 'service/src/transfers/accept/store-one-transfer.test.ts',
  },
  {
    name: 'a payout to a number that was denied meanwhile leaves the queue',
    edits: [{ file: CLAIM_TO_SEND, old: 'not j.is_denied and ', new: '' }],
    test: 'service/src/transfers/move/claim-submissions.test.ts',
  },
  {
    name: 'a retry leaves the queue without a look at what it pays again',
    edits: [{ file: CLAIM_TO_SEND, old: ` and not \${mayPayAgainSql('j')}`, new: '' }],
    test: 'service/src/transfers/move/claim-submissions.test.ts',
  },
  {
    name: 'what leaves the queue keeps the flag and the answers of its last try',
    edits: [
      { file: CLAIM_TO_SEND, old: `  not_found_answers: '0',\n`, new: '' },
      { file: CLAIM_TO_SEND, old: `  flagged_at: 'null',\n`, new: '' },
    ],
    test: 'service/src/transfers/move/claim-submissions.test.ts',
  },
  {
    name: 'the lease of what leaves the queue counts from when it is sent',
    edits: [
      {
        file: 'service/src/dispatcher/scanner.ts',
        old: 'deps.dispatcher.submit(transfer, leaseStart);\n  }\n  const heldBack',
        new: 'deps.dispatcher.submit(transfer, startLease(deps));\n  }\n  const heldBack',
      },
    ],
    test: 'service/src/dispatcher/scanner.test.ts',
  },
  {
    name: 'a file goes on paying its rows however long it was interrupted',
    edits: [
      {
        file: ADVANCE,
        old: '  if (isLate && left.waiting > 0) return waitForPerson(deps, claimed);\n',
        new: '',
      },
    ],
    test: 'service/src/payout-files/advance-file.test.ts',
  },
  {
    name: 'rows that a process had taken are paid after their file was rejected',
    edits: [
      {
        file: ADVANCE,
        old: "isLate || file.endedAs !== 'CANCELLED'",
        new: 'file.endedAs === null',
      },
    ],
    test: 'service/src/payout-files/advance-file.test.ts',
  },
  {
    name: 'the rows of an approved file are charged the fees of today',
    edits: [
      {
        file: 'service/src/payout-files/pay-rows.ts',
        old: '    feeMinor: row.feeMinor,\n',
        new: '',
      },
    ],
    test: 'service/src/payout-files/file-fees.test.ts',
  },
  {
    name: 'a file is submitted with fees that its maker was not shown',
    edits: [
      {
        file: 'service/src/payout-files/price-draft.ts',
        old: "  if (wasShown) throw refuse('CONTENT_CHANGED', OTHER_FEES);\n",
        new: '',
      },
    ],
    test: 'service/src/payout-files/file-fees.test.ts',
  },
  {
    name: 'the approvals of a file count for a rule that asks for more people now',
    edits: [
      {
        file: 'service/src/domain/approval-requirement.ts',
        old: 'rule === asked.rule && count >= asked.count &&',
        new: 'rule === asked.rule && count >= 0 &&',
      },
    ],
    test: 'service/src/transfers/accept/accept-under-controls.test.ts',
  },
  {
    name: 'a payroll that is submitted weeks late is not judged again',
    edits: [
      {
        file: 'service/src/schedules/submit-occurrences.ts',
        old: 'occurrence.waitsBecause ?? (await judgeAgain(database, occurrence));',
        new: 'occurrence.waitsBecause;',
      },
    ],
    test: 'service/src/schedules/submit-occurrences.test.ts',
  },
  {
    name: 'no event tells that a payroll was refused',
    edits: [
      {
        file: 'service/src/schedules/keep-submission.ts',
        old: '    await recordNotSubmitted(tx, { bookId, id: fileId, cause });\n',
        new: '',
      },
    ],
    test: 'service/src/schedules/submit-occurrences.test.ts',
  },
  {
    name: 'after a recall the first "paid" ends the inquiries',
    edits: [
      {
        file: 'service/src/domain/next-step.ts',
        old: 'return standing.wasRecalled ? inquireAgain(standing, paid, 0) : paid;',
        new: 'return paid;',
      },
    ],
    test: 'service/src/domain/next-step.test.ts',
  },
  {
    name: 'inquiries after an end stop without a word to a person',
    edits: [
      {
        file: 'service/src/domain/next-step.ts',
        old: 'nextActionInMs: null, needsPerson: inquires };',
        new: 'nextActionInMs: null };',
      },
    ],
    test: 'service/src/domain/next-step.test.ts',
  },
  {
    name: 'the first single sign-on leaves the passkeys that an inviter may have set',
    edits: [
      {
        file: 'service/src/people/end-factors.ts',
        old: 'await deleteFrom(tx, DELETE_PASSKEYS, personId)',
        new: '0',
      },
    ],
    test: 'service/test/contract/first-single-sign-on.test.ts',
  },
  {
    name: 'a first single sign-on with one factor ends the second factor of the account',
    edits: [
      {
        file: 'service/src/people/single-sign-on/reset-unvouched.ts',
        old: '    if (!hasSecondFactor && (await hasAnyFactor(tx, personId))) return;\n',
        new: '',
      },
    ],
    test: 'service/test/contract/first-single-sign-on.test.ts',
  },
  {
    name: 'a success heard before a recall is the last thing asked',
    edits: [{ file: MOVE, old: 'and t.recalls > 0', new: 'and t.recalls > 32767' }],
    test: 'service/src/resolutions/recall-from-operator.test.ts',
  },
  {
    name: 'a process that was paused stores the rows of a file that it has lost',
    edits: [
      {
        file: 'service/src/transfers/accept/refuse-lost-files.ts',
        old: '  if (lost.size === 0) return judge;',
        new: '  if (lost.size >= 0) return judge;',
      },
      {
        file: 'service/src/transfers/accept/store-options.ts',
        old: "where ${isFileLost('$20')}",
        new: "where ${isFileLost('$20')} and false",
      },
    ],
    test: 'service/src/payout-files/advance-file.test.ts',
  },
  {
    name: 'queued transfers of a late file leave while the file waits for a person',
    edits: [{ file: CLAIM_TO_SEND, old: ' or ${IS_HELD_WITH_FILE})`', new: ')`' }],
    test: 'service/src/payout-files/advance-file.test.ts',
  },
];
