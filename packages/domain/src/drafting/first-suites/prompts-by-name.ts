/**
 * Prompts made of a tool's name and arguments alone. Nothing is taken from its description, so a
 * model that reads only descriptions finds the tool if its description is right, and fails to find
 * it otherwise.
 */
import type { Json } from '../../kernel/json.ts';
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

/** Whether nobody has put a prompt of `init` into words of their own. */
export function isPromptByName(prompt: string, toolName: string, args: Json): boolean {
  return promptsByName(toolName, args).includes(prompt);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
