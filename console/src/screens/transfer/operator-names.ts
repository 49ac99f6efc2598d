import { OPERATORS } from '../../../../service/src/domain/operator.ts';
import { formatOperator } from '../../format/format-operator.ts';

/** Sentences of the service have an operator's code, `mtn`; people know its name. */
export function withOperatorNames(sentence: string): string {
  return sentence.replace(new RegExp(`\\b(?:${OPERATORS.join('|')})\\b`, 'g'), formatOperator);
}
