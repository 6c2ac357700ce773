/**
 * Settings for a command in a folder that somebody else may have written, such as a checkout in CI.
 * Flags, environment and the user's own files are trusted. From the folder's
 * `proofmark.config.json`, only limits apply without consent; programs, addresses, paths and
 * deletions need it.
 */
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { shownCommand, type ThingToTrust, userFolder } from '@proofmark/domain';
import { modelProviders } from './model-providers.ts';
import { BadSetting } from './setting.ts';
import {
  type ConfigFile,
  defaultConfigFile,
  type ResolvedSettings,
  readConfigFile,
  resolveSettings,
  settingRows,
} from './settings.ts';
import { stdioServers } from './stdio-servers.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface AskedSetting extends ThingToTrust {
  readonly name: string;
}

export interface VisitedSettings {
  readonly asked: readonly AskedSetting[];
  /** Returns the settings that would need consent if the folder's file had this content. */
  askedIn(content: string): readonly AskedSetting[];
  /** Of the settings that need consent, only the agreed ones are applied. */
  resolve(flags: Readonly<Record<string, unknown>>, agreed: ReadonlySet<string>): ResolvedSettings;
}

/** `namedFile` is the configuration file named on the command line, if any. */
export function visitedSettings(environment: Environment, namedFile?: string): VisitedSettings {
  const named = namedFile ?? environment['PROOFMARK_CONFIG'];
  if (named !== undefined) {
    const namedBy = namedFile === undefined ? 'PROOFMARK_CONFIG' : '--settings';
    const file = { path: named, content: readConfigFile(named, namedBy) };
    const none = () => [];
    return {
      asked: [],
      askedIn: none,
      resolve: (flags) => resolveSettings(flags, environment, [file]),
    };
  }
  const ofFolder = readOfFolder();
  const home = userFolder('config', environment, homedir(), process.platform);
  const path = join(home, defaultConfigFile);
  const ofUser: ConfigFile = { path, content: readConfigFile(path) };
  return {
    asked: askedOf(ofFolder),
    askedIn: (content) => askedOf(JSON.parse(content)),
    resolve(flags, agreed) {
      const taken = Object.entries(ofFolder).filter(
        ([name]) => takenUnasked.has(name) || agreed.has(name),
      );
      const file = { path: defaultConfigFile, content: Object.fromEntries(taken) };
      return resolveSettings(flags, environment, [file, ofUser]);
    },
  };
}

function askedOf(settings: object): AskedSetting[] {
  return Object.entries(settings).flatMap(([name, value]) =>
    takenUnasked.has(name) ? [] : thingsOf(name, value),
  );
}

/**
 * Reads the file of the working folder. A symbolic link is rejected if it leads out of the folder:
 * it would make the command read and quote any file of the user.
 */
function readOfFolder(): Record<string, unknown> {
  if (!existsSync(defaultConfigFile)) return {};
  const way = relative(realpathSync('.'), realpathSync(resolve(defaultConfigFile)));
  if (way.startsWith('..')) {
    throw new BadSetting(
      `${defaultConfigFile} is a link out of this folder and is not followed; name the file with --settings.`,
    );
  }
  return readConfigFile(defaultConfigFile);
}

function thingsOf(name: string, value: unknown): AskedSetting[] {
  const where = `${name} in ${defaultConfigFile}`;
  if (name === 'stdioServers') {
    return stdioServers(value, where).map(({ command, args, env }) => {
      const variables = Object.keys(env).length > 0 ? ` with ${Object.keys(env).join(', ')}` : '';
      const shown = `starts the program ${shownCommand([command, ...args])}${variables} (${name})`;
      return { name, stated: { command, args, env, cwd: '/' }, shown };
    });
  }
  if (name === 'modelProviders') {
    return modelProviders(value, where).map((provider) => {
      const { kind, baseUrl, apiKeyEnvironment } = provider;
      const key = apiKeyEnvironment === undefined ? '' : ` the key in ${apiKeyEnvironment}`;
      const to = baseUrl ?? `the usual address of ${kind}`;
      const shown = `sends what models are asked${key && `, and${key},`} to ${to} (${name})`;
      return { name, stated: { setting: name, value: provider }, shown };
    });
  }
  const row = Object.values(settingRows).find(({ config }) => config === name);
  const isOpen = row !== undefined && !('secret' in row && row.secret === true);
  const shown = `sets ${name}${isOpen ? ` to ${JSON.stringify(value)}` : ''}`;
  return [{ name, stated: { setting: name, value }, shown }];
}

/** The settings that apply without consent: limits of concurrency and duration. */
const takenUnasked: ReadonlySet<string> = new Set([
  'concurrentRuns',
  'trialsAtOnce',
  'trialsPerRun',
  'callsPerServer',
  'trialTimeoutMs',
  'runTimeoutMs',
  'reportTimeoutMs',
  'sessionsPerRun',
  'sessionTimeoutMs',
  'journeyRunTimeoutMs',
  'settleMs',
  'miningDebounceMs',
  'diskReserveMb',
  'modelSteps',
  'logLevel',
  'rateLimit',
  'ingestionRateLimit',
  'worker',
  'sample',
]);
