import { AIRTEL } from './airtel/airtel-connector.ts';
import type { ConnectorKind } from './connector-kind.ts';
import { MTN } from './mtn/mtn-connector.ts';
import { PAWAPAY } from './pawapay/pawapay-connector.ts';
import { VODACOM } from './vodacom/vodacom-connector.ts';
import { ZAMTEL } from './zamtel/zamtel-connector.ts';

/** Every sort of connector that a route file may name. A new one joins by a line here. */
export const CONNECTOR_KINDS: readonly ConnectorKind[] = [MTN, AIRTEL, VODACOM, ZAMTEL, PAWAPAY];
