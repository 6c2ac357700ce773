import { expect, test } from 'vitest';
import { invitationMail } from './invitation-mail.ts';

test('a mail names what it invites to, where it leads and until when', () => {
  const expiresAt = new Date('2026-03-04T05:06:07Z');
  const url = 'https://proofmark.acme.example/invitation#token=t';
  const mail = invitationMail({ organizationName: 'Acme\nBcc: x', role: 'admin', url, expiresAt });
  expect(mail.subject).toBe('Invitation to Acme Bcc: x on Proofmark');
  expect(mail.text).toBe(
    [
      'You are invited to join Acme Bcc: x on Proofmark as admin.',
      '',
      'Open this link to accept:',
      url,
      '',
      'It works once, until 2026-03-04 05:06 UTC. If you did not expect it, do nothing.',
      '',
    ].join('\n'),
  );
});
