/**
 * Lint rules for harm that a tool may do to a person: text that a reader does not see, orders to
 * the model, destructive tools without an annotation, and secrets as arguments.
 */
import { isRecord, type Json } from '../kernel/json.ts';
import { hiddenCharacters } from './hidden-characters.ts';
import { type ToolFault, toolFault } from './lint-rules.ts';
import { orderIn } from './orders-to-model.ts';
import { propertiesOf, type ToolParameter } from './tool-parameters.ts';
import { wordsOfName } from './word-overlap.ts';

export function lintSafety(tool: Json, parameters: readonly ToolParameter[]): ToolFault[] {
  return [
    ...lintHidden(tool),
    ...lintOrders(tool),
    ...lintDestruction(tool),
    ...parameters.flatMap(lintSecret),
  ];
}

const readParts = ['name', 'title', 'description', 'inputSchema'] as const;

function lintHidden(tool: Json): ToolFault[] {
  return readParts.flatMap((part) => {
    const points = hiddenCharacters(readTextsOf(tool[part]).join('\n'));
    if (points.length === 0) return [];
    const shown = points.slice(0, 5).join(', ');
    const message = `Characters that a reader does not see: ${shown}${points.length > 5 ? ', …' : ''}.`;
    return [toolFault('hidden-characters', `/${part}`, message)];
  });
}

function lintOrders(tool: Json): ToolFault[] {
  return readParts.flatMap((part) => {
    const orders = readTextsOf(tool[part]).flatMap((text) => orderIn(text) ?? []);
    const order = orders.find(({ isStrong }) => isStrong) ?? orders[0];
    if (order === undefined) return [];
    const message = `The text gives orders to the model: ${JSON.stringify(order.quote)}.`;
    const fault = toolFault('instructions-to-model', `/${part}`, message);
    return [order.isStrong ? fault : { ...fault, severity: 'warn' as const }];
  });
}

const mostTexts = 5_000;
/**
 * The maximum number of characters to read from one part of a tool. No model gets that much text
 * from a tool.
 */
const mostRead = 200_000;

/**
 * Returns the texts in a value, including keys, to a depth of 50 and up to `mostRead` characters.
 */
export function readTextsOf(value: unknown): string[] {
  const texts: string[] = [];
  let left = mostRead;
  const add = (text: string): void => {
    if (left <= 0 || texts.length >= mostTexts) return;
    texts.push(text.slice(0, left));
    left -= text.length;
  };
  const gather = (part: unknown, depth: number): void => {
    if (depth > 50 || left <= 0 || texts.length >= mostTexts) return;
    if (typeof part === 'string') add(part);
    else if (Array.isArray(part)) for (const one of part) gather(one, depth + 1);
    else if (isRecord(part)) {
      for (const [key, one] of Object.entries(part)) {
        add(key);
        gather(one, depth + 1);
      }
    }
  };
  gather(value, 0);
  return texts;
}

const destroying: ReadonlySet<string> = new Set(
  'delete destroy drop erase expunge obliterate purge remove rm rmdir truncate uninstall wipe'.split(
    ' ',
  ),
);

/** If an annotation states either hint, the name does not matter. */
function lintDestruction(tool: Json): ToolFault[] {
  const word = wordsOfName(String(tool['name'])).find((one) => destroying.has(one));
  const annotations = isRecord(tool['annotations']) ? tool['annotations'] : {};
  const isStated = ['destructiveHint', 'readOnlyHint'].some((hint) => hint in annotations);
  if (word === undefined || isStated) return [];
  const message = `The name says ${JSON.stringify(word)}, and no annotation says whether the tool is destructive.`;
  return [toolFault('destructive-unannotated', '/annotations', message)];
}

const secretWords: ReadonlySet<string> = new Set(
  'password passwd passphrase passcode secret credentials apikey authtoken accesstoken'.split(' '),
);
/** Pairs of words that together name a secret, though neither word does alone. */
const secretPairs: ReadonlySet<string> = new Set(
  'api key|access token|auth token|bearer token|private key|secret key|client secret|refresh token|session token|id token|security token'.split(
    '|',
  ),
);
/** Last words of names that mention a secret but hold no secret value, as in `password_policy`. */
const aboutSecrets: ReadonlySet<string> = new Set(
  'id ids name names count length type policy hint enabled only expiry expires ttl limit max min url path file ref reference version rule rules requirement requirements strength format pattern age days question label status'.split(
    ' ',
  ),
);

function lintSecret({ name, schema, path }: ToolParameter): ToolFault[] {
  if (!takesText(schema)) return [];
  const words = wordsOfName(name);
  const last = words.at(-1) ?? '';
  const isSecret =
    words.some((word) => secretWords.has(word)) ||
    words.some((word, at) => secretPairs.has(`${words[at - 1]} ${word}`));
  if (!isSecret || aboutSecrets.has(last) || words.includes('santa')) return [];
  const message = `The parameter ${JSON.stringify(name)} asks for a secret, which then becomes part of the conversation.`;
  return [toolFault('secret-parameter', path, message)];
}

function takesText(schema: Json): boolean {
  const { type } = schema;
  const hasChoices = Array.isArray(schema['enum']) || 'const' in schema;
  if (hasChoices || propertiesOf(schema).length > 0) return false;
  return (
    type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'))
  );
}
