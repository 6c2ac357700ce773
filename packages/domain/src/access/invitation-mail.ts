import { cleanText } from '../words/clean-text.ts';

export function invitationMail(invitation: {
  readonly organizationName: string;
  readonly role: string;
  readonly url: string;
  readonly expiresAt: Date;
}): { readonly subject: string; readonly text: string } {
  const { role, url, expiresAt } = invitation;
  const organization = cleanText(invitation.organizationName, false);
  return {
    subject: `Invitation to ${organization} on Proofmark`,
    text: [
      `You are invited to join ${organization} on Proofmark as ${role}.`,
      '',
      'Open this link to accept:',
      url,
      '',
      `${untilWords(expiresAt)} If you did not expect it, do nothing.`,
      '',
    ].join('\n'),
  };
}

export function untilWords(expiresAt: Date): string {
  return `It works once, until ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC.`;
}
