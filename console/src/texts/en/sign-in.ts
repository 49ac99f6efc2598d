export const signIn = {
  title: 'Sign in',
  passkey: 'Use a passkey',
  or: 'or with a password and a code',
  email: 'E-mail',
  password: 'Password',
  submit: 'Sign in',
  singleSignOn: 'Your company uses single sign-on?',
  singleSignOnLink: 'Continue with your company account',
  singleSignOnRefused:
    'Your company account did not sign you in. Begin again here. If it stays so, ask your administrator whether this address is invited.',
  issuerAway:
    'Single sign-on does not answer now. Try again in a minute, or sign in with your password.',
  failed:
    'That did not match. Check the address, the password and the code; wait for a new code before you try again.',
  slowed: 'Too many attempts. Wait a minute, then try again.',
  passkeyFailed: 'No passkey was used. Try again, or sign in with your password.',
  demo: 'This is a trial installation: demo people and their passwords are in DATA_DIR/demo.json.',
  about: 'About Kafue',
  promise: 'Every payout, paid exactly once.',
  points: [
    { icon: 'succeeded', strong: 'Never twice.', text: 'One reference is one payout, for ever.' },
    {
      icon: 'in_doubt',
      strong: '“In doubt” is a state.',
      text: 'A payout ends on proof, never on a guess.',
    },
    { icon: 'people', strong: 'Two people.', text: 'You never approve what you prepared.' },
  ],
  never: (host: string) =>
    `${host} · We never ask for your code by phone, SMS or e-mail. If a caller does, do not answer, and tell your administrator.`,
} as const;

export const invitation = {
  title: 'Accept your invitation',
  loading: 'Looking up your invitation',
  gone: 'This invitation cannot be used',
  goneDetail:
    'It was used already, has ended, or the link is not whole. Ask the person who invited you for a new one.',
  toSignIn: 'Go to sign-in',
  to: (merchant: string) => `You are invited to ${merchant}.`,
  toStaff: 'You are invited to the staff of this installation.',
  roles: 'Roles',
  until: 'The link ends',
  name: 'Your name',
  nameHelp: 'As colleagues see it beside what you do.',
  password: 'Password',
  passwordHelp:
    'At least 12 characters. A few words that you remember are better than a short riddle.',
  hasAccount:
    'You have an account with this address. Sign in to it, with a password, a passkey or single sign-on; then you come back here.',
  signInFirst: 'Sign in first',
  signedIn: (email: string) => `You are signed in as ${email}.`,
  accept: 'Accept the invitation',
  appTitle: 'Your authenticator app',
  appHelp:
    'Scan the picture with your app, or type the key into it. Then enter the code that it shows.',
  start: 'Set up the app',
  key: 'Key',
  picture: 'QR code for your authenticator app',
  code: 'Code from your authenticator app',
  submit: 'Accept and sign in',
} as const;
