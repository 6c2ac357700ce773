/**
 * The answers of a case to questions that a server asks the user during a call. Each question gets
 * the first unused answer that has no `message` or whose `message` is part of the question. A
 * question without an answer is declined.
 */
import * as z from 'zod';

const maxContentLength = 100_000;

export const Elicitation = z
  .strictObject({
    message: z.string().min(1).max(2_000).optional(),
    action: z.enum(['accept', 'decline', 'cancel']),
    content: z
      .record(
        z.string(),
        z.union([z.string(), z.number(), z.boolean(), z.array(z.string()).max(1_000)]),
      )
      .refine((given) => JSON.stringify(given).length <= maxContentLength, {
        error: `The content of an answer has at most ${maxContentLength} characters.`,
      })
      .optional(),
  })
  .refine(({ action, content }) => action === 'accept' || content === undefined, {
    error: 'Only an answer with the action accept can have content.',
    path: ['content'],
  })
  .meta({
    id: 'EvalElicitation',
    description:
      'An addition of Proofmark beyond the specification: an answer to a question of a server. message is a part of the text of the question to answer (default: any question).',
  });
export type Elicitation = z.infer<typeof Elicitation>;

export const Elicitations = z.array(Elicitation).max(50, 'One list may have at most 50 answers.');

/** Returns the index of the matching answer among the unused ones; −1 if there is none. */
export function indexOfElicitation(open: readonly Elicitation[], question: string): number {
  return open.findIndex(({ message }) => message === undefined || question.includes(message));
}
