/**
 * Builds prompts from a tool's name and arguments alone. The description is not used, so a wrong
 * description makes a model that reads only descriptions miss the tool.
 */
import { isRecord, type Json } from '../../kernel/json.ts';
import { wordsOfName } from '../../surfaces/word-overlap.ts';
import { writtenFields } from '../request-for-tool.ts';

type Phrasing = (words: string, fields: string) => string;

/** Values come last and without closing punctuation, which could be read as part of a value. */
const phrasings: readonly [Phrasing, Phrasing] = [
  (words, fields) => `${capital(words)}${fields && ` with ${fields}`}`,
  (words, fields) => `Could you do this for me? ${capital(words)}${fields && `. ${fields}`}`,
];

export function promptsByName(toolName: string, args: Json): readonly [string, string] {
  const words = wordsOfName(toolName).join(' ') || toolName;
  const fields = writtenFields(args);
  const [plain, polite] = phrasings;
  return [plain(words, fields), polite(words, fields)];
}

/** Returns the drafted prompts in a suite file that nobody has reworded yet. */
export function draftedPromptsIn(file: unknown): string[] {
  const cases = isRecord(file) && Array.isArray(file['cases']) ? file['cases'] : [];
  return cases.flatMap((one: unknown) => {
    if (!isRecord(one) || typeof one['ask'] !== 'string') return [];
    const toolName = toolOf(one['calls']);
    return toolName !== undefined && isPromptByName(one['ask'], toolName) ? [one['ask']] : [];
  });
}

function toolOf(call: unknown): string | undefined {
  if (typeof call === 'string') return call.split('(')[0]?.trim();
  return isRecord(call) && typeof call['tool'] === 'string' ? call['tool'] : undefined;
}

function isPromptByName(prompt: string, toolName: string): boolean {
  return promptsByName(toolName, {}).some(
    (bare) =>
      prompt === bare || prompt.startsWith(`${bare} with `) || prompt.startsWith(`${bare}. `),
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
