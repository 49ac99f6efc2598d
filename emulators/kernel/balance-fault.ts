import { type Answer, answerJson } from './answer.ts';
import { BAD_GATEWAY } from './send-answer.ts';

/**
 * How questions about the balance are answered: as usual, with an error, with a page instead of an answer, never, or in a
 * currency that we do not pay in.
 */
export const BALANCE_FAULTS = ['none', 'error', 'html', 'hang', 'otherCurrency'] as const;
export type BalanceFault = (typeof BALANCE_FAULTS)[number];

const ERROR = answerJson(500, { code: 'INTERNAL_PROCESSING_ERROR', message: 'No balance now.' });
const CURRENCY = /"(?:ZMW|NGN)"/g;

/** The answer with its fault. */
export function applyBalanceFault(answer: Answer | 'hang', fault: BalanceFault): Answer | 'hang' {
  switch (fault) {
    case 'none':
      return answer;
    case 'error':
      return ERROR;
    case 'html':
      return { ...BAD_GATEWAY, status: 200 };
    case 'hang':
      return 'hang';
    case 'otherCurrency':
      return answer === 'hang'
        ? answer
        : { ...answer, body: (answer.body ?? '').replaceAll(CURRENCY, '"KES"') };
    default: {
      const unhandled: never = fault;
      throw new Error(`unhandled fault ${String(unhandled)}`);
    }
  }
}
