import { startSmtpServer } from '@proofmark/harness/smtp-server.ts';
import { expect, test } from 'vitest';
import { createMailer } from './mailer.ts';

const mail = {
  to: 'new@example.org',
  subject: 'Invitation',
  text: 'Open this:\nhttps://x.example/#t',
};

async function mailedBy(behaviour: Parameters<typeof startSmtpServer>[0], to = mail.to) {
  const server = await startSmtpServer(behaviour);
  const warnings: unknown[] = [];
  const mailer = createMailer({
    url: server.url,
    from: 'Proofmark <proofmark@acme.example>',
    warn: (...args) => void warnings.push(args),
  });
  try {
    return { mailed: await mailer.send({ ...mail, to }), warnings, mails: server.mails };
  } finally {
    mailer.close();
    await server.stop();
  }
}

test('a mail is handed over with its link', async () => {
  const { mailed, mails } = await mailedBy('takes');
  expect(mailed).toBe(true);
  expect(mails).toHaveLength(1);
  expect(mails[0]?.from).toContain('<proofmark@acme.example>');
  expect(mails[0]?.to).toContain('<new@example.org>');
  expect(mails[0]?.content).toContain('https://x.example/#t');
});

test('a server that refuses is told of, without the address or the link', async () => {
  const { mailed, warnings } = await mailedBy('refuses');
  expect(mailed).toBe(false);
  expect(warnings).toHaveLength(1);
  expect(JSON.stringify(warnings)).not.toMatch(/example/);
});

test('an address cannot bring a second one with it', async () => {
  const { mails } = await mailedBy('takes', 'one@example.org,two@example.org');
  expect(mails.map(({ to }) => to).join()).not.toContain('<two@example.org>');
});

test('nobody is kept waiting by a server that is not there', async () => {
  const server = await startSmtpServer('takes');
  await server.stop();
  const mailer = createMailer({ url: server.url, from: 'a@acme.example', warn: () => undefined });
  expect(await mailer.send(mail)).toBe(false);
  mailer.close();
});
