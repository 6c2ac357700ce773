import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

export interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  readonly content: string;
}

export interface SmtpServer {
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  stop(): Promise<void>;
}

export async function startSmtpServer(
  behaviour: 'takes' | 'refuses' | 'silent',
): Promise<SmtpServer> {
  const mails: ReceivedMail[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => undefined);
    if (behaviour === 'silent') return;
    serveMail(socket, behaviour === 'takes', (mail) => mails.push(mail));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The SMTP server has no port.');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    async stop() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function serveMail(socket: Socket, takes: boolean, receive: (mail: ReceivedMail) => void): void {
  let text = '';
  let content: string | undefined;
  let [from, to] = ['', ''];
  const send = (line: string) => socket.write(`${line}\r\n`);
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a list of the lines of SMTP, each with its answer.
  const onLine = (line: string) => {
    if (content !== undefined) {
      if (line !== '.') {
        content += `${line}\n`;
        return;
      }
      receive({ from, to, content });
      content = undefined;
      send('250 taken');
      return;
    }
    const word = line.slice(0, 4).toUpperCase();
    if (word === 'MAIL') from = line;
    if (word === 'RCPT') to = line;
    if (word === 'RCPT' && !takes) return send('550 no such person');
    if (word === 'DATA') content = '';
    send(word === 'DATA' ? '354 go on' : word === 'QUIT' ? '221 bye' : '250 ok');
    return;
  };
  send('220 here');
  socket.on('data', (bytes) => {
    text += bytes.toString('utf8');
    const lines = text.split('\r\n');
    text = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
}
