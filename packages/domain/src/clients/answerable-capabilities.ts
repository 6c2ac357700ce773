/**
 * The capabilities that Proofmark declares to a server: those that the client declares and
 * Proofmark supports.
 *
 * - Only a trial can answer sampling and elicitation requests (`isAnswered`).
 * - Elicitation by URL is declared only if the case has an answer to it (`answersUrls`), since no
 *   person can open a URL. A client that states its capabilities without elicitation declares
 *   neither form nor URL.
 * - The tasks extension is declared unless the client states its extensions without it. It exists
 *   only in the newer era.
 */
import { isRecord, type Json } from '../kernel/json.ts';
import { taskExtension } from '../protocol/task-progress.ts';

export interface AnswersOfTrial {
  readonly isAnswered: boolean;
  readonly answersUrls?: boolean;
}

export function answerableCapabilities(
  declared: Json | undefined,
  { isAnswered, answersUrls = false }: AnswersOfTrial,
): Json {
  const url = answersUrls && { url: {} };
  if (declared === undefined) {
    return {
      ...(isAnswered && { sampling: {}, elicitation: { form: {}, ...url } }),
      extensions: usualExtensions,
    };
  }
  const { sampling, elicitation, tasks: _, extensions = usualExtensions, ...others } = declared;
  const modes = isAnswered ? modesOf(elicitation, answersUrls) : undefined;
  return {
    ...others,
    ...(isAnswered && sampling !== undefined && { sampling: {} }),
    ...(modes !== undefined && { elicitation: modes }),
    extensions,
  };
}

/** Returns the capabilities for the older era, which has no tasks extension. */
export function legacyCapabilities(capabilities: Json): Json {
  const { extensions, ...others } = capabilities;
  if (!isRecord(extensions)) return capabilities;
  const { [taskExtension]: _, ...kept } = extensions;
  const isStated = Object.keys(kept).length > 0 || Object.keys(extensions).length === 0;
  return { ...others, ...(isStated && { extensions: kept }) };
}

export function declaresTasks({ extensions }: Json): boolean {
  return isRecord(extensions) && extensions[taskExtension] !== undefined;
}

/** An empty elicitation declaration means forms. */
function modesOf(elicitation: unknown, answersUrls: boolean): Json | undefined {
  if (!isRecord(elicitation)) return undefined;
  const { url, ...others } = elicitation;
  const hasForms = url === undefined || others['form'] !== undefined;
  if (!answersUrls) return hasForms ? others : undefined;
  return { ...others, ...(hasForms && { form: others['form'] ?? {} }), url: {} };
}

const usualExtensions: Json = { [taskExtension]: {} };
