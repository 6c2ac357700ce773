/**
 * Keys and projects that somebody chose at this machine, by the address of the service: one file in the user's folder for
 * settings, which nobody else may read. One that others could have read or written is passed over.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { isRecord, userFolder } from '@proofmark/domain';
import { isPrivateFile } from './is-private-file.ts';

export interface Login {
  readonly key?: string;
  /** The id of the project that commands speak of where none is named. */
  readonly project?: string;
}

export interface Logins {
  /** Where the last login was: it is asked where no address is named. */
  readonly last?: string;
  readonly addresses: Readonly<Record<string, Login>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function loginsFile(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): string {
  return path.join(userFolder('config', environment, homedir(), platform), 'logins.json');
}

export function readLogins(environment: Environment): Logins {
  const file = loginsFile(environment);
  try {
    if (!isPrivateFile(file)) return { addresses: {} };
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isRecord(content) || !isRecord(content['addresses'])) return { addresses: {} };
    const { last, addresses } = content;
    const read = Object.entries(addresses).map(([url, login]) => [url, loginIn(login)] as const);
    return { ...(typeof last === 'string' && { last }), addresses: Object.fromEntries(read) };
  } catch {
    // There is none yet, or it is not whole: then nobody is logged in.
    return { addresses: {} };
  }
}

export function writeLogins(environment: Environment, logins: Logins): string {
  const file = loginsFile(environment);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const beside = `${file}.${process.pid}`;
  try {
    writeFileSync(beside, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(beside, file);
  } finally {
    rmSync(beside, { force: true });
  }
  return file;
}

/** With this key or project for the address, and what was kept for it before. */
export function withLogin(logins: Logins, url: string, changed: Login): Logins {
  const login = { ...logins.addresses[url], ...changed };
  const last = changed.key === undefined ? logins.last : url;
  return {
    ...(last !== undefined && { last }),
    addresses: { ...logins.addresses, [url]: login },
  };
}

export function withoutLogin({ last, addresses }: Logins, url: string): Logins {
  const others = Object.entries(addresses).filter(([address]) => address !== url);
  return {
    ...(last !== undefined && last !== url && { last }),
    addresses: Object.fromEntries(others),
  };
}

function loginIn(value: unknown): Login {
  const { key, project } = Object(value) as Record<string, unknown>;
  return {
    ...(typeof key === 'string' && { key }),
    ...(typeof project === 'string' && { project }),
  };
}
