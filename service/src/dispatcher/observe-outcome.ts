import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { DispatcherDeps } from './dispatcher.ts';

type Deps = Readonly<{
  metrics: Pick<Metrics, 'countOutcome' | 'countUnexpectedOutcome'>;
  logger: Logger;
}>;

/** Counts every answer of an operator, and logs what a person should know. */
export function observeOutcome({ metrics, logger }: Deps): DispatcherDeps['observe'] {
  return ({ transfer, outcome, recorded }) => {
    const { operator, country, mode, id: transferId } = transfer;
    metrics.countOutcome({ operator, country, mode, outcome: outcome.kind });
    switch (recorded.kind) {
      case 'recorded': {
        const { to, cause, doubt, needsPerson } = recorded;
        const from = transfer.state;
        const kind = doubt ?? undefined;
        const fields = { transferId, from, to, doubt: kind, cause, operator, country, mode };
        if (needsPerson) logger.error(fields, 'transfer in doubt needs a person');
        else if (to === 'in_doubt') logger.warn(fields, 'transfer in doubt');
        else logger.debug(fields, 'transfer moved');
        return;
      }
      case 'resubmits': {
        const { resubmissions } = recorded.transfer;
        logger.warn(
          { transferId, resubmissions, operator, country, mode },
          'same order is submitted again',
        );
        return;
      }
      case 'superseded':
        metrics.countUnexpectedOutcome('superseded');
        logger.warn({ transferId, outcome: outcome.kind }, 'answer came after a takeover');
        return;
      case 'contradicted': {
        const { recorded: state, incident } = recorded;
        metrics.countUnexpectedOutcome('contradicted');
        logger.error({ transferId, state, incident, operator }, 'operator contradicts an end');
        return;
      }
      default: {
        const unhandled: never = recorded;
        throw new Error(`unhandled ${JSON.stringify(unhandled)}`);
      }
    }
  };
}
