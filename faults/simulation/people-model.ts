import { isDeniedAt } from './controls-plan.ts';
import type { Carrier } from './process-life.ts';
import type { Scene } from './scene.ts';
import type { Process } from './start-process.ts';

type PeopleDeps = Readonly<{
  scene: Scene;
  carrier: Carrier;
  /** A process that accepts connections now; undefined: none does. */
  pickProcess: () => Process | undefined;
}>;

/** Lets a person go through all that waits: each is approved or rejected, through any process. */
export function visitApprovals({ scene, carrier, pickProcess }: PeopleDeps): void {
  const { agenda, database, plan, random, trace } = scene;
  const { controls } = plan;
  if (controls === null) return;
  const waiting = database.all().filter(({ transfer }) => transfer.state === 'awaiting_approval');
  for (const { transfer } of waiting) {
    const isApproved = random.chance(controls.approvedPerMille);
    const isDenied = isDeniedAt(controls, { phone: transfer.phone, atMs: agenda.nowMs() });
    // Such an approval is refused; the person comes again.
    if (isApproved && isDenied) continue;
    agenda.after(random.between(0, CLICK_MAX_MS), () => {
      const process = pickProcess();
      if (process === undefined) return;
      const { id, sendAt } = transfer;
      carrier.deliver(process.life, () => {
        const isDue = sendAt === null || sendAt <= scene.toDate(agenda.nowMs());
        process.core.decide({ transfer, isDue, isApproved }).then(
          (moved) => trace.note(id, moved ? 'a person decided' : 'a person was too late'),
          () => trace.note(id, 'a person got no answer'),
        );
      });
    });
  }
}

const CLICK_MAX_MS = 5_000;
