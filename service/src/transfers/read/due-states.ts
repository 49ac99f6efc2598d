/**
 * Conditions on `transfers t` that say which transfers are due for what. They list the states one by one, so that a
 * new state is neither submitted nor inquired about before it is added here. Each implies the condition of a partial
 * index: transfers_to_submit and transfers_to_ask.
 */
export const TO_SUBMIT = `t.state = 'queued' and t.next_action_at is not null`;

/** Of a suspended merchant or not: the claim leaves out what is suspended. In the index transfers_to_ask by NO_ROUTE. */
export const TO_QUEUE = `t.state = 'scheduled' and t.next_action_at is not null`;

/**
 * What may have been sent. Final states are included: an inquiry finds out about reversals, and whether an operator
 * that contradicts a final state is right.
 */
export const TO_INQUIRE = `
  t.state in ('submitting', 'submitted', 'in_doubt', 'succeeded', 'failed', 'cancelled', 'reversed')
  and t.next_action_at is not null`;
