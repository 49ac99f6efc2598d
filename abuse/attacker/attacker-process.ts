/**
 * The attackers' process: runs one attack after the other on the parent's request, so that their load does not disturb
 * the parent's measurements.
 */
import { ATTACKS } from '../attacks/attacks.ts';
import { Attacker, type AttackerOptions } from './attacker.ts';
import type { AttackAnswer } from './start-attackers.ts';

async function run(options: AttackerOptions): Promise<AttackAnswer> {
  const attack = ATTACKS.find(({ id }) => id === options.id);
  if (attack === undefined) return { error: `no attack ${options.id}` };
  const attacker = new Attacker(options, attack.addresses);
  try {
    await attack.run(attacker);
    return { tally: attacker.tally.report(attacker.addresses) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  } finally {
    attacker.closeAll();
  }
}

process.on('message', (options: AttackerOptions) => {
  void run(options).then((answer) => process.send?.(answer));
});
// Without the parent nothing is measured.
process.on('disconnect', () => process.exit(0));
