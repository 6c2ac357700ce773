/**
 * Reads settings from flags, then from the environment, then from `proofmark.config.json`. The
 * first source with a value wins. An invalid value stops the start with one sentence.
 */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import {
  defaultWidgetMemoryMb,
  isRecord,
  parseRateLimit,
  type RateLimit,
  type SandboxChoice,
  sandboxChoices,
  userFolder,
} from '@proofmark/domain';
import {
  type ConfiguredProvider,
  type KeyedProvider,
  modelProviders,
  withKeys,
} from './model-providers.ts';
import {
  BadSetting,
  bounded,
  counted,
  httpOrigin,
  httpUrl,
  kept,
  oneOf,
  onOff,
  optional,
  port,
  postgresUrl,
  type Setting,
  setting,
  smtpUrl,
  text,
  textList,
} from './setting.ts';
import { spendingSettingRows } from './spending-settings.ts';
import { type StdioServer, stdioServers } from './stdio-servers.ts';
import { trustedProxies } from './trusted-proxies.ts';
import { visitSettingRows } from './visit-settings.ts';

const defaultConcurrentRuns = 2;

export const settingRows = {
  host: setting({
    flag: 'host',
    environment: ['PROOFMARK_HOST'],
    config: 'host',
    parse: hostText,
    fallback: '127.0.0.1',
  }),
  port: setting({
    flag: 'port',
    environment: ['PROOFMARK_PORT'],
    config: 'port',
    parse: port,
    fallback: 3300,
  }),
  dangerouslyBindAll: setting({
    flag: 'dangerouslyBindAll',
    environment: [],
    config: undefined,
    parse: onOff,
    fallback: false,
  }),
  publicUrl: optional('PROOFMARK_PUBLIC_URL', 'publicUrl', httpOrigin),
  hostNames: setting({
    environment: ['PROOFMARK_HOST_NAMES'],
    config: 'hostNames',
    parse: textList,
    fallback: [],
  }),
  trustedProxies: setting({
    environment: ['PROOFMARK_TRUSTED_PROXIES'],
    config: 'trustedProxies',
    parse: trustedProxies,
    fallback: [],
  }),
  dataDir: setting({
    flag: 'dataDir',
    environment: ['PROOFMARK_DATA_DIR'],
    config: 'dataDir',
    parse: text,
    fallback: '.proofmark',
  }),
  databaseUrl: {
    ...optional('PROOFMARK_DATABASE_URL', 'databaseUrl', postgresUrl),
    flag: 'databaseUrl',
    environment: ['PROOFMARK_DATABASE_URL', 'DATABASE_URL'],
    secret: true,
  },
  serviceDatabaseUrl: {
    ...optional('PROOFMARK_SERVICE_DATABASE_URL', 'serviceDatabaseUrl', postgresUrl),
    secret: true,
  },
  worker: setting({
    flag: 'worker',
    environment: ['PROOFMARK_WORKER'],
    config: 'worker',
    parse: onOff,
    fallback: true,
  }),
  sample: setting({
    flag: 'sample',
    environment: ['PROOFMARK_SAMPLE'],
    config: 'sample',
    parse: onOff,
    fallback: true,
  }),
  rateLimit: setting({
    environment: ['PROOFMARK_RATE_LIMIT'],
    config: 'rateLimit',
    parse: rateLimit,
    fallback: { perMinute: 60, burst: 10 } as RateLimit | 'off',
  }),
  ingestionRateLimit: optional('PROOFMARK_INGESTION_RATE_LIMIT', 'ingestionRateLimit', rateLimit),
  secretKey: {
    // Not allowed in the configuration file, which would carry the secret key into backups and
    // repositories.
    ...optional('PROOFMARK_SECRET_KEY', undefined, text),
    secret: true,
  },
  metricsToken: { ...optional('PROOFMARK_METRICS_TOKEN', 'metricsToken', text), secret: true },
  logLevel: optional(
    'PROOFMARK_LOG_LEVEL',
    'logLevel',
    oneOf(['debug', 'info', 'warn', 'error', 'silent']),
  ),
  oidcIssuer: optional('PROOFMARK_OIDC_ISSUER', 'oidcIssuer', httpUrl),
  oidcClientId: optional('PROOFMARK_OIDC_CLIENT_ID', 'oidcClientId', text),
  oidcClientSecret: {
    ...optional('PROOFMARK_OIDC_CLIENT_SECRET', 'oidcClientSecret', text),
    secret: true,
  },
  smtpUrl: { ...optional('PROOFMARK_SMTP_URL', 'smtpUrl', smtpUrl), secret: true },
  mailFrom: optional('PROOFMARK_MAIL_FROM', 'mailFrom', text),
  egressAllow: setting({
    environment: ['PROOFMARK_EGRESS_ALLOW'],
    config: 'egressAllow',
    parse: textList,
    fallback: [],
  }),
  stdioServers: setting({
    environment: [],
    config: 'stdioServers',
    parse: stdioServers,
    fallback: [] as readonly StdioServer[],
    secret: true,
  }),
  concurrentRuns: setting({
    environment: ['PROOFMARK_CONCURRENT_RUNS'],
    config: 'concurrentRuns',
    parse: concurrentRuns,
    fallback: defaultConcurrentRuns,
  }),
  trialsAtOnce: counted('PROOFMARK_TRIALS_AT_ONCE', 'trialsAtOnce', 1, 200, 8),
  trialsPerRun: counted('PROOFMARK_TRIALS_PER_RUN', 'trialsPerRun', 1, 200, 8),
  callsPerServer: counted('PROOFMARK_CALLS_PER_SERVER', 'callsPerServer', 1, 1000, 8),
  trialTimeoutMs: counted('PROOFMARK_TRIAL_TIMEOUT_MS', 'trialTimeoutMs', 1000, 3_600_000, 300_000),
  runTimeoutMs: counted(
    'PROOFMARK_RUN_TIMEOUT_MS',
    'runTimeoutMs',
    10_000,
    604_800_000,
    86_400_000,
  ),
  reportTimeoutMs: counted(
    'PROOFMARK_REPORT_TIMEOUT_MS',
    'reportTimeoutMs',
    60_000,
    604_800_000,
    86_400_000,
  ),
  sessionsPerRun: counted('PROOFMARK_SESSIONS_PER_RUN', 'sessionsPerRun', 1, 200, 8),
  sessionTimeoutMs: counted(
    'PROOFMARK_SESSION_TIMEOUT_MS',
    'sessionTimeoutMs',
    1000,
    86_400_000,
    1_800_000,
  ),
  journeyRunTimeoutMs: counted(
    'PROOFMARK_JOURNEY_RUN_TIMEOUT_MS',
    'journeyRunTimeoutMs',
    10_000,
    604_800_000,
    86_400_000,
  ),
  settleMs: counted('PROOFMARK_SETTLE_MS', 'settleMs', 0, 86_400_000, 600_000),
  miningDebounceMs: counted(
    'PROOFMARK_MINING_DEBOUNCE_MS',
    'miningDebounceMs',
    0,
    3_600_000,
    60_000,
  ),
  storedBytes: bounded('PROOFMARK_STORED_BYTES', 'storedBytes'),
  trialsPerDay: bounded('PROOFMARK_TRIALS_PER_DAY', 'trialsPerDay'),
  uploadBytesPerDay: bounded('PROOFMARK_UPLOAD_BYTES_PER_DAY', 'uploadBytesPerDay'),
  keepRuns: kept('PROOFMARK_KEEP_RUNS', 'keepRuns'),
  keepTraces: kept('PROOFMARK_KEEP_TRACES', 'keepTraces'),
  keepSessions: kept('PROOFMARK_KEEP_SESSIONS', 'keepSessions'),
  diskReserveMb: counted('PROOFMARK_DISK_RESERVE_MB', 'diskReserveMb', 0, 1_000_000, 256),
  modelSteps: counted('PROOFMARK_MODEL_STEPS', 'modelSteps', 1, 200, 20),
  chromium: optional('PROOFMARK_CHROMIUM', 'chromium', text),
  conformanceFolder: optional('PROOFMARK_CONFORMANCE', 'conformance', text),
  chromiumSandbox: setting({
    environment: ['PROOFMARK_CHROMIUM_SANDBOX'],
    config: 'chromiumSandbox',
    parse: oneOf(sandboxChoices),
    fallback: 'auto' as SandboxChoice,
  }),
  chromiumUser: setting({
    environment: ['PROOFMARK_CHROMIUM_USER'],
    config: 'chromiumUser',
    parse: text,
    fallback: 'nobody',
  }),
  widgetMemoryMb: counted(
    'PROOFMARK_WIDGET_MEMORY_MB',
    'widgetMemoryMb',
    512,
    1_000_000,
    defaultWidgetMemoryMb,
  ),
  modelProviders: setting({
    environment: [],
    config: 'modelProviders',
    parse: modelProviders,
    fallback: [] as readonly ConfiguredProvider[],
    secret: true,
  }),
  ...spendingSettingRows,
  ...visitSettingRows,
};

type Rows = typeof settingRows;
type SettingName = keyof Rows;
export type Settings = {
  readonly [Name in Exclude<SettingName, 'modelProviders'>]: Rows[Name] extends Setting<infer Value>
    ? Value
    : never;
} & {
  readonly modelProviders: readonly KeyedProvider[];
  /**
   * The user's own folder for records of the data directories that Proofmark wrote. If absent,
   * nothing is recorded.
   */
  readonly stateFolder?: string;
  /**
   * The environment variables that locate an installed browser (default: those of this process).
   */
  readonly browserVariables?: Readonly<Record<string, string | undefined>>;
  /**
   * Whether a file names programs (stdio servers) that the user did not accept. The service does
   * not start them, but keeps the servers that were saved for them earlier.
   */
  readonly leavesServersOut?: boolean;
};
type SettingSource = 'flag' | 'environment' | 'file' | 'default';

export interface ResolvedSettings {
  readonly settings: Settings;
  readonly sources: { readonly [Name in SettingName]: SettingSource };
}

/** A parsed configuration file. If there are several, the first that contains a setting wins. */
export interface ConfigFile {
  readonly path: string;
  readonly content: Readonly<Record<string, unknown>>;
}

export function resolveSettings(
  flags: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
  files: readonly ConfigFile[] = configFilesOf(environment),
): ResolvedSettings {
  const values: Record<string, unknown> = {};
  const sources: Record<string, SettingSource> = {};
  for (const [name, row] of Object.entries(settingRows) as [string, Setting<unknown>][]) {
    const found = find(row, flags, environment, files);
    values[name] = found === undefined ? row.fallback : row.parse(found.given, found.where);
    sources[name] = found?.source ?? 'default';
  }
  const settings = {
    ...values,
    dataDir: resolve(values['dataDir'] as string),
    modelProviders: withKeys(values['modelProviders'] as ConfiguredProvider[], environment),
    stateFolder: userFolder('state', environment, homedir(), process.platform),
  } as unknown as Settings;
  if ((settings.oidcIssuer === undefined) !== (settings.oidcClientId === undefined)) {
    throw new BadSetting(
      'PROOFMARK_OIDC_ISSUER and PROOFMARK_OIDC_CLIENT_ID must be set together.',
    );
  }
  if ((settings.smtpUrl === undefined) !== (settings.mailFrom === undefined)) {
    throw new BadSetting('PROOFMARK_SMTP_URL and PROOFMARK_MAIL_FROM must be set together.');
  }
  if (settings.smtpUrl !== undefined && settings.publicUrl === undefined) {
    throw new BadSetting(
      'Mails contain links to this service; if PROOFMARK_SMTP_URL is set, set PROOFMARK_PUBLIC_URL too.',
    );
  }
  if (settings.serviceDatabaseUrl !== undefined && settings.databaseUrl === undefined) {
    throw new BadSetting(
      'PROOFMARK_SERVICE_DATABASE_URL can only be set together with PROOFMARK_DATABASE_URL.',
    );
  }
  return { settings, sources: sources as ResolvedSettings['sources'] };
}

function find(
  row: Setting<unknown>,
  flags: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
  files: readonly ConfigFile[],
): { given: unknown; where: string; source: SettingSource } | undefined {
  const flag = row.flag === undefined ? undefined : flags[row.flag];
  if (flag !== undefined)
    return { given: flag, where: flagName(row.flag as string), source: 'flag' };
  for (const name of row.environment) {
    if (environment[name] !== undefined)
      return { given: environment[name], where: name, source: 'environment' };
  }
  const { config } = row;
  const file = files.find(({ content }) => config !== undefined && content[config] !== undefined);
  if (config === undefined || file === undefined) return undefined;
  return { given: file.content[config], where: `${config} in ${file.path}`, source: 'file' };
}

export const defaultConfigFile = 'proofmark.config.json';

/**
 * Returns the configuration file that the environment names, otherwise the one in the working
 * folder.
 */
function configFilesOf(
  environment: Readonly<Record<string, string | undefined>>,
): readonly ConfigFile[] {
  const named = environment['PROOFMARK_CONFIG'];
  const path = named ?? defaultConfigFile;
  const content = readConfigFile(path, named === undefined ? undefined : 'PROOFMARK_CONFIG');
  return [{ path, content }];
}

/**
 * `namedBy` is the setting that contains the path, for the error message. If undefined, the path is
 * the default, and a missing file counts as empty.
 */
export function readConfigFile(path: string, namedBy?: string): Record<string, unknown> {
  if (!existsSync(path)) {
    if (namedBy !== undefined)
      throw new BadSetting(`${namedBy} names ${path}, which does not exist.`);
    return {};
  }
  let file: unknown;
  try {
    file = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new BadSetting(`${path} is not valid JSON.`);
  }
  if (!isRecord(file)) {
    throw new BadSetting(`${path} must hold one JSON object.`);
  }
  const known = new Set(Object.values(settingRows).map((row) => row.config));
  if ('secretKey' in file) {
    throw new BadSetting(
      `${path} must not hold the secret key; use PROOFMARK_SECRET_KEY or the key file.`,
    );
  }
  const unknown = Object.keys(file).find((name) => !known.has(name));
  if (unknown !== undefined) throw new BadSetting(`${path} has an unknown setting: ${unknown}.`);
  return file;
}

/**
 * Returns the default for an invalid value, because a typo must neither stop the service nor remove
 * the limit.
 */
function concurrentRuns(given: unknown): number {
  const value = Number(given);
  return Number.isInteger(value) && value >= 1 && value <= 1000 ? value : defaultConcurrentRuns;
}

/**
 * Keeps an empty host unchanged. It would mean all interfaces, so it is checked when the address is
 * bound.
 */
function hostText(given: unknown, where: string): string {
  if (typeof given === 'string') return given.trim();
  throw new BadSetting(`${where} must be a text.`);
}

function rateLimit(given: unknown, where: string): RateLimit | 'off' {
  const limit = parseRateLimit(String(given));
  if (limit !== undefined) return limit;
  throw new BadSetting(
    `${where} must be off, or a rate such as 60/10 (60 requests per minute, bursts of 10).`,
  );
}

function flagName(flag: string): string {
  return `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
