import { connectorConformance } from './connector-conformance.ts';

const ASKED = {
  inquires: true,
  resolvesNames: true,
  tellsAmounts: true,
  smallestAmount: '0.01',
  renewsTokens: true,
};
const BLIND = { ...ASKED, inquires: false, resolvesNames: false, tellsAmounts: false };

connectorConformance({
  emulator: 'mtn',
  operator: 'mtn',
  country: 'zm',
  prefix: '09612',
  ...ASKED,
});
connectorConformance({
  emulator: 'airtel',
  operator: 'airtel',
  country: 'zm',
  prefix: '09712',
  ...ASKED,
});
connectorConformance({
  emulator: 'vodacom',
  operator: 'vodacom',
  country: 'zm',
  prefix: '09712',
  ...ASKED,
  tellsAmounts: false,
});
connectorConformance({
  emulator: 'zamtel',
  operator: 'zamtel',
  country: 'zm',
  prefix: '09512',
  ...BLIND,
});
connectorConformance({
  emulator: 'pawapay',
  operator: 'mtn',
  country: 'ng',
  prefix: '080312',
  ...ASKED,
  resolvesNames: false,
  smallestAmount: '1',
  renewsTokens: false,
});
