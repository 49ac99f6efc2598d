import { AIRTEL } from './airtel/connector.ts';
import type { ConnectorKind } from './contract/connector-kind.ts';
import { MTN } from './mtn/connector.ts';
import { PAWAPAY } from './pawapay/connector.ts';
import { VODACOM } from './vodacom/connector.ts';
import { ZAMTEL } from './zamtel/connector.ts';

/** Every kind of connector that a route file may name. A new kind needs a line here. */
export const CONNECTOR_KINDS: readonly ConnectorKind[] = [MTN, AIRTEL, VODACOM, ZAMTEL, PAWAPAY];
