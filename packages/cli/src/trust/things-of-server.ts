import path from 'node:path';
import {
  isRecord,
  type Json,
  type SuiteServer,
  shownCommand,
  statedCommand,
  type ThingToTrust,
} from '@proofmark/domain';

/**
 * A program gives the same entry whether typed or written in a suite file, so one permission covers
 * both.
 */
export function thingsOfSuiteServer(server: SuiteServer): ThingToTrust[] {
  const words = statedCommand(server);
  const { name, url, headers } = server;
  if (words === undefined) return thingsOfEntry(name, { url, headers });
  const { env = [], cwd = '.' } = server;
  const place = path.normalize(cwd);
  const names = env.length > 0 ? ` with ${env.join(', ')}` : '';
  const shown = `starts the program ${shownCommand([words.command, ...words.args])}${names}${inFolder(place)} (${name})`;
  return [{ stated: { ...words, env, cwd: place }, shown }];
}

/**
 * Returns what needs permission in a configuration entry: a program to start, or an address to
 * which environment variables are sent.
 */
export function thingsOfEntry(
  name: string,
  { url, command, args, env, cwd, headers }: Json,
): ThingToTrust[] {
  if (typeof url === 'string') {
    const value = { url, headers: headers ?? {} };
    const variables = [...JSON.stringify(value).matchAll(/\$\{(?:env:)?(\w+)/g)].map(
      ([, one]) => one,
    );
    if (variables.length === 0) return [];
    const shown = `sends ${[...new Set(variables)].join(', ')} of your environment to ${url} (${name})`;
    return [{ stated: { setting: 'server', value }, shown }];
  }
  if (typeof command !== 'string') return [];
  const words = (Array.isArray(args) ? args : []).map(String);
  const given = isRecord(env) ? env : {};
  const variables = Object.entries(given).map(([one, value]) => shownVariable(one, value));
  const names = variables.length > 0 ? ` with ${variables.join(', ')}` : '';
  const place = typeof cwd === 'string' ? cwd : '.';
  const shown = `starts the program ${shownCommand([command, ...words])}${names}${inFolder(place)} (${name})`;
  return [{ stated: { command, args: words, env: given, cwd: place }, shown }];
}

function inFolder(place: string): string {
  return place === '.' ? '' : ` in ${place}`;
}

/** Values may be secrets. Only values of variables that decide which code runs are shown. */
function shownVariable(name: string, value: unknown): string {
  return codeVariables.test(name) ? `${name}=${String(value)}` : name;
}

const codeVariables =
  /^(?:PATH|NODE_OPTIONS|NODE_PATH|PYTHONPATH|PYTHONSTARTUP|RUBYOPT|PERL5OPT|JAVA_TOOL_OPTIONS|BASH_ENV|ENV|LD_\w+|DYLD_\w+)$/i;
