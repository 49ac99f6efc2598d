import { Kafue } from 'kafue';

const kafue = new Kafue({
  apiKey: process.env.KAFUE_KEY ?? '',
  baseUrl: process.env.KAFUE_URL,
});

const transfer = await kafue.transfers.create({
  amount: 25.5,
  reference: 'first-2',
  phone: '0977433571',
  operator: 'airtel',
  country: 'zm',
  walletId: process.env.WALLET_ID ?? '',
});
console.log(`${transfer.reference} is stored, and its funds are held`);

// Good enough for a first look. In earnest a webhook tells you.
const { reference, status } = await kafue.transfers.waitUntilFinal(transfer.id);
console.log(`${reference} is ${status}`);
