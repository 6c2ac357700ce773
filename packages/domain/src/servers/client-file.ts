/**
 * Reads servers from the configuration file of an MCP client: `mcpServers`
 * (claude_desktop_config.json, .mcp.json) or `servers` (.vscode/mcp.json). Variables are resolved
 * only for the server that is used; variables that only the client can resolve are reported.
 */
import { isRecord, type Json } from '../kernel/json.ts';

export type ServerToTest =
  | {
      readonly kind: 'http';
      readonly name: string;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'stdio';
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string;
    };

/** Returns undefined if the file is not a client's configuration file. */
export function serversOfClientFile(file: unknown): ReadonlyMap<string, Json> | undefined {
  if (!isRecord(file)) return undefined;
  const named = [file['mcpServers'], file['servers']].find(isRecord);
  if (named === undefined) return undefined;
  return new Map(
    Object.entries(named).filter((entry): entry is [string, Json] => isRecord(entry[1])),
  );
}

export interface FillIn {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The value of `${workspaceFolder}`. */
  readonly folder: string;
}

export function serverOfClientFile(
  name: string,
  entry: Json,
  fillIn: FillIn,
): { readonly server: ServerToTest } | { readonly problem: string } {
  const missing: string[] = [];
  const fill = (text: unknown) => filled(String(text), fillIn, missing);
  const filledRecord = (given: unknown) =>
    Object.fromEntries(
      Object.entries(isRecord(given) ? given : {}).map(([key, value]) => [key, fill(value)]),
    );
  const server = readEntry(name, entry, fill, filledRecord);
  const [first] = missing;
  if (first !== undefined) return { problem: `The server ${JSON.stringify(name)} ${first}` };
  if (server === undefined) {
    return { problem: `The server ${JSON.stringify(name)} has neither a command nor a url.` };
  }
  return { server };
}

function readEntry(
  name: string,
  { url, command, args, env, headers, cwd }: Json,
  fill: (text: unknown) => string,
  filledRecord: (given: unknown) => Record<string, string>,
): ServerToTest | undefined {
  if (typeof url === 'string') {
    return { kind: 'http', name, url: fill(url), headers: filledRecord(headers) };
  }
  if (typeof command !== 'string') return undefined;
  return {
    kind: 'stdio',
    name,
    command: fill(command),
    args: (Array.isArray(args) ? args : []).map(fill),
    env: filledRecord(env),
    ...(typeof cwd === 'string' && { cwd: fill(cwd) }),
  };
}

/**
 * Resolves variables. `${env:X}`, `${X}` and `${X:-other}` come from the environment. `${input:x}`
 * stays unresolved, since only an editor can ask for it.
 */
function filled(text: string, { environment, folder }: FillIn, missing: string[]): string {
  return text.replaceAll(/\$\{([^}]*)\}/g, (whole, inside: string) => {
    if (inside === 'workspaceFolder') return folder;
    const [, input] = /^input:(.+)$/.exec(inside) ?? [];
    if (input !== undefined) {
      missing.push(
        `asks its editor for ${JSON.stringify(input)}; write \${env:NAME} there, and set that variable.`,
      );
      return whole;
    }
    const [, variable, , other] = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(:-(.*))?$/.exec(inside) ?? [];
    const value = variable === undefined ? undefined : (environment[variable] ?? other);
    if (value !== undefined) return value;
    missing.push(
      variable === undefined
        ? `contains ${whole}, a placeholder that cannot be filled in here.`
        : `needs the environment variable ${variable}, which is not set.`,
    );
    return whole;
  });
}

/**
 * Splits a command into words like a shell, without executing anything. Returns undefined if a
 * quote is not closed.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the text, with a branch for each kind of character.
export function commandWords(text: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] as string;
    if (quote !== '') {
      if (sign === quote) quote = '';
      else if (sign === '\\' && quote === '"' && /["\\]/.test(text[at + 1] ?? '')) {
        at += 1;
        word = (word ?? '') + text[at];
      } else word = (word ?? '') + sign;
    } else if (sign === '"' || sign === "'") {
      quote = sign;
      word ??= '';
    } else if (/\s/.test(sign)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (sign === '\\' && at + 1 < text.length) {
      at += 1;
      word = (word ?? '') + text[at];
    } else word = (word ?? '') + sign;
  }
  if (word !== undefined) words.push(word);
  return quote === '' ? words : undefined;
}

export function nameOfCommand(words: readonly string[], folder: string): string {
  const [command = 'server', ...args] = words;
  const script = args.find((word) => !word.startsWith('-')) ?? command;
  const last = script.split('/').findLast((part) => part !== '') ?? script;
  const base = last.replace(/@[\d.]+$|\.[cm]?[jt]s$|\.py$/, '');
  if (!['index', 'main', 'server'].includes(base)) return base.slice(0, 100) || 'server';
  return (folder.split('/').findLast((part) => part !== '') ?? base).slice(0, 100);
}
