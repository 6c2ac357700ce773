/**
 * Mail through the operator's own SMTP server. Without one nothing is sent, which is a normal state: whoever made a
 * link passes it on by hand. A mail that could not be handed over fails nothing else.
 */
import { withDeadline } from '@proofmark/domain';
import { createTransport } from 'nodemailer';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** Whether the server took it. Never rejects. */
  send(mail: Mail): Promise<boolean>;
  close(): void;
}

export interface MailSettings {
  /** smtp:// or smtps://, with user and password where the server wants them. */
  readonly url: string;
  readonly from: string;
  /** Told of a failure, without anything of the mail. */
  warn(fields: object, sentence: string): void;
}

/** Somebody waits for the answer that says whether a mail went out. */
const longestMs = 10_000;

export function createMailer({ url, from, warn }: MailSettings): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: longestMs,
    greetingTimeout: longestMs,
    socketTimeout: longestMs,
    // A mail is a text of ours: nothing is read from files or fetched for it.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text }) {
      try {
        // As an object, so that nothing in the address is read as a second one.
        const addressed = { from, to: { name: '', address: to }, subject, text };
        await withDeadline(transport.sendMail(addressed), longestMs);
        return true;
      } catch (error) {
        warn({ code: (error as { code?: unknown }).code }, 'a mail could not be sent');
        return false;
      }
    },
    close: () => transport.close(),
  };
}
