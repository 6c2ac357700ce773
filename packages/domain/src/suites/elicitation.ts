/**
 * The answers of a case to questions that a server asks the user during a call. Each question gets
 * the first unused answer of its mode that has no `message` or whose `message` is part of the
 * question. A question without an answer is declined.
 *
 * In the mode `url`, the server asks the user to open an address. An answer says what the user would
 * have done; the address is never opened. Addresses are compared and shown without their query,
 * which often contains a secret.
 */
import * as z from 'zod';
import { isRecord } from '../kernel/json.ts';

const maxContentLength = 100_000;

export const Elicitation = z
  .strictObject({
    message: z.string().min(1).max(2_000).optional(),
    mode: z.enum(['form', 'url']).optional(),
    url: z.string().min(1).max(2_000).optional(),
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
  .refine(({ mode, content }) => mode !== 'url' || content === undefined, {
    error: 'An answer with the mode url has no content.',
    path: ['content'],
  })
  .refine(({ mode, url }) => mode === 'url' || url === undefined, {
    error: 'Only an answer with the mode url can have a url.',
    path: ['url'],
  })
  .meta({
    id: 'EvalElicitation',
    description:
      'An addition of Proofmark beyond the specification: an answer to a question of a server. message is a part of the text of the question to answer (default: any question). mode is form (default) or url, for a question that asks the user to open an address; url is a part of that address (default: any). The address is never opened.',
  });
export type Elicitation = z.infer<typeof Elicitation>;

export const Elicitations = z.array(Elicitation).max(50, 'One list may have at most 50 answers.');

export type ServerQuestion =
  | { readonly mode: 'form'; readonly message: string }
  | { readonly mode: 'url'; readonly message: string; readonly url: string };

/** Returns the index of the matching answer among the unused ones; −1 if there is none. */
export function indexOfElicitation(open: readonly Elicitation[], question: ServerQuestion): number {
  return open.findIndex(({ mode = 'form', message, url }) => {
    if (mode !== question.mode) return false;
    if (message !== undefined && !question.message.includes(message)) return false;
    if (url === undefined || question.mode === 'form') return true;
    // Queries are not compared, so an entry of nothing else fits no address.
    const part = withoutQuery(url);
    return part !== '' && withoutQuery(question.url).includes(part);
  });
}

/** Returns whether a case answers a question that asks the user to open an address. */
export function answersUrls({ elicitations, steps, before, after }: AnsweringCase): boolean {
  const calls: readonly AnsweringStep[] = [
    ...steps,
    ...(before?.calls ?? []),
    ...(after?.calls ?? []),
  ];
  const all = [elicitations ?? [], ...calls.map((step) => step.elicitations ?? [])];
  return all.flat().some(({ mode }) => mode === 'url');
}

/**
 * Returns the parameters of a server's request as they may be stored: the address of a question
 * without its query. Other requests are returned unchanged.
 */
export function withoutQueryOfUrl(params: unknown): unknown {
  if (!isRecord(params) || params['mode'] !== 'url' || typeof params['url'] !== 'string') {
    return params;
  }
  return { ...params, url: withoutQuery(params['url']) };
}

/** Removes the query, the fragment and the credentials of an address. */
function withoutQuery(address: string): string {
  return address.replace(/[?#].*$/s, '').replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');
}

interface AnsweringCase {
  readonly elicitations?: readonly Elicitation[] | undefined;
  /** Steps of every kind; only some kinds have answers. */
  readonly steps: readonly object[];
  readonly before?: { readonly calls: readonly object[] } | undefined;
  readonly after?: { readonly calls: readonly object[] } | undefined;
}

interface AnsweringStep {
  readonly elicitations?: readonly Elicitation[] | undefined;
}
