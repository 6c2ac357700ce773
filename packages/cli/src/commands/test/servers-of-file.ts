/**
 * Reads servers from the file of `--from` or from a file of this folder: an MCP client's
 * configuration, a `server.json` or a `package.json`.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  isServerJson,
  type Json,
  type NamedEntry,
  type ServerToTest,
  serverOfClientFile,
  serverOfPackageJson,
  serverOfServerJson,
  serversOfClientFile,
  type ThingToTrust,
  transportsOfServerJson,
} from '@proofmark/domain';
import { UsageProblem } from '../../remote/exit-codes.ts';
import { lineOfJsonMistake } from '../../remote/json-mistake.ts';
import { readGivenFile } from '../../remote/read-given-file.ts';
import { type ReadBeside, requireTrust, type TrustFlags } from '../../trust/require-trust.ts';
import { thingsOfEntry } from '../../trust/things-of-server.ts';
import { startable } from './startable.ts';

/** Files of this folder that may name the server to test, in order of precedence. */
const clientFiles = ['.mcp.json', '.vscode/mcp.json'];
const filesFound = [...clientFiles, 'server.json', 'package.json'];

export async function serversOfFile(
  file: string,
  { serverName: wanted, ...flags }: TrustFlags & { readonly serverName?: string },
) {
  const entries = entriesOf(file, await readGivenFile(file), besideOnDisk(file));
  if ('problem' in entries) throw new UsageProblem(`${file} ${entries.problem}`);
  const { servers } = entries;
  const names = [...servers.keys()];
  if (wanted !== undefined && !servers.has(wanted)) {
    throw new UsageProblem(`${file} has no server ${wanted}; it has ${names.join(', ')}.`);
  }
  const folder = folderOf(file);
  const statedAt = async (content: string, beside: ReadBeside) =>
    thingsIn(entriesOf(file, content, beside));
  return {
    file,
    names,
    only: wanted ?? (names.length === 1 ? names[0] : undefined),
    isTyped: false,
    remember: () => undefined,
    async agree(...wanted: string[]) {
      const things = wanted.flatMap((name) => thingsOfEntry(name, servers.get(name) ?? {}));
      await requireTrust(things, { where: file, folder, statedAt }, flags);
    },
    read: (name: string) => filledServer(file, name, servers.get(name) ?? {}),
  };
}

export interface ServerJsonFile {
  readonly content: Json;
  /** The parsed `package.json` of the same folder. */
  readonly beside: unknown;
}

/** Returns undefined for any file other than a `server.json`. */
export async function readServerJson(file: string): Promise<ServerJsonFile | undefined> {
  if (file === '-' || path.basename(file) === 'package.json') return undefined;
  const content = bareJson(await readGivenFile(file));
  return isServerJson(content) ? { content, beside: ownPackage(besideOnDisk(file)) } : undefined;
}

/** Asks for permission to use the server, then reads it. */
export async function readEntry(
  file: string,
  { name, entry }: NamedEntry,
  flags: TrustFlags,
): Promise<ServerToTest> {
  const folder = folderOf(file);
  const statedAt = async (content: string, beside: ReadBeside) => {
    const parsed = bareJson(content);
    const transports = isServerJson(parsed)
      ? transportsOfServerJson(parsed, ownPackage(beside), process.env)
      : [];
    return transports.flatMap((one) => thingsOfEntry(one.name, one.entry));
  };
  await requireTrust(thingsOfEntry(name, entry), { where: file, folder, statedAt }, flags);
  return filledServer(file, name, entry);
}

function ownPackage(beside: ReadBeside): unknown {
  const text = beside('package.json');
  return text === undefined ? undefined : bareJson(text);
}

function filledServer(file: string, name: string, entry: Json): ServerToTest {
  const folder = folderOf(file);
  const answer = serverOfClientFile(name, entry, { environment: process.env, folder });
  if ('problem' in answer) throw new UsageProblem(`${file}: ${answer.problem}`);
  const { server } = answer;
  return server.kind === 'http' ? server : startable(server, folder);
}

/**
 * Returns the first file of this folder that has all wanted servers. If at most one server is
 * wanted, a file with exactly one server also matches, regardless of its name. `broken` has a sentence
 * for each file that should name servers and does not, because its author believes that it does.
 */
export function findServersFile(wanted: readonly string[]): {
  readonly found: { readonly file: string; readonly name: string } | undefined;
  readonly broken: readonly string[];
} {
  const all = filesFound
    .filter((file) => existsSync(file))
    .map((file) => ({ file, entries: entriesOnDisk(file) }));
  const broken = all.flatMap(({ file, entries }) =>
    'problem' in entries && (entries.isBroken || clientFiles.includes(file))
      ? [`${file} ${entries.problem}`]
      : [],
  );
  const usable = all.flatMap(({ file, entries }) =>
    'problem' in entries ? [] : [{ file, names: [...entries.servers.keys()] }],
  );
  const named = usable.find(
    ({ names }) => wanted.length > 0 && wanted.every((name) => names.includes(name)),
  );
  const single = usable.find(({ names }) => wanted.length < 2 && names.length === 1);
  const chosen = named ?? single;
  const [first = ''] = chosen === single ? (chosen?.names ?? []) : wanted;
  return { found: chosen && { file: chosen.file, name: first }, broken };
}

/**
 * Explains why no server was found: the first file that an MCP client reads is no valid JSON, or it
 * has several servers.
 */
export function problemOfFilesFound(): string | undefined {
  for (const file of clientFiles) {
    if (!existsSync(file)) continue;
    const entries = entriesOnDisk(file);
    if (!('problem' in entries)) {
      const names = [...entries.servers.keys()];
      if (names.length > 0) {
        return `${file} has several servers. Name one of them with --server-name: ${names.join(', ')}.`;
      }
    } else return `${file} ${entries.problem}`;
  }
  return undefined;
}

function entriesOnDisk(file: string): Entries {
  try {
    return entriesOf(file, readFileSync(file, 'utf8'), besideOnDisk(file));
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    return { problem: `cannot be read (${code}).`, isBroken: true };
  }
}

type Entries =
  | { readonly servers: ReadonlyMap<string, Json> }
  /** `isBroken`: it is no JSON file. Many a `package.json` or `server.json` is one without a server. */
  | { readonly problem: string; readonly isBroken?: true };

/** Converts a file of any supported kind to the entries of an MCP client's configuration file. */
function entriesOf(file: string, content: string, beside: ReadBeside): Entries {
  const parsed = bareJson(content);
  if (parsed === undefined) {
    const line = lineOfJsonMistake(bareText(content));
    return { problem: `is not valid JSON; see line ${line}.`, isBroken: true };
  }
  if (path.basename(file) === 'package.json') return oneServer(serverOfPackageJson(parsed));
  if (isServerJson(parsed)) {
    return oneServer(serverOfServerJson(parsed, ownPackage(beside), process.env));
  }
  const servers = serversOfClientFile(parsed);
  return servers === undefined
    ? { problem: 'names no servers, neither under mcpServers nor under servers.' }
    : { servers };
}

function oneServer(found: ReturnType<typeof serverOfPackageJson>): Entries {
  return 'problem' in found ? found : { servers: new Map([[found.name, found.entry]]) };
}

function thingsIn(entries: Entries): ThingToTrust[] {
  const all = 'problem' in entries ? [] : [...entries.servers];
  return all.flatMap(([name, entry]) => thingsOfEntry(name, entry));
}

/** The folder in which programs start and for which permission is granted. */
function folderOf(file: string): string {
  const here = file === '-' ? process.cwd() : path.dirname(path.resolve(file));
  return path.basename(here) === '.vscode' ? path.dirname(here) : here;
}

function besideOnDisk(file: string): ReadBeside {
  return (name) => {
    try {
      return readFileSync(path.join(path.dirname(path.resolve(file)), name), 'utf8');
    } catch {
      return undefined;
    }
  };
}

/**
 * Parses JSON with comments and trailing commas, as editors write it. Returns undefined for any
 * other text.
 */
function bareJson(text: string): unknown {
  try {
    return JSON.parse(bareText(text));
  } catch {
    return undefined;
  }
}

/** Removes comments and trailing commas, and keeps the lines. */
function bareText(text: string): string {
  return text
    .replaceAll(
      /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
      (found, string?: string) => string ?? found.replaceAll(/[^\n]+/g, ''),
    )
    .replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, string = '') => string);
}
