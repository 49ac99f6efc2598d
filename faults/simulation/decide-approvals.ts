import { isDeniedAt } from './controls-plan.ts';
import type { ProcessRunner } from './process-life.ts';
import type { ScheduleContext } from './schedule-context.ts';
import type { Process } from './start-process.ts';

type PeopleDeps = Readonly<{
  context: ScheduleContext;
  processRunner: ProcessRunner;
  /** A process that accepts connections now; undefined: none does. */
  pickProcess: () => Process | undefined;
}>;

/** Lets a person go through all that waits: each is approved or rejected, through any process. */
export function decideApprovals({ context, processRunner, pickProcess }: PeopleDeps): void {
  const { eventQueue, database, plan, random, trace } = context;
  const { controls } = plan;
  if (controls === null) return;
  const waiting = database.all().filter(({ transfer }) => transfer.state === 'awaiting_approval');
  for (const { transfer } of waiting) {
    const isApproved = random.chance(controls.approvedPerMille);
    const isDenied = isDeniedAt(controls, { phone: transfer.phone, atMs: eventQueue.nowMs() });
    // Such an approval is refused; the person comes again.
    if (isApproved && isDenied) continue;
    eventQueue.after(random.between(0, CLICK_MAX_MS), () => {
      const process = pickProcess();
      if (process === undefined) return;
      const { id, sendAt } = transfer;
      processRunner.deliver(process.life, () => {
        const isDue = sendAt === null || sendAt <= context.toDate(eventQueue.nowMs());
        process.core.decide({ transfer, isDue, isApproved }).then(
          (moved) => trace.note(id, moved ? 'a person decided' : 'a person was too late'),
          () => trace.note(id, 'a person got no answer'),
        );
      });
    });
  }
}

const CLICK_MAX_MS = 5_000;
