import { isRecord, type Json } from '../kernel/json.ts';

/**
 * What we declare to a server in the name of a client: what the client declares, as far as we can live up to it. A
 * server may then ask for all of it. Sampling and elicitation need somebody who answers, which only a trial has;
 * elicitation is answered as a form alone, for nobody is there to open an address; tasks are a way servers offer, not
 * one that we do. Where nobody says what is declared, it is all that can be answered.
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

/** An empty declaration means a form. */
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
