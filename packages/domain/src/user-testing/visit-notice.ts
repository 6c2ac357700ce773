/**
 * The notice that visitors see before their first message. If its text changes, its version changes
 * too, and the notice is shown again.
 */
export interface VisitNotice {
  readonly version: string;
  readonly text: string;
}

/** The version of the texts below; increase it with every change of them. */
const wordsVersion = 1;

export function visitNotice({ keptDays }: { readonly keptDays: number }): VisitNotice {
  return {
    version: `${wordsVersion}-${keptDays}`,
    text: [
      'This is a test. What you write here is recorded, with the answers and with what tools did, and is read by the people of the project that shared this link.',
      'The assistant may use tools that act on real systems. Do not write anything that you would not tell a stranger.',
      `It is kept for ${keptDays} days after your last message. Your messages may become a test of the project, and are then kept as long as that test. Your address and the name of your browser are not kept.`,
      'You can delete this conversation here at any time, also after the link was closed.',
    ].join('\n\n'),
  };
}

export const consentRequired = {
  code: 'CONFLICT',
  message: 'Accept the notice first.',
  details: { reason: 'CONSENT_REQUIRED' },
} as const;
