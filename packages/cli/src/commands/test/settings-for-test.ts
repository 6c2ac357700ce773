/**
 * Reads the settings of a service that is started for a test. The folder may be an untrusted
 * checkout. Its settings file and an existing data directory are therefore used only with the
 * user's permission.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { cleanText, isRecord, shownCommand } from '@proofmark/domain';
import { printNotice } from '../../output.ts';
import { UsageProblem } from '../../remote/exit-codes.ts';
import { absoluteFolders } from '../../trust/absolute-folders.ts';
import {
  agreesForOnce,
  askToAgree,
  notAgreed,
  requireTrust,
  trustedAlready,
} from '../../trust/require-trust.ts';
import type { StartOptions } from './open-service.ts';

type Settings = import('@proofmark/server').Settings;
type Visited = import('@proofmark/server').VisitedSettings;
type AskedSetting = Visited['asked'][number];

export interface SettingsForTest {
  readonly settings: Settings;
  /** Whether a flag, the environment or a permitted settings file names the data directory. */
  readonly namesData: boolean;
}

export async function settingsForTest(options: StartOptions): Promise<SettingsForTest> {
  const server = await import('@proofmark/server');
  const visited = readOrRefuse(() => server.visitedSettings(process.env, options.settings), server);
  const agreed = options.isTyped
    ? agreedUnasked(visited, options)
    : await agreedTo(visited, options, () => foreignData(server, visited, options));
  const { settings, sources } = readOrRefuse(() => visited.resolve({}, agreed), server);
  const leavesServersOut = visited.asked.some(({ name }) => isProgram(name) && !agreed.has(name));
  const taken = {
    ...settings,
    leavesServersOut,
    browserVariables: withoutFoldersHere(process.env),
    ...(options.widgets === false && { chromium: 'off' }),
  };
  const namesData = sources.dataDir !== 'default';
  if (options.ephemeral) return { settings: withoutState(taken), namesData };
  // The user chose the data directory by a flag or the environment, so no permission is needed.
  if (!['default', 'file'].includes(sources.dataDir)) return { settings: taken, namesData };
  return { settings: await ofThisFolder(taken, server.whyNotTrusted(taken), options), namesData };
}

/**
 * Removes the state folder. Otherwise a temporary data directory, which is deleted after the test,
 * would be registered in the state folder.
 */
function withoutState({ stateFolder: _, ...settings }: Settings): Settings {
  return settings;
}

async function agreedTo(
  { asked, askedIn }: Visited,
  options: StartOptions,
  data: () => string | undefined,
): Promise<ReadonlySet<string>> {
  if (asked.length > 0) {
    const also = data();
    const statedAt = async (content: string) => askedIn(content);
    const where = 'proofmark.config.json';
    await requireTrust(asked, { where, folder: '.', statedAt, also }, options);
  }
  return namesOf(asked);
}

/**
 * Returns a description of this folder's data directory if the test needs permission to use it,
 * otherwise undefined.
 */
function foreignData(
  server: typeof import('@proofmark/server'),
  visited: Visited,
  { ephemeral }: StartOptions,
): string | undefined {
  if (ephemeral) return undefined;
  const { settings, sources } = readOrRefuse(() => visited.resolve({}, new Set()), server);
  if (!['default', 'file'].includes(sources.dataDir)) return undefined;
  const why = server.whyNotTrusted(settings);
  return why === undefined ? undefined : shownData(settings.dataDir, why);
}

/**
 * Names the programs that the data directory starts, because permission for the data includes
 * starting them.
 */
function shownData(dataDir: string, why: string): string {
  const programs = programsOf(path.join(dataDir, 'stdio-servers.json'));
  const named = programs.length === 0 ? '' : `, and starts ${programs.join(', ')}`;
  return cleanText(`${path.relative('.', dataDir)} is a data directory, and ${why}${named}`, false);
}

/**
 * Returns no programs for an unreadable file, because the service starts no programs from such a
 * file.
 */
function programsOf(file: string): string[] {
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const rows = isRecord(content) ? Object.values(content) : content;
    return (Array.isArray(rows) ? rows.flat() : []).flatMap((row) => {
      if (!isRecord(row) || typeof row['command'] !== 'string') return [];
      const { command, args } = row;
      return [shownCommand([command, ...(Array.isArray(args) ? args.map(String) : [])])];
    });
  } catch {
    return [];
  }
}

/**
 * Returns the names of settings that the user permitted earlier, and prints the settings that are
 * ignored. A server typed on the command line needs no permission.
 */
function agreedUnasked({ asked }: Visited, options: StartOptions): ReadonlySet<string> {
  const others = asked.filter(({ name }) => !isProgram(name));
  const taken = new Set(trustedAlready(others, '.', options));
  const leftOut = others.filter((thing) => !taken.has(thing));
  if (leftOut.length > 0) {
    const names = [...namesOf(leftOut)].join(', ');
    printNotice(
      `ignored in proofmark.config.json, which is not trusted here: ${names}; use it with --trust.`,
    );
  }
  const refused = namesOf(leftOut);
  return new Set([...namesOf(others)].filter((name) => !refused.has(name)));
}

function namesOf(things: readonly AskedSetting[]): Set<string> {
  return new Set(things.map(({ name }) => name));
}

function isProgram(name: string): boolean {
  return name === 'stdioServers';
}

async function ofThisFolder(
  settings: Settings,
  why: string | undefined,
  options: StartOptions,
): Promise<Settings> {
  if (why === undefined) return settings;
  const { dataDir } = settings;
  if (agreesForOnce() && options.trustBase === undefined) return withoutState(settings);
  const shown = shownData(dataDir, why);
  // For a data directory, the permission given by `--trust` is not stored here, because the content
  // changes with every test.
  if (options.trust) return settings;
  const where = path.relative('.', dataDir);
  const answer = await askToAgree(
    [`is a data directory, and ${why}; a database can run programs`],
    where,
  );
  if (answer === 'yes') return settings;
  if (answer === 'no') throw new UsageProblem(notAgreed(where));
  throw new UsageProblem(
    `${shown}. A database can run programs, so nothing was started: remove it, keep no data with --ephemeral, or trust it with --trust.`,
  );
}

/**
 * Removes this folder and its subfolders from the search path, so that a program in an untrusted
 * checkout is not used as the browser.
 */
function withoutFoldersHere(environment: NodeJS.ProcessEnv): Record<string, string | undefined> {
  const here = process.cwd();
  const isHere = (folder: string) => !path.relative(here, folder).startsWith('..');
  const folders = absoluteFolders(environment['PATH'] ?? '');
  const { PLAYWRIGHT_BROWSERS_PATH, XDG_CACHE_HOME } = environment;
  return {
    PATH: folders.filter((folder) => !isHere(folder)).join(path.delimiter),
    ...(PLAYWRIGHT_BROWSERS_PATH !== undefined && { PLAYWRIGHT_BROWSERS_PATH }),
    ...(XDG_CACHE_HOME !== undefined && { XDG_CACHE_HOME }),
  };
}

function readOrRefuse<Read>(
  read: () => Read,
  { BadSetting }: Pick<typeof import('@proofmark/server'), 'BadSetting'>,
): Read {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadSetting) throw new UsageProblem(error.message);
    throw error;
  }
}
