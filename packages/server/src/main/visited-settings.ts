/**
 * Settings of a command that is run in a folder which may be somebody else's, as a job of CI does in the checkout of a pull
 * request. Flags and the environment are the caller's own; so is a file that one of them names, and the one in the
 * user's folder for settings. Of `proofmark.config.json` in the working folder only limits are taken unasked; what starts
 * a program, names an address that keys are sent to, a binary or a place of data, or removes data, is asked about.
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
  /** As the file calls it. */
  readonly name: string;
}

export interface VisitedSettings {
  readonly asked: readonly AskedSetting[];
  /** With those of the asked settings that are agreed to, and without the others. */
  resolve(flags: Readonly<Record<string, unknown>>, agreed: ReadonlySet<string>): ResolvedSettings;
}

/** `namedFile`: the file that the command line names. */
export function visitedSettings(environment: Environment, namedFile?: string): VisitedSettings {
  const named = namedFile ?? environment['PROOFMARK_CONFIG'];
  if (named !== undefined) {
    const namedBy = namedFile === undefined ? 'PROOFMARK_CONFIG' : '--settings';
    const file = { path: named, content: readConfigFile(named, namedBy) };
    return { asked: [], resolve: (flags) => resolveSettings(flags, environment, [file]) };
  }
  const ofFolder = readOfFolder();
  const home = userFolder('config', environment, homedir(), process.platform);
  const path = join(home, defaultConfigFile);
  const ofUser: ConfigFile = { path, content: readConfigFile(path) };
  return {
    asked: Object.entries(ofFolder).flatMap(([name, value]) =>
      takenUnasked.has(name) ? [] : thingsOf(name, value),
    ),
    resolve(flags, agreed) {
      const taken = Object.entries(ofFolder).filter(
        ([name]) => takenUnasked.has(name) || agreed.has(name),
      );
      const file = { path: defaultConfigFile, content: Object.fromEntries(taken) };
      return resolveSettings(flags, environment, [file, ofUser]);
    },
  };
}

/** A link out of the folder would have us read, and quote, a file that the folder only names. */
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

/** Limits of what is done at once, and for how long. */
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
