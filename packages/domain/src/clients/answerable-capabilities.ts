import { isRecord, type Json } from '../kernel/json.ts';

/**
 * Returns the capabilities that we declare to a server on behalf of a client: those that the client
 * declares and that we can fulfil, since the server may then use all of them. Sampling and
 * elicitation need an answer, which only a trial gives (`isAnswered`). Elicitation is limited to
 * forms, since no person can open a URL. Tasks are left out, since we do not support them. If the
 * client declares nothing, we declare everything that we can answer.
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
