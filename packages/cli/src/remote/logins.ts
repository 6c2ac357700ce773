/**
 * Keys and projects that this user stored on this machine, by service address. They are in one file
 * in the user's settings folder. The file is ignored if other users can read or write it.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { isRecord, userFolder } from '@proofmark/domain';
import { isPrivateFile } from './is-private-file.ts';

export interface Login {
  readonly key?: string;
  readonly project?: string;
}

export interface Logins {
  /** Address of the last login, which commands use by default. */
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
    // A missing or invalid file counts as no logins.
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

/** Sets a key or project for one address. The address keeps its other value. */
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
