/**
 * Which transfers are due for what, of `transfers t`. States are listed one by one, so that a new state is neither
 * submitted nor asked about before it is named here. Each condition implies that of a partial index:
 * transfers_to_submit, transfers_to_ask.
 */
export const TO_SUBMIT = `t.state = 'queued' and t.next_action_at is not null`;

/**
 * What may have been sent, also after its end: reversals are found out by asking, and so is whether an operator is
 * right that contradicts an end.
 */
export const TO_ASK = `
  t.state in ('submitting', 'submitted', 'in_doubt', 'succeeded', 'failed', 'cancelled')
  and t.next_action_at is not null`;
