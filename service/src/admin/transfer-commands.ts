import { type Command, InvalidArgumentError, Option } from 'commander';
import { readStatement } from '../administrators/read-statement.ts';
import { DOUBT_KINDS, type DoubtKind } from '../domain/doubt-kind.ts';
import type { Mode } from '../domain/transfer.ts';
import { readTransactionId } from '../operators/wire/transaction-id.ts';
import { recall, resolve, withdraw } from './act-on-transfer.ts';
import { addCommand, addGroup, type Perform } from './add-command.ts';
import { readMerchantId } from './in-cell.ts';
import { asArgument, readMode } from './read-argument.ts';
import {
  addTroubleOptions,
  readTroubleFilter,
  type TroubleOptions,
} from './read-trouble-filter.ts';
import { showDoubts } from './show-doubts.ts';
import { showTransfer } from './show-transfer.ts';

const TRANSFER_ID = 'the id of the transfer, or its operator reference';
const EXAMPLE_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const TWO_PERSONS = `The first administrator proposes; another one who says the same carries it out. Each puts their own
key into ADMIN_KEY. A proposal ends after 24 hours, or when anything happens to the transfer or its operator
says something new against it. The merchant sees the evidence in the history of the transfer.`;

type ShowOptions = Readonly<{ merchant?: string; mode?: Mode; reveal?: true }>;
type ResolveOptions = Readonly<{ paid?: string; notPaid?: true; evidence: string }>;

export function addTransferCommands(program: Command, perform: Perform): void {
  const group = addGroup(program, {
    name: 'transfers',
    description: 'Inspect transfers, resolve doubts, record reversals',
  });
  addLooking(group, perform);
  addResolve(group, perform);
  addCommand(group, {
    name: 'reverse',
    description: 'Record that the money came back (two people)',
    examples: [`transfers reverse ${EXAMPLE_ID} --evidence "MTN credit note 77, 15 November"`],
    notes: `For a transfer that succeeded and whose money the operator returned.
${TWO_PERSONS}`,
  })
    .argument('<transfer-id>', TRANSFER_ID)
    .requiredOption('--evidence <text>', 'what proves it', asArgument(readStatement))
    .action((id: string, { evidence }: { evidence: string }) =>
      perform((deps) => resolve(deps, id, { decision: 'reversed', receipt: null, evidence })),
    );
  addWithdrawAndRecall(group, perform);
}

function addLooking(group: Command, perform: Perform): void {
  const inDoubt = addCommand(group, {
    name: 'in-doubt',
    description: 'List transfers in doubt, oldest first',
    examples: [
      'transfers in-doubt --needs-person',
      'transfers in-doubt --merchant "Zambezi Tours" --operator mtn',
      'transfers in-doubt --mode test --kind NOT_FOUND --json',
    ],
    notes:
      'Shows why, what was asked of the operator, and what happens next. With ROUTES_FILE, JSON tells when the same order may be submitted again.',
  });
  addTroubleOptions(inDoubt)
    .addOption(new Option('--kind <kind>', 'only doubts of this kind').choices(DOUBT_KINDS))
    .option('--needs-person', 'only doubts that need a person')
    .action((options: TroubleOptions & Readonly<{ kind?: DoubtKind; needsPerson?: true }>) =>
      perform(async (deps) => {
        const trouble = await readTroubleFilter(deps, options);
        const needsPerson = options.needsPerson === true;
        return showDoubts(deps, { ...trouble, kind: options.kind ?? null, needsPerson });
      }),
    );
  addCommand(group, {
    name: 'show',
    description: 'Show everything known of a transfer, oldest first',
    examples: [
      `transfers show ${EXAMPLE_ID}`,
      'transfers show salary-2026-11-0042 --merchant "Zambezi Tours"',
      `transfers show ${EXAMPLE_ID} --reveal --json`,
    ],
    notes: `Answers of operators are shown as they came, secrets taken out, 500 characters each. --reveal needs your key in
ADMIN_KEY, and that you saw the number is on record.`,
  })
    .argument('<transfer>', "its id, its operator reference, or the merchant's reference")
    .option('--merchant <name-or-id>', 'whose it is, where several have this reference')
    .option('--mode <mode>', 'in which book: test or live', readMode)
    .option('--reveal', "show the recipient's number in full")
    .action((text: string, { merchant, mode, reveal }: ShowOptions) =>
      perform(async (deps) => {
        const merchantId = await readMerchantId(deps, merchant);
        const name = { text, merchantId, mode: mode ?? null };
        return showTransfer(deps, { name, reveal: reveal === true });
      }),
    );
}

function addResolve(group: Command, perform: Perform): void {
  const command = addCommand(group, {
    name: 'resolve',
    description: 'Decide a transfer in doubt by proof (two people)',
    examples: [
      `transfers resolve ${EXAMPLE_ID} --paid MP241115.1032.A77 --evidence "Airtel portal, ticket 4711"`,
      `transfers resolve ${EXAMPLE_ID} --not-paid --evidence "Airtel statement of 15 November, ticket 4711"`,
    ],
    notes: TWO_PERSONS,
  })
    .argument('<transfer-id>', TRANSFER_ID)
    .option('--paid <receipt>', "it was paid: the operator's receipt", readReceipt)
    .addOption(new Option('--not-paid', 'no money moved, and none will').conflicts('paid'))
    .requiredOption('--evidence <text>', 'what proves it', asArgument(readStatement));
  command.action((id: string, { paid, notPaid, evidence }: ResolveOptions) => {
    if (paid === undefined && notPaid === undefined) {
      command.error('Say --paid RECEIPT or --not-paid.');
    }
    const decision = paid === undefined ? 'not_paid' : 'paid';
    return perform((deps) => resolve(deps, id, { decision, receipt: paid ?? null, evidence }));
  });
}

function addWithdrawAndRecall(group: Command, perform: Perform): void {
  addCommand(group, {
    name: 'withdraw',
    description: 'Withdraw a proposal for a transfer',
    examples: [`transfers withdraw ${EXAMPLE_ID}`],
    notes: 'For a proposal that waits for a second person.',
  })
    .argument('<transfer-id>', TRANSFER_ID)
    .action((id: string) => perform((deps) => withdraw(deps, id)));
  addCommand(group, {
    name: 'recall',
    description: 'Ask the operator to take a payout back',
    examples: [`transfers recall ${EXAMPLE_ID}`],
    notes:
      'For operators that can be asked. Changes nothing by itself: the service asks afterwards what became of it. Needs ROUTES_FILE and ADMIN_KEY.',
  })
    .argument('<transfer-id>', TRANSFER_ID)
    .action((id: string) => perform((deps) => recall(deps, id)));
}

function readReceipt(text: string): string {
  const receipt = readTransactionId(text);
  if (receipt !== null) return receipt;
  throw new InvalidArgumentError(
    "Give the operator's receipt as it stands there: 1 to 100 characters.",
  );
}
