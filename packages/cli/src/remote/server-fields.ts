/**
 * Reads the fields of a saved server from flags. Secrets come from the environment or a file,
 * because other users can read command lines.
 */
import { defaultMaxMessageMiB, mostMaxMessageMiB } from '@proofmark/domain';
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { collectFlag } from './collect-flag.ts';
import { UsageProblem } from './exit-codes.ts';

export interface ServerFields {
  readonly at?: string;
  readonly header?: readonly string[];
  readonly timeout?: number;
  readonly maxMessageMib?: number;
  readonly oauth?: boolean;
  readonly scope?: readonly string[];
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly disabled?: true;
}

export function withServerFields(command: Command): Command {
  return command
    .option(
      '--header <name=VARIABLE>',
      'a header with the value of this environment variable; repeat for more',
      collectFlag,
    )
    .option('--timeout <milliseconds>', 'limit of a call', readTimeout)
    .option(
      '--max-message-mib <MiB>',
      `largest message to read, at most ${mostMaxMessageMiB} (default: ${defaultMaxMessageMiB})`,
      readMaxMessage,
    )
    .option('--oauth', 'the server needs an OAuth grant')
    .option('--no-oauth', 'the server needs no OAuth grant')
    .option('--scope <scope>', 'an OAuth scope to request; repeat for more', collectFlag)
    .option('--client-id <id>', 'the OAuth client registered at the issuer')
    .option('--client-secret <VARIABLE>', 'the environment variable that holds its secret');
}

export function serverFields(
  flags: ServerFields,
  environment: Readonly<Record<string, string | undefined>>,
) {
  return {
    ...(flags.at !== undefined && { url: flags.at }),
    ...(flags.header !== undefined && { headers: headersOf(flags.header, environment) }),
    ...(flags.timeout !== undefined && { timeout: flags.timeout }),
    ...(flags.maxMessageMib !== undefined && { maxMessageMiB: flags.maxMessageMib }),
    ...(flags.oauth !== undefined && { useOAuth: flags.oauth }),
    ...(flags.scope !== undefined && { oauthScopes: [...flags.scope] }),
    ...(flags.clientId !== undefined && { clientId: flags.clientId }),
    ...(flags.clientSecret !== undefined && {
      clientSecret: secretIn(flags.clientSecret, environment),
    }),
  };
}

function headersOf(
  flags: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    flags.map((flag) => {
      const [, name, variable] = /^([^=\s]+)=(\w+)$/.exec(flag) ?? [];
      if (name === undefined || variable === undefined) {
        throw new UsageProblem(
          `--header takes a header name and the name of an environment variable, as Authorization=MY_TOKEN.`,
        );
      }
      return [name, secretIn(variable, environment)];
    }),
  );
}

export function secretIn(
  variable: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const value = environment[variable];
  if (value === undefined || value === '') {
    throw new UsageProblem(`The environment variable ${variable} is not set.`);
  }
  return value;
}

function readMaxMessage(text: string): number {
  if (/^[1-9]\d?$/.test(text) && Number(text) <= mostMaxMessageMiB) return Number(text);
  throw new InvalidArgumentError(`Give a number of MiB from 1 to ${mostMaxMessageMiB}.`);
}

function readTimeout(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text) && Number(text) <= 600_000) return Number(text);
  throw new InvalidArgumentError('Give a number of milliseconds from 1 to 600000.');
}
