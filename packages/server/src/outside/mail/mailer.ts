/**
 * Sends mail through the operator's SMTP server. Without such a server nothing is sent, which is no
 * error: the creator of a link can pass the link on by hand. A mail that cannot be delivered causes
 * no other error.
 */
import { withDeadline } from '@proofmark/domain';
import { createTransport } from 'nodemailer';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** Sends a mail and returns whether the server accepted it. Never rejects. */
  send(mail: Mail): Promise<boolean>;
  close(): void;
}

export interface MailSettings {
  /**
   * The SMTP server as an smtp:// or smtps:// URL, with user and password if the server requires
   * them.
   */
  readonly url: string;
  readonly from: string;
  /** Called when sending fails. Gets no content of the mail. */
  warn(fields: object, sentence: string): void;
}

/**
 * The time limit for sending, in milliseconds. It is short, because a request waits to report
 * whether a mail was sent.
 */
const longestMs = 10_000;

export function createMailer({ url, from, warn }: MailSettings): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: longestMs,
    greetingTimeout: longestMs,
    socketTimeout: longestMs,
    // Mails contain only our text, so the library may neither read files nor fetch URLs for them.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text }) {
      try {
        // The address is passed as an object, so that no part of it is parsed as a second address.
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
