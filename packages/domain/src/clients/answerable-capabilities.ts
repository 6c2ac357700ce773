import { isRecord, type Json } from '../kernel/json.ts';

/**
 * Returns the capabilities that Proofmark declares to a server: those that the client declares and
 * Proofmark supports. Only a trial can answer sampling and elicitation requests (`isAnswered`).
 * Elicitation is limited to forms, since no person can open a URL.
 */
export function answerableCapabilities(declared: Json | undefined, isAnswered: boolean): Json {
  if (declared === undefined) return isAnswered ? { sampling: {}, elicitation: { form: {} } } : {};
  const { sampling, elicitation, tasks: _, extensions, ...others } = declared;
  const form = isAnswered ? formOf(elicitation) : undefined;
  return {
    ...others,
    ...(isAnswered && sampling !== undefined && { sampling: {} }),
    ...(form !== undefined && { elicitation: form }),
    ...(extensions !== undefined && { extensions: withoutTasks(extensions) }),
  };
}

/** Returns the form capability. An empty elicitation declaration means forms. */
function formOf(elicitation: unknown): Json | undefined {
  if (!isRecord(elicitation)) return undefined;
  const { url, ...others } = elicitation;
  return url === undefined || others['form'] !== undefined ? others : undefined;
}

function withoutTasks(extensions: unknown): unknown {
  if (!isRecord(extensions)) return extensions;
  return Object.fromEntries(Object.entries(extensions).filter(([name]) => name !== taskExtension));
}

const taskExtension = 'io.modelcontextprotocol/tasks';
