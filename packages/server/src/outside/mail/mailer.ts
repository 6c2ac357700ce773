/**
 * Mail through the operator's SMTP server. Without one nothing is sent, which is a normal state:
 * the person who created a link passes it on by hand. A mail that could not be delivered causes no
 * other failure.
 */
import { withDeadline } from '@proofmark/domain';
import { createTransport } from 'nodemailer';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** Returns whether the server accepted the mail. Never rejects. */
  send(mail: Mail): Promise<boolean>;
  close(): void;
}

export interface MailSettings {
  /** smtp:// or smtps://, with user and password if the server requires them. */
  readonly url: string;
  readonly from: string;
  /** Called for a failure, without any content of the mail. */
  warn(fields: object, sentence: string): void;
}

/** Short, since a request waits for the answer whether a mail was sent. */
const longestMs = 10_000;

export function createMailer({ url, from, warn }: MailSettings): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: longestMs,
    greetingTimeout: longestMs,
    socketTimeout: longestMs,
    // Mails contain only our text: nothing is read from files or fetched for them.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text }) {
      try {
        // An object, so that no part of the address is parsed as a second address.
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
