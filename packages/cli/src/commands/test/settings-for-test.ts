/**
 * The settings of a service that is started for the time of a test, in a folder that may be a stranger's checkout. What a
 * file of the folder states is taken where it is agreed to; a data directory that came with the folder is one such thing.
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
import type { StartWish } from './open-service.ts';

type Settings = import('@proofmark/server').Settings;
type Visited = import('@proofmark/server').VisitedSettings;
type AskedSetting = Visited['asked'][number];

export interface SettingsForTest {
  readonly settings: Settings;
  /** Whether the caller, or a file that is agreed to, names the data directory. */
  readonly namesData: boolean;
}

export async function settingsForTest(wish: StartWish): Promise<SettingsForTest> {
  const server = await import('@proofmark/server');
  const visited = readOrRefuse(() => server.visitedSettings(process.env, wish.settings), server);
  const agreed = wish.isTyped
    ? agreedUnasked(visited, wish)
    : await agreedTo(visited, wish, () => foreignData(server, visited, wish));
  const { settings, sources } = readOrRefuse(() => visited.resolve({}, agreed), server);
  const leavesServersOut = visited.asked.some(({ name }) => isProgram(name) && !agreed.has(name));
  const taken = {
    ...settings,
    leavesServersOut,
    browserVariables: withoutFoldersHere(process.env),
    ...(wish.widgets === false && { chromium: 'off' }),
  };
  const namesData = sources.dataDir !== 'default';
  if (wish.ephemeral) return { settings: withoutState(taken), namesData };
  // A data directory that a flag or the environment names is the caller's own.
  if (!['default', 'file'].includes(sources.dataDir)) return { settings: taken, namesData };
  return { settings: await ofThisFolder(taken, server.whyNotTrusted(taken), wish), namesData };
}

/** Nobody looks for a data directory that is gone after the test. */
function withoutState({ stateFolder: _, ...settings }: Settings): Settings {
  return settings;
}

async function agreedTo(
  { asked }: Visited,
  wish: StartWish,
  data: () => string | undefined,
): Promise<ReadonlySet<string>> {
  if (asked.length > 0) {
    const also = data();
    await requireTrust(asked, { where: 'proofmark.config.json', folder: '.', also }, wish);
  }
  return namesOf(asked);
}

/** Of the data directory that is used where nothing else is agreed to. */
function foreignData(
  server: typeof import('@proofmark/server'),
  visited: Visited,
  { ephemeral }: StartWish,
): string | undefined {
  if (ephemeral) return undefined;
  const { settings, sources } = readOrRefuse(() => visited.resolve({}, new Set()), server);
  if (!['default', 'file'].includes(sources.dataDir)) return undefined;
  const why = server.whyNotTrusted(settings);
  return why === undefined ? undefined : shownData(settings.dataDir, why);
}

/** With the programs that it names, since whoever agrees to it has them started. */
function shownData(dataDir: string, why: string): string {
  const programs = programsOf(path.join(dataDir, 'stdio-servers.json'));
  const named = programs.length === 0 ? '' : `, and starts ${programs.join(', ')}`;
  return cleanText(`${path.relative('.', dataDir)} is a data directory, and ${why}${named}`, false);
}

/** Whatever is not read so is not started either. */
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

/** A typed server needs no answer, so nobody is asked: what is not agreed to already is left out. */
function agreedUnasked({ asked }: Visited, wish: StartWish): ReadonlySet<string> {
  const others = asked.filter(({ name }) => !isProgram(name));
  const taken = new Set(trustedAlready(others, '.', wish));
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
  wish: StartWish,
): Promise<Settings> {
  if (why === undefined) return settings;
  const { dataDir } = settings;
  if (agreesForOnce()) return withoutState(settings);
  const shown = shownData(dataDir, why);
  // Remembered by the seal, which is made when the data is opened: what it holds changes with every test.
  if (wish.trust) return settings;
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

/** A browser in a folder of the checkout is none that is installed. */
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
