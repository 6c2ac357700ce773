/**
 * Which service a command asks, with which key, and about which project: flags first, then the environment, then the
 * service of this folder.
 */
import { type ApiClient, ApiError, type ClientOptions, createApiClient } from '@proofmark/client';
import { cleanText } from '@proofmark/domain';
import { Command, CommanderError } from 'commander';
import { printNotice } from '../output.ts';
import { chooseProject } from './choose-project.ts';
import { exitCodes, UsageProblem } from './exit-codes.ts';
import { type FolderService, findFolderService } from './folder-service.ts';

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
}

const defaultUrl = 'http://127.0.0.1:3300';

/** A command with the flags every one of them has. */
export function remoteCommand(name: string): Command {
  return new Command(name)
    .option('--url <url>', 'where the service is (PROOFMARK_URL, else that of this folder)')
    .option('--project <id or name>', 'which project (PROOFMARK_PROJECT, else the only one)');
}

/** Runs a command and ends with its exit code; whatever goes wrong is one sentence. */
export async function remotely(command: () => Promise<number>): Promise<void> {
  // If the process ends early, for example because the pipe it prints to was closed, it must not end with 0.
  process.exitCode = exitCodes.other;
  try {
    process.exitCode = await command();
  } catch (error) {
    if (error instanceof CommanderError) throw error;
    printNotice(sentenceOf(error));
    process.exitCode = isUsage(error) ? exitCodes.usage : exitCodes.other;
  }
}

/** A request that the service answers with 400 is wrong because of what the command was given. */
export function isUsage(error: unknown): boolean {
  return error instanceof UsageProblem || (error instanceof ApiError && error.status === 400);
}

export async function connectToService(
  flags: ConnectionFlags,
  patience: Pick<ClientOptions, 'limitPatience' | 'maxRetries'> = {},
): Promise<Connection> {
  const found = findFolderService(process.cwd(), process.env);
  const { url, apiKey, project } = readCredentials(flags, process.env, found);
  const client = createApiClient({ baseUrl: url, apiKey, ...patience });
  return { client, url, projectId: await chooseProject(client, project) };
}

export function readCredentials(
  flags: ConnectionFlags,
  environment: Readonly<Record<string, string | undefined>>,
  ofFolder?: FolderService,
): Credentials {
  const named = flags.url ?? (environment['PROOFMARK_URL'] || ofFolder?.url || defaultUrl);
  const url = named.trim().replace(/\/+$/, '');
  if (!isHttpUrl(url)) {
    throw new UsageProblem(
      `${JSON.stringify(url)} is no address of a service; give one like ${defaultUrl}.`,
    );
  }
  const keyOfFolder = ofFolder?.url === url ? ofFolder.key : '';
  const apiKey = (environment['PROOFMARK_API_KEY'] || keyOfFolder).trim();
  if (apiKey === '') throw new UsageProblem(ofFolder === undefined ? noService : noKeyFor(url));
  // The value of the variable is never printed, not even when it is wrong.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new UsageProblem('PROOFMARK_API_KEY holds signs that no API key has; set it again.');
  }
  const project = (flags.project ?? environment['PROOFMARK_PROJECT'] ?? '').trim();
  return { url, apiKey, project: project === '' ? undefined : project };
}

const noService =
  'No service runs in this folder: start one with `proofmark serve`, or set PROOFMARK_URL and PROOFMARK_API_KEY to an address and an API key; the console makes one.';

function noKeyFor(url: string): string {
  return `Set PROOFMARK_API_KEY to an API key of ${url}; its console makes one.`;
}

export function sentenceOf(
  error: unknown,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const text = cleanText(error instanceof Error ? error.message : String(error), false);
  if (!(error instanceof ApiError)) return text;
  if (error.status === 401) {
    const from = environment['PROOFMARK_API_KEY'] ? ' in PROOFMARK_API_KEY' : '';
    return `The service did not accept the key${from}: ${text}`;
  }
  // The service says the same whether there is no such thing or another project has it.
  if (error.status === 404 && error.details['reason'] === undefined) {
    return 'Nothing in this project has this id, or this key cannot see it.';
  }
  return text;
}

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  const isBare = username === '' && password === '' && search === '' && hash === '';
  return isBare && (protocol === 'http:' || protocol === 'https:');
}
