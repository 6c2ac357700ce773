/**
 * Prompts made of a tool's name and arguments alone. Nothing is taken from its description, so a
 * model that reads only descriptions finds the tool if its description is right, and fails to find
 * it otherwise.
 */
import { isRecord, type Json } from '../../kernel/json.ts';
import { wordsOfName } from '../../surfaces/word-overlap.ts';
import { writtenFields } from '../request-for-tool.ts';

type Phrasing = (words: string, fields: string) => string;

/** All values come last and without an end mark, so that none of them is read differently. */
const phrasings: readonly [Phrasing, Phrasing] = [
  (words, fields) => `${capital(words)}${fields && ` with ${fields}`}`,
  (words, fields) => `Could you do this for me? ${capital(words)}${fields && `. ${fields}`}`,
];

/** Returns one prompt for each phrasing. */
export function promptsByName(toolName: string, args: Json): readonly [string, string] {
  const words = wordsOfName(toolName).join(' ') || toolName;
  const fields = writtenFields(args);
  const [plain, polite] = phrasings;
  return [plain(words, fields), polite(words, fields)];
}

/** Returns the prompts of a suite file in the short form that nobody has put into own words yet. */
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
