/**
 * Finds the service, key and project of a command. The order is flags, environment, the service of
 * this folder, the login for the address. Without an address, the service of this folder is used,
 * else that of the last login.
 */
import { type ApiClient, ApiError, type ClientOptions, createApiClient } from '@proofmark/client';
import { cleanText } from '@proofmark/domain';
import { Command, CommanderError } from 'commander';
import { printNotice } from '../output.ts';
import { chooseProject, stillThere } from './choose-project.ts';
import { exitCodes, UsageProblem } from './exit-codes.ts';
import { type FolderService, findFolderService } from './folder-service.ts';
import { type Logins, readLogins } from './logins.ts';
import { withoutKeyField } from './model-keys.ts';

export interface Connection {
  readonly client: ApiClient;
  readonly url: string;
  readonly projectId: string;
}

export interface ConnectionFlags {
  readonly url?: string;
  readonly project?: string;
}

export interface Credentials {
  readonly url: string;
  readonly apiKey: string;
  readonly project: string | undefined;
  /** Id of the project chosen earlier for this address. It is used if no project is named. */
  readonly keptProject: string | undefined;
  readonly keyFrom: 'environment' | 'login' | 'folder';
}

export interface ReachedService extends Credentials {
  readonly client: ApiClient;
}

export const defaultUrl = 'http://127.0.0.1:3300';

export function remoteCommand(name: string): Command {
  return new Command(name)
    .option(
      '--url <url>',
      'address of the service (default: PROOFMARK_URL, this folder, the last login)',
    )
    .option('--project <id or name>', 'the project (default: PROOFMARK_PROJECT, or the only one)');
}

export async function remotely(command: () => Promise<number>): Promise<void> {
  // Set before the command runs. If the process ends early, for example because of a closed output
  // pipe, it must not exit with 0.
  process.exitCode = exitCodes.other;
  try {
    process.exitCode = await command();
  } catch (error) {
    if (error instanceof CommanderError) throw error;
    printNotice(sentenceOf(error));
    process.exitCode = isUsage(error) ? exitCodes.usage : exitCodes.other;
  }
}

/**
 * Whether the user's input caused the error. Requests that the service rejects with status 400
 * count too.
 */
export function isUsage(error: unknown): boolean {
  return error instanceof UsageProblem || (error instanceof ApiError && error.status === 400);
}

type Patience = Pick<ClientOptions, 'limitPatience' | 'maxRetries'>;

export async function connectToService(
  flags: ConnectionFlags,
  patience: Patience = {},
): Promise<Connection> {
  const { client, url, project, keptProject } = reachService(flags, patience);
  const isKept = project === undefined && keptProject !== undefined;
  const projectId = isKept
    ? await stillThere(client, keptProject, url)
    : await chooseProject(client, project);
  return { client, url, projectId };
}

export function reachService(flags: ConnectionFlags, patience: Patience = {}): ReachedService {
  const found = findFolderService(process.cwd(), process.env);
  const credentials = readCredentials(flags, process.env, found, readLogins(process.env));
  const { url: baseUrl, apiKey } = credentials;
  return { ...credentials, client: createApiClient({ baseUrl, apiKey, ...patience }) };
}

export function readCredentials(
  flags: ConnectionFlags,
  environment: Readonly<Record<string, string | undefined>>,
  ofFolder?: FolderService,
  logins: Logins = { addresses: {} },
): Credentials {
  const keyInEnvironment = environment['PROOFMARK_API_KEY'];
  // The default address. A key from the environment belongs to no login, so it must not be sent to
  // the address of the last login.
  const usual = ofFolder?.url ?? (keyInEnvironment?.trim() ? undefined : logins.last);
  const url = serviceAddress(flags.url ?? (environment['PROOFMARK_URL'] || usual || defaultUrl));
  const login = Object.hasOwn(logins.addresses, url) ? logins.addresses[url] : undefined;
  const found = [
    { keyFrom: 'environment', apiKey: keyInEnvironment },
    // The folder's key comes before the login's key. That login may belong to a service of another
    // folder that once used the same port.
    { keyFrom: 'folder', apiKey: ofFolder?.url === url ? ofFolder.key : undefined },
    { keyFrom: 'login', apiKey: login?.key },
  ] as const;
  const { keyFrom, apiKey = '' } = found.find((one) => one.apiKey?.trim()) ?? {};
  if (keyFrom === undefined) {
    const isNamed = !!(flags.url ?? environment['PROOFMARK_URL']) || ofFolder !== undefined;
    throw new UsageProblem(isNamed ? noKeyFor(url) : noService);
  }
  // The error never contains the key, not even an invalid one.
  if (!/^[\x21-\x7e]+$/.test(apiKey.trim())) {
    throw new UsageProblem(
      'PROOFMARK_API_KEY has characters that are not allowed in an API key; set it again.',
    );
  }
  const project = (flags.project ?? environment['PROOFMARK_PROJECT'] ?? '').trim();
  return {
    url,
    apiKey: apiKey.trim(),
    keyFrom,
    keptProject: login?.project,
    project: project === '' ? undefined : project,
  };
}

export function serviceAddress(named: string): string {
  const url = named.trim().replace(/\/+$/, '');
  if (isHttpUrl(url)) return url;
  throw new UsageProblem(
    `${JSON.stringify(url)} is not an address of a service; give one like ${defaultUrl}.`,
  );
}

const noService =
  'No service runs in this folder. Start one with `proofmark serve`, or use another one with `proofmark login URL`, or with PROOFMARK_URL and PROOFMARK_API_KEY; its console makes a key.';

function noKeyFor(url: string): string {
  return `Run \`proofmark login ${url}\`, or set PROOFMARK_API_KEY to an API key of ${url}; its console makes one.`;
}

export function sentenceOf(
  error: unknown,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const text = withoutKeyField(
    cleanText(error instanceof Error ? error.message : String(error), false),
  );
  if (!(error instanceof ApiError)) return text;
  if (error.status === 401) {
    return environment['PROOFMARK_API_KEY']
      ? `The service rejected the key in PROOFMARK_API_KEY: ${text} Set another key, or unset the variable and run \`proofmark login\`.`
      : `The service rejected the key: ${text} Give another with \`proofmark login\`.`;
  }
  // The service gives the same response for a missing id and for an id of another project, so the
  // sentence names both causes.
  if (error.status === 404 && error.details['reason'] === undefined) {
    return 'This id does not exist in the project, or this key cannot see it: check the id and the project (`proofmark project list`).';
  }
  return text;
}

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  const isBare = username === '' && password === '' && search === '' && hash === '';
  return isBare && (protocol === 'http:' || protocol === 'https:');
}
