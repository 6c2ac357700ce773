import { expect, test } from 'vitest';
import { scenarioInviteMail } from './scenario-invite-mail.ts';

test('says what it is, where it leads and until when, and nothing a name could smuggle in', () => {
  const { subject, text } = scenarioInviteMail({
    title: 'Books\r\nBcc: all@x.io',
    url: 'https://proofmark.example/user-testing/books/token#invite=once',
    expiresAt: new Date('2026-11-23T19:23:45Z'),
  });
  expect(subject).not.toMatch(/[\r\n]/);
  expect(text).toContain('\nhttps://proofmark.example/user-testing/books/token#invite=once\n');
  expect(text).toContain('It works once, until 2026-11-23 19:23 UTC.');
});
