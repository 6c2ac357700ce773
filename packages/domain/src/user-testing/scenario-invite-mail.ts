import { untilWords } from '../access/invitation-mail.ts';
import { cleanText } from '../words/clean-text.ts';

export function scenarioInviteMail(invite: {
  readonly title: string;
  readonly url: string;
  readonly expiresAt: Date;
}): { readonly subject: string; readonly text: string } {
  const title = cleanText(invite.title, false);
  return {
    subject: `Invitation to try ${title}`,
    text: [
      `You are invited to try ${title}: an assistant that you talk to in your browser.`,
      '',
      'Open this link in the browser that you want to use:',
      invite.url,
      '',
      `${untilWords(invite.expiresAt)} If you did not expect it, do nothing.`,
      '',
    ].join('\n'),
  };
}
