import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** For tests: what the server does with a mail. */
export type MailScript = 'take' | 'refuse' | 'hang';

export type FakeMailServer = Readonly<{
  url: string;
  /** Headers and body of each mail that was taken, as it came. */
  mails: readonly string[];
  close(): Promise<void>;
}>;

/** A mail server that speaks as much SMTP (RFC 5321) as a client without extensions needs. */
export async function startFakeMailServer(script: () => MailScript): Promise<FakeMailServer> {
  const mails: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    const doing = script();
    if (doing === 'hang') return;
    converse(socket, doing, (mail) => mails.push(mail));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function converse(socket: Socket, doing: 'take' | 'refuse', take: (mail: string) => void): void {
  const say = (line: string): void => void socket.write(`${line}\r\n`);
  let received = '';
  let inMail = false;
  say('220 fake');
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk;
    for (;;) {
      const end = inMail ? '\r\n.\r\n' : '\r\n';
      const at = received.indexOf(end);
      if (at === -1) return;
      const text = received.slice(0, at);
      received = received.slice(at + end.length);
      if (inMail) {
        inMail = false;
        take(text);
        say('250 taken');
      } else inMail = obey(text, doing, say);
    }
  });
}

/** Answers one command; true: the mail follows. */
function obey(line: string, doing: 'take' | 'refuse', say: (line: string) => void): boolean {
  const command = line.slice(0, 4).toUpperCase();
  if (command === 'RCPT' && doing === 'refuse') say(`550 no such mailbox ${line}`);
  else if (command === 'STAR') say('502 no encryption here');
  else if (command === 'DATA') say('354 go on');
  else if (command === 'QUIT') say('221 bye');
  else say('250 ok');
  return command === 'DATA';
}
