import { type Kafue, KafueError, type PayoutFile } from '../../../sdk/src/index.ts';

/** Explains which rule holds files for approval, and which roles can approve. A key cannot read the names of people. */
export async function explainApproval(
  kafue: Pick<Kafue, 'policy'>,
  files: readonly PayoutFile[],
): Promise<readonly string[]> {
  const awaiting = files.filter(({ state }) => state === 'awaiting_approval');
  if (awaiting.length === 0) return [];
  const asked = await readRules(kafue);
  return awaiting.map((file) => {
    const rules = file.rules.flatMap((name) => asked.get(name) ?? []);
    const who = rules.length === 0 ? 'An approver or an owner must approve it' : rules.join('; ');
    const until = file.approvalExpiresAt === null ? '' : `, until ${file.approvalExpiresAt}`;
    return (
      `The payout file ${file.name} (${file.id}) waits for approval. ${who}, in the console${until}. ` +
      'Then run the same command again to follow it.'
    );
  });
}

/** The approvals that each rule requires, by its name. Empty if the policy cannot be read now. */
async function readRules(kafue: Pick<Kafue, 'policy'>): Promise<ReadonlyMap<string, string>> {
  try {
    const { document } = await kafue.policy.get();
    return new Map(
      (document?.rules ?? []).flatMap(({ name, require: { approvals, of } }) =>
        typeof approvals === 'number' && Array.isArray(of)
          ? [[name, `The rule "${name}" asks for ${approvals} of ${of.join(', ')}`] as const]
          : [],
      ),
    );
  } catch (error) {
    if (!(error instanceof KafueError)) throw error;
    return new Map();
  }
}
